package practicetest_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// everyRead are the paths of the good calls that only read, of lists with and
// without what they filter by.
func everyRead(t *testing.T, s *practicetest.Server) (paths []string, lists int) {
	t.Helper()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
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

// TestEqualSeedsGiveEqualLists asks two services of one seed for every list and
// every record, one of them in the opposite order: the answers are equal to the
// byte.
func TestEqualSeedsGiveEqualLists(t *testing.T) {
	t.Parallel()
	answers := func(backwards bool) map[string]string {
		s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithSeed(77), practicetest.WithStrict(false))
		paths, lists := everyRead(t, s)
		assert.GreaterOrEqual(t, lists, 50)
		if backwards {
			slices.Reverse(paths)
		}
		return answersTo(t, s, paths)
	}
	assert.Equal(t, answers(false), answers(true))
}

// TestEqualSeedsGiveEqualListsAfterEqualWrites makes every good call of the
// interface on two services of one seed, and then asks for every list and every
// record.
func TestEqualSeedsGiveEqualListsAfterEqualWrites(t *testing.T) {
	t.Parallel()
	answers := func() (all []string) {
		s := practicetest.New(t, practicetest.WithClock(start), practicetest.WithStrict(false), practicetest.WithConsistency(practicetest.Unkind()), practicetest.WithSeed(1))
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
