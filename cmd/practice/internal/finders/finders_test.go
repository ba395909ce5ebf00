package finders

import (
	"testing"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
)

// TestEveryFinderNamesTheMembersThatItCompares looks for the methods of the
// client by the operations.
func TestEveryFinderNamesTheMembersThatItCompares(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, operation := range practice.Operations() {
		if f := Of(operation); f != nil {
			found[operation.ID] = true
			assert.NotEmpty(t, f.Compares, "%s compares no member", operation.ID)
		}
	}
	assert.Len(t, found, len(compares))
	for id := range compares {
		assert.True(t, found[id], "%s has no finder", id)
	}
}
