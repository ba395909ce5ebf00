package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

func documentOf(o *description.Operation) *description.Document {
	o.Area = &description.Area{Operations: []*description.Operation{o}}
	return &description.Document{Areas: []*description.Area{o.Area}}
}

// TestRoutesRefuseWhatTheyDoNotKnow checks that a kind that the embedded
// service cannot validate is an error.
func TestRoutesRefuseWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*description.Operation{
		"a kind of value": {ID: "listFees", Query: []*description.Parameter{{Name: "Colour", Type: &description.Type{Kind: description.Binary}}}},
		"a kind of change filter": {ID: "listFees", Paging: &description.Paging{
			Style: "none", Since: []description.ChangeFilter{{Name: "Colour", Kind: "version"}},
		}},
	} {
		_, err := routes(documentOf(o))
		require.Error(t, err, name)
		assert.ErrorContains(t, err, "listFees", name)
		assert.ErrorContains(t, err, "Colour", name)
	}
}

// TestASchemaThatHoldsItselfIsWrittenOnce checks recursive schemas.
func TestASchemaThatHoldsItselfIsWrittenOnce(t *testing.T) {
	t.Parallel()
	item := &description.Schema{Name: "Item"}
	self := &description.Type{Kind: description.Ref, Ref: item}
	item.Members = []*description.Member{{Name: "items", Type: &description.Type{Kind: description.List, Elem: self}}}
	files, err := routes(documentOf(&description.Operation{ID: "createItem", Body: &description.Body{Type: self, Required: true}}))
	require.NoError(t, err)
	text := string(files["zz_routes.go"])
	assert.Contains(t, text, `body: &value{kind: kindObject, object: "Item", required: true},`)
	assert.Contains(t, text, `{name: "items", kind: kindList, elem: &value{kind: kindObject, object: "Item"}},`)
	assert.Regexp(t, `^\s*package practicetest`, text)
	assert.Equal(t, 1, strings.Count(text, "\"Item\": {"))
}
