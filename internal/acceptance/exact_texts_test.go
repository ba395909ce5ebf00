package acceptance_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestModifyDoesNotWriteBackATextThatItCouldNotRead checks that such a text
// counts as a member that cannot be read back, at each depth.
func TestModifyDoesNotWriteBackATextThatItCouldNotRead(t *testing.T) {
	t.Parallel()
	type test struct {
		person string
		lost   []string
		change func(*models.ContactWrite)
	}
	for name, tt := range map[string]test{
		"half a surrogate pair":         {person: `{"firstName":"Ada \ud83d","lastName":"Q"}`, lost: []string{"person.firstName"}},
		"the other half":                {person: `{"firstName":"\ude00 Ada","lastName":"Q"}`, lost: []string{"person.firstName"}},
		"another encoding":              {person: "{\"firstName\":\"Ren\xe9\",\"lastName\":\"Q\"}", lost: []string{"person.firstName"}},
		"deeper":                        {person: `{"lastName":"Q","mailingAddress":{"city":"\ud800"}}`, lost: []string{"person.mailingAddress.city"}},
		"a half at the end":             {person: `{"lastName":"Q","otherNames":"a\ud800"}`, lost: []string{"person.otherNames"}},
		"a whole pair, and U+FFFD":      {person: `{"firstName":"\ud83d\ude00 \ufffd","lastName":"Q"}`},
		"a member that the caller sets": {person: `{"firstName":"\ud83d","lastName":"Q"}`, change: func(c *models.ContactWrite) { c.Person.FirstName = "Ada" }},
	} {
		answer := `{"id":"` + askedID + `","versionId":"1","person":` + tt.person + `}`
		client, writes := answering(t, &answer)
		_, err := client.Contacts.Modify(t.Context(), askedID, func(c *models.ContactWrite) error {
			if tt.change != nil {
				tt.change(c)
			}
			return nil
		}, practice.WithLoss("person.identificationDetails")) // which no record shows
		if tt.lost == nil {
			require.NoError(t, err, name)
			assert.Equal(t, 1, *writes, name)
			continue
		}
		lost, ok := errors.AsType[*practice.ModifyError](err)
		require.True(t, ok, "%s: %v", name, err)
		require.ErrorIs(t, err, practice.ErrWouldBeLost, name)
		assert.Equal(t, tt.lost, lost.Members, name)
		assert.Zero(t, *writes, name)
	}
}

// TestCallSendsNoOtherValueThanItWasGiven checks that a value is sent as it is
// or refused by the name of its member.
func TestCallSendsNoOtherValueThanItWasGiven(t *testing.T) {
	t.Parallel()
	sent := 0
	client := testkit.BareClient(t, "https://api.example.test", practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return testkit.AnswerOf(http.StatusAccepted, `{}`), nil
		}),
	}))
	matter, one := map[string]any{"matterId": askedID}, map[string]any{"id": askedID}
	fee := func(members string) string { return `{"feeDate":"2026-03-02","subject":"s",` + members + `}` }
	for name, tt := range map[string]struct {
		operation string
		arguments map[string]any
		body      string
		member    string // that is refused; empty: sent
	}{
		"a text that is not UTF-8":           {"createMemo", matter, "{\"title\":\"M\xfcller\",\"text\":\"x\"}", "title"},
		"half a surrogate pair":              {"createMemo", matter, `{"title":"\ud83d","text":"x"}`, "title"},
		"a whole pair, and U+FFFD":           {"createMemo", matter, `{"title":"\ud83d\ude00 \ufffd","text":"x"}`, ""},
		"a tag that is not UTF-8":            {"addContactTags", one, "[\"a\",\"\xfc\"]", "[1]"},
		"a tag that is null":                 {"addContactTags", one, `["a",null]`, "[1]"},
		"a tag":                              {"addContactTags", one, `["a"]`, ""},
		"an instant for a day":               {"createFee", matter, `{"feeDate":"2026-03-02T23:30:00-10:00","subject":"s"}`, "feeDate"},
		"midnight elsewhere for a day":       {"createFee", matter, `{"feeDate":"2026-03-02T00:00:00+02:00","subject":"s"}`, "feeDate"},
		"midnight, as the service writes it": {"createFee", matter, `{"feeDate":"2026-03-02T00:00:00","subject":"s"}`, ""},
		"null in a list of objects":          {"createFee", matter, fee(`"sourceItems":[null]`), "sourceItems[0]"},
		"an empty list":                      {"createFee", matter, fee(`"sourceItems":[]`), ""},
		"a number in another form":           {"createFee", matter, fee(`"duration":6e1`), ""},
		"an amount with all its digits":      {"createFee", matter, fee(`"rate":90071992547409.930`), ""},
		"null in a list of ids":              {"createMatter", nil, `{"clientIds":["a",null]}`, "clientIds[1]"},
		"null for the body":                  {"updateFee", map[string]any{"matterId": askedID, "id": askedID}, `null`, "body"},
		"a list for the body":                {"updateFee", map[string]any{"matterId": askedID, "id": askedID}, `[]`, "body"},
	} {
		before := sent
		err := client.Call(t.Context(), tt.operation, tt.arguments, json.RawMessage(tt.body), nil)
		if tt.member == "" {
			require.NoError(t, err, name)
			assert.Equal(t, before+1, sent, name)
			continue
		}
		bad, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, tt.member, bad.Argument, name)
		assert.Equal(t, before, sent, name)
	}
}
