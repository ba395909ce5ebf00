package practicetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// everyRead returns the paths of the valid requests that only read. Lists occur
// with and without their filters.
func everyRead(t *testing.T, s *practicetest.Server) (paths []string, lists int) {
	t.Helper()
	document := describedAPI(t)
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		if o.HTTPMethod != "GET" {
			continue
		}
		at := goodCall(t, s, op).path
		paths = append(paths, at)
		if o.Paging != nil {
			lists++
			paths = append(paths, plainPath(at))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), lists
}

// TestEqualSeedsGiveEqualListsAfterEqualWrites sends a valid request of each
// operation to two services with the same seed, and then compares all lists and
// records.
func TestEqualSeedsGiveEqualListsAfterEqualWrites(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	answers := func() (all []string) {
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithStrict(false), practicetest.WithConsistency(practicetest.Unkind()), practicetest.WithSeed(1))
		paths, _ := everyRead(t, s)
		for _, op := range operations.All() {
			sent := goodCall(t, s, op)
			all = append(all, op.ID+" "+callFor(t, s, op).do(sent.method, sent.path, sent.body).Body)
			s.Clock().Advance(40 * time.Millisecond)
		}
		s.Settle()
		for _, at := range paths {
			all = append(all, at+" "+call(t, s).get(at).Body)
		}
		return all
	}
	first, again := answers(), answers()
	assert.Equal(t, first, again)
}
