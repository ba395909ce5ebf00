package operations_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
)

func TestASketchTellsWhatACallNeeds(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]operations.Sketch{
		"getExpense":        {Method: "GET", Path: []string{"MATTER_ID", "EXPENSE_ID"}, Record: "EXPENSE_ID"},
		"listEvents":        {Method: "GET"},
		"createFolder":      {Method: "POST", Path: []string{"MATTER_ID"}, Rest: []string{"FOLDER_ID"}},
		"removeContactTags": {Method: "DELETE", Path: []string{"CONTACT_ID", "TAG_ID"}, Record: "TAG_ID"},
	} {
		op, known := operations.ByID(id)
		require.True(t, known)
		sketch, err := op.Sketch(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, sketch, id)
	}
}

func TestFactsAreNamedAsVariables(t *testing.T) {
	t.Parallel()
	known := firm(t)
	facts := map[string]string{}
	for _, fact := range operations.Facts(known) {
		facts[fact.Name] = fact.Value
	}
	assert.Equal(t, known.MatterID, facts["MATTER_ID"])
	assert.Equal(t, known.PolicyReference, facts["POLICY_REFERENCE"])
	assert.Equal(t, known.RelatedContactID, facts["RELATED_CONTACT_ID"])
	assert.NotContains(t, facts, "OTHER_ACCOUNT_ID")

	again := operations.FirmOf(func(name string) string { return facts[name] })
	assert.Equal(t, operations.Facts(known), operations.Facts(again))
}
