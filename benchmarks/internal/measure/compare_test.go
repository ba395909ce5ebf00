package measure_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
)

func note(trace *strings.Builder, name string) measure.Contestant {
	return measure.Contestant{Name: name, Run: func() error {
		trace.WriteString(name)
		return nil
	}}
}

func TestContestantsTakeTurns(t *testing.T) {
	t.Parallel()
	var trace strings.Builder
	results, err := measure.Compare(measure.Plan{Rounds: 3}, note(&trace, "A"), note(&trace, "B"), note(&trace, "C"))
	require.NoError(t, err)
	assert.Equal(t, "ABCABCABC", trace.String())
	require.Len(t, results, 3)
	assert.Equal(t, "B", results[1].Name)
	assert.Len(t, results[1].Times, 3)
}

func TestEachSampleIsPrepared(t *testing.T) {
	t.Parallel()
	var trace strings.Builder
	prepared := note(&trace, "A")
	prepared.Prepare = note(&trace, "p").Run
	_, err := measure.Compare(measure.Plan{Rounds: 2}, prepared, note(&trace, "B"))
	require.NoError(t, err)
	assert.Equal(t, "pABpAB", trace.String())

	broken := errors.New("broken")
	prepared.Prepare = func() error { return broken }
	_, err = measure.Compare(measure.Plan{Rounds: 1}, prepared)
	require.ErrorIs(t, err, broken)
}

func TestAFailureEndsTheComparison(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := measure.Compare(measure.Plan{Rounds: 1, Slice: time.Millisecond}, measure.Contestant{Name: "A", Run: func() error { return broken }})
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "A: ")
}

func TestShortWorkIsRepeatedUntilItFillsTheSlice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const rounds, fill = 2, 100
		runs, last := 0, time.Now()
		_, err := measure.Compare(measure.Plan{Rounds: rounds, Slice: fill * time.Millisecond}, measure.Contestant{
			Name:    "A",
			Prepare: func() error { runs, last = 0, time.Now(); return nil },
			Run:     func() error { runs++; <-time.After(time.Millisecond); return nil },
		})
		require.NoError(t, err)
		assert.Equal(t, fill, runs)
		assert.Equal(t, fill*time.Millisecond, time.Since(last))
	})
}

func TestOneSlowRunDoesNotMakeTheSamplesSmall(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]int{"the first": 1, "one while calibrating": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const fill = 100
				runs, sampled := 0, 0
				_, err := measure.Compare(measure.Plan{Rounds: 1, Slice: fill * time.Millisecond}, measure.Contestant{
					Name:    "A",
					Prepare: func() error { sampled = runs; return nil },
					Run: func() error {
						if runs++; runs == slow {
							<-time.After(200 * time.Millisecond)
						}
						<-time.After(time.Millisecond)
						return nil
					},
				})
				require.NoError(t, err)
				assert.Equal(t, fill, runs-sampled)
			})
		})
	}
}

var sink []byte

// TestAllocationsAreCountedByRun does not run in parallel, because the
// allocations of other tests would be counted.
func TestAllocationsAreCountedByRun(t *testing.T) {
	results, err := measure.Compare(measure.Plan{Rounds: 3, Slice: 5 * time.Millisecond},
		measure.Contestant{Name: "one", Run: func() error {
			sink = make([]byte, 1<<16)
			return nil
		}},
		measure.Contestant{Name: "none", Run: func() error { return nil }})
	require.NoError(t, err)
	assert.InDelta(t, 1, results[0].Allocs(), 0.2)
	assert.InDelta(t, 1<<16, results[0].Bytes(), 1<<12)
	assert.InDelta(t, 0, results[1].Allocs(), 0.1)
}

// TestPeakHeapSeesWhatWorkHolds does not run in parallel, because the heap
// belongs to the whole process.
func TestPeakHeapSeesWhatWorkHolds(t *testing.T) {
	rose, err := measure.PeakHeap(func() error {
		sink = make([]byte, 32<<20)
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, rose, uint64(30<<20))
}
