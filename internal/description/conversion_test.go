package description_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

const replaced = `area: Fees
doc: Fees are work on a matter.
scope: fees
parameters:
  id: uuid, is the id of the fee.
operations:
  getFee:
    call: GET /fees/{id}
    method: Get
    doc: Returns a fee.
    answer: Fee
  updateFee:
    call: PUT /fees/{id}
    method: Update
    doc: Replaces a fee.
    body: FeeWrite
records:
  Fee:
    doc: is work on a matter.
    members:
      subject: text, is a short description.
      ending: text, ends the subject.
      staff: Link, links to the staff member.
      readers: list of Link, links to who may read it.
      made: instant, is when it was made.
bodies:
  FeeWrite:
    doc: is a fee in a request.
    like: Fee
    members:
      subject: text
      whole: text? from subject+ending, is the subject with its end.
      staffId: text?, is the id of the staff member.
      readerIds: list? of text, holds the ids of who may read it.
      madeAt: instant? from made, is when it was made.
      by: text? instruction, is who changes it.
      note: text? unreadable, is a note.
values:
  Link:
    doc: leads to a record.
    members:
      id: text, identifies it.
`

func TestARecordIsMatchedWithTheBodyThatReplacesIt(t *testing.T) {
	t.Parallel()
	document := loadOne(t, replaced)
	all, problems := document.Conversions()
	require.Empty(t, problems)
	require.Len(t, all, 1)
	told := map[string]string{}
	for _, m := range all[0].Members {
		told[m.Name] = string(m.Fate)
		if m.From != nil {
			told[m.Name] += " " + string(m.Form) + " " + m.From.Name
		}
		if m.With != nil {
			told[m.Name] += " " + m.With.Name
		}
	}
	assert.Equal(t, map[string]string{
		"subject": "kept = subject", "staffId": "kept id staff", "readerIds": "kept ids readers", "madeAt": "kept time made",
		"by": "instruction", "note": "unreadable", "whole": "kept joined subject ending",
	}, told)
}

func TestAMemberThatNothingStandsForIsAProblem(t *testing.T) {
	t.Parallel()
	for _, attribute := range []string{" unreadable", " instruction", " from made"} {
		_, problems := loadOne(t, strings.Replace(replaced, attribute, "", 1)).Conversions()
		assert.Len(t, problems, 1, attribute)
	}
	_, problems := loadOne(t, strings.Replace(replaced, "from made", "from subject", 1)).Conversions()
	assert.Len(t, problems, 1, "a text is no time")
	for _, from := range []string{"subject+staff", "subject+finish", "made+ending"} {
		_, problems := loadOne(t, strings.Replace(replaced, "subject+ending", from, 1)).Conversions()
		assert.Len(t, problems, 1, from)
	}
}

func loadOne(t *testing.T, text string) *description.Document {
	t.Helper()
	document, err := loadText(text)
	require.NoError(t, err)
	return document
}
