package conformance_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// unsent lists the parts of the document that no method of the client sends,
// with reasons.
var unsent = map[string]string{
	"listInvoices?UpdatedSince":     "LastUpdated says the same, and only one of the two may be sent",
	"removeMatterTag with a body":   "the tag is named by the path",
	"removeContactTags with a body": "one tag is named by the path; several are removed by removeContactTagsBulk",
}

// undescribed lists the members that the embedded service returns although the
// document does not describe them, with reasons.
var undescribed = map[string]string{
	"Problem.traceId": "additional properties are permitted, and clients must live with them",
}

// unmet lists the described statuses that the embedded service never returns,
// with reasons.
var unmet = map[string]string{
	"getPromotion 404": "an unknown promotion is answered with 400",
}

// complete reports the parts of the document that no exchange has used.
func (b *bench) complete(t *testing.T) {
	described := map[string]bool{}
	for id, of := range b.document.endpoints() {
		used := b.ledger.of(id)
		for status := range of.Responses.Map() {
			if status == "404" && !strings.Contains(of.path, "{") {
				continue // nothing can be missing
			}
			code, err := strconv.Atoi(status)
			require.NoError(t, err)
			_, excused := unmet[id+" "+status]
			assert.NotEqual(t, used.statuses[code] > 0, excused, "%s was answered with %s %d times, excused is %t", id, status, used.statuses[code], excused)
		}
		assert.True(t, used.bare && used.prefixed, "%s was not called at both servers", id)
		assert.True(t, used.header["RequestId"] && used.header["UserId"], "%s was never sent with both headers", id)

		wanted := map[string]bool{}
		for _, name := range of.current() {
			wanted[id+"?"+name] = used.query[name]
		}
		if form := of.requestSchema(); form != nil {
			wanted[id+" with a body"] = used.body
			if _, without := unsent[id+" with a body"]; !without {
				for _, member := range describedMembers(form, id) {
					wanted[member] = used.members[member]
				}
			}
			if used.body {
				assert.Equal(t, map[string]bool{declaredType: true}, used.types, "%s: media type of the body", id)
			}
		}
		for name, sent := range wanted {
			described[name] = true
			_, excused := unsent[name]
			assert.NotEqual(t, sent, excused, "%s: sent is %t, excused is %t", name, sent, excused)
		}
	}
	for name := range unsent {
		assert.True(t, described[name], "%s is excused, but the document does not describe it", name)
	}
	b.completeAnswers(t)
}

func (b *bench) completeAnswers(t *testing.T) {
	wanted, media := map[string]bool{}, map[string]bool{}
	for id, of := range b.document.endpoints() {
		maps.Copy(media, b.ledger.of(id).media)
		for _, response := range of.Responses.Map() {
			for _, content := range response.Value.Content {
				for _, member := range describedMembers(content.Schema, id) {
					wanted[member] = true
				}
			}
		}
	}
	uncovered, err := description.Uncovered(os.DirFS("../api"))
	require.NoError(t, err)
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		assert.True(t, b.ledger.answered[name] || uncovered[name] != "", "%s is never answered: seed a record that has it (a second one, for the links of a page), or add a line to api/samples/uncovered.txt", name)
	}
	for name := range undescribed {
		assert.Contains(t, b.ledger.answered, name, "%s is excused, but never answered", name)
		assert.False(t, wanted[name], "%s is excused, but described", name)
	}
	assert.Equal(t, map[string]bool{"application/json": true, "application/problem+json": true, "": true}, media, "a refusal without a body has none")
}
