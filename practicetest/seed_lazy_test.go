package practicetest_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// manyMatters makes a firm too large to be shared, whose records below matters
// are generated on first use.
var manyMatters = practicetest.WithMatters(33)

// belowMatter reads records of a matter: its documents, a role and its policy.
func belowMatter(c caller, matter string) []string {
	return []string{
		c.get("/matters/" + matter + "/documents/folders").want(200).Body,
		c.get("/policies/" + matter).want(200).Body,
	}
}

// TestMattersAreTheSameInWhateverOrderTheyAreAskedFor compares two services
// with the same seed, which generate the records of their matters in different
// orders.
func TestMattersAreTheSameInWhateverOrderTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	one, two := practicetest.New(t, manyMatters, practicetest.WithVirtualClock(start)), practicetest.New(t, manyMatters, practicetest.WithVirtualClock(start))
	forward, backward := one.Firm().MatterIDs, two.Firm().MatterIDs
	assert.Equal(t, forward, backward)
	slices.Reverse(backward)
	found := map[string][]string{}
	for _, matter := range forward {
		found[matter] = belowMatter(call(t, one), matter)
	}
	two.Clock().Advance(1) // the second service also generates them later
	call(t, two).do("DELETE", "/staff/"+two.Firm().StaffID, "").want(202)
	two.Settle()
	for _, matter := range backward {
		assert.Equal(t, found[matter], belowMatter(call(t, two), matter))
	}
}
