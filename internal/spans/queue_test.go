package spans_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/spans"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAContentIsSharedOutEvenly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		missing []spans.Span
		least   int64
		takers  int
		want    []spans.Span // what each of them begins with
	}{
		{"one worker takes all", []spans.Span{{0, 100}}, 10, 1, []spans.Span{{0, 100}}},
		{"two take a half each", []spans.Span{{0, 101}}, 10, 2, []spans.Span{{0, 51}, {51, 101}}},
		{"four take a quarter each", []spans.Span{{0, 100}}, 10, 4, []spans.Span{{0, 25}, {50, 75}, {25, 50}, {75, 100}}},
		{"nothing below the least is divided", []spans.Span{{0, 100}}, 50, 4, []spans.Span{{0, 50}, {50, 100}}},
		{"what is too small stays whole", []spans.Span{{0, 99}}, 50, 4, []spans.Span{{0, 99}}},
		{"several spans are taken before one is divided", []spans.Span{{10, 20}, {40, 100}}, 5, 3, []spans.Span{{10, 20}, {40, 70}, {70, 100}}},
		{"nothing", nil, 1, 2, nil},
		{"single bytes", []spans.Span{{0, 2}}, 0, 4, []spans.Span{{0, 1}, {1, 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			q := spans.NewQueue(test.missing, test.least)
			var parts []*spans.Part
			for range test.takers {
				if p := q.Take(); p != nil {
					parts = append(parts, p)
				}
			}
			var got []spans.Span
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
	q := spans.NewQueue([]spans.Span{{0, 100}}, 10)
	slow := q.Take()
	at, n := q.Claim(slow, 60)
	assert.Zero(t, at)
	assert.Equal(t, 60, n)
	fast := q.Take()
	assert.Equal(t, spans.Span{80, 100}, q.Rest(fast))
	assert.Equal(t, []spans.Span{{0, 100}}, q.Missing(), "what is claimed is not there yet")
	assert.False(t, q.Wrote(slow))
	assert.Equal(t, []spans.Span{{60, 100}}, q.Missing())
	at, n = q.Claim(slow, 30)
	assert.EqualValues(t, 60, at)
	assert.Equal(t, 20, n, "the rest belongs to the other one")
	assert.True(t, q.Wrote(slow))
	assert.Equal(t, []spans.Span{{80, 100}}, q.Missing())
}

// Workers of random speed write every byte exactly once.
func TestEveryByteIsWrittenOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		size := 1 + random.Int64N(20_000)
		missing, total := []spans.Span(nil), int64(0)
		for at := int64(0); at < size; {
			from := at + random.Int64N(size-at)/2
			to := from + 1 + random.Int64N(size-from)
			missing, total, at = append(missing, spans.Span{From: from, To: to}), total+to-from, to+1
		}
		require.Equal(t, total, spans.Total(missing))
		q := spans.NewQueue(missing, 1+random.Int64N(500))
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
				require.EqualValues(t, 1, written[i], "byte %d", i)
				written[i] = 0
			}
		}
		for i, n := range written {
			require.Zero(t, n, "byte %d was there already", i)
		}
	}
}
