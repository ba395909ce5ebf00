package intervals_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/intervals"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAContentIsSharedOutEvenly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		missing []intervals.Interval
		least   int64
		takers  int
		want    []intervals.Interval // the interval that each worker begins with
	}{
		{"one worker takes all", []intervals.Interval{{0, 100}}, 10, 1, []intervals.Interval{{0, 100}}},
		{"two take a half each", []intervals.Interval{{0, 101}}, 10, 2, []intervals.Interval{{0, 51}, {51, 101}}},
		{"four take a quarter each", []intervals.Interval{{0, 100}}, 10, 4, []intervals.Interval{{0, 25}, {50, 75}, {25, 50}, {75, 100}}},
		{"nothing below the least is divided", []intervals.Interval{{0, 100}}, 50, 4, []intervals.Interval{{0, 50}, {50, 100}}},
		{"what is too small stays whole", []intervals.Interval{{0, 99}}, 50, 4, []intervals.Interval{{0, 99}}},
		{"several spans are taken before one is divided", []intervals.Interval{{10, 20}, {40, 100}}, 5, 3, []intervals.Interval{{10, 20}, {40, 70}, {70, 100}}},
		{"nothing", nil, 1, 2, nil},
		{"single bytes", []intervals.Interval{{0, 2}}, 0, 4, []intervals.Interval{{0, 1}, {1, 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			q := intervals.NewQueue(test.missing, test.least)
			var parts []*intervals.Part
			for range test.takers {
				if p := q.Take(); p != nil {
					parts = append(parts, p)
				}
			}
			var got []intervals.Interval
			for _, p := range parts {
				got = append(got, q.Rest(p))
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.missing, q.Missing(), "nothing is written yet")
		})
	}
}

func TestWhatIsBeingWrittenIsNotTakenAway(t *testing.T) {
	t.Parallel()
	q := intervals.NewQueue([]intervals.Interval{{0, 100}}, 10)
	slow := q.Take()
	at, n := q.Claim(slow, 60)
	assert.Zero(t, at)
	assert.Equal(t, 60, n)
	fast := q.Take()
	assert.Equal(t, intervals.Interval{80, 100}, q.Rest(fast))
	assert.Equal(t, []intervals.Interval{{0, 100}}, q.Missing(), "what is claimed is not there yet")
	assert.False(t, q.Wrote(slow))
	assert.Equal(t, []intervals.Interval{{60, 100}}, q.Missing())
	at, n = q.Claim(slow, 30)
	assert.EqualValues(t, 60, at)
	assert.Equal(t, 20, n, "the rest belongs to the other one")
	assert.True(t, q.Wrote(slow))
	assert.Equal(t, []intervals.Interval{{80, 100}}, q.Missing())
}

// TestEveryByteIsWrittenOnce runs workers of random speed and checks that every
// byte is written exactly once.
func TestEveryByteIsWrittenOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		size := 1 + random.Int64N(20_000)
		missing, total := []intervals.Interval(nil), int64(0)
		for at := int64(0); at < size; {
			from := at + random.Int64N(size-at)/2
			to := from + 1 + random.Int64N(size-from)
			missing, total, at = append(missing, intervals.Interval{From: from, To: to}), total+to-from, to+1
		}
		require.Equal(t, total, intervals.Total(missing))
		q := intervals.NewQueue(missing, 1+random.Int64N(500))
		written := make([]int32, size)
		var mu sync.Mutex
		var workers sync.WaitGroup
		for worker := range uint64(1 + random.IntN(8)) {
			workers.Go(func() {
				own := rand.New(rand.NewPCG(seed, worker))
				for part := q.Take(); part != nil; part = q.Take() {
					for complete := false; !complete; {
						at, n := q.Claim(part, 1+own.IntN(700))
						mu.Lock()
						for i := range n {
							written[at+int64(i)]++
						}
						mu.Unlock()
						complete = q.Wrote(part)
					}
				}
			})
		}
		workers.Wait()
		assert.Empty(t, q.Missing())
		for _, m := range missing {
			for i := m.From; i < m.To; i++ {
				if written[i] != 1 {
					t.Fatalf("byte %d was written %d times", i, written[i])
				}
				written[i] = 0
			}
		}
		for i, n := range written {
			require.Zero(t, n, "byte %d was there already", i)
		}
	}
}
