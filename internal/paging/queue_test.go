package paging_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/paging"
)

// endless returns a list that no test reads to its end.
func endless() *service {
	return &service{delay: 10 * time.Millisecond, pages: func(at paging.Position) *paging.Page {
		return page(math.MaxInt, numbers(at.Offset, at.Offset+2)...)
	}}
}

func TestNothingIsOnItsWayWhenAWalkHasEnded(t *testing.T) {
	t.Parallel()
	ahead := func(s *service) *paging.Walk {
		w := s.walk()
		w.Prefetch, w.Largest = 8, math.MaxInt
		return w
	}
	t.Run("because the consumer has had enough", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			list, yielded := endless(), 0
			run(t.Context(), ahead(list), func(string, error) bool {
				yielded++
				return yielded < 3
			})
			assert.Equal(t, 3, yielded)
			assert.Zero(t, list.flying.Load())
		})
	})
	t.Run("because the consumer panics", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			list := endless()
			assert.PanicsWithValue(t, "consumer", func() {
				run(t.Context(), ahead(list), func(string, error) bool { panic("consumer") })
			})
			assert.Zero(t, list.flying.Load())
		})
	})
	t.Run("because the context ends while a page is waited for", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 55*time.Millisecond)
			defer cancel()
			list := endless()
			w := ahead(list)
			w.Prefetch = 0
			records, err := collect(ctx, w)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, numbers(0, 10), records, "the five pages that came in time")
			assert.Zero(t, list.flying.Load())
		})
	})
	t.Run("because the context ends in the hands of the consumer", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			list := endless()
			var failed error
			run(ctx, ahead(list), func(_ string, err error) bool {
				cancel()
				failed = err
				return true
			})
			require.ErrorIs(t, failed, context.Canceled)
			assert.Zero(t, list.flying.Load())
		})
	})
	t.Run("because a page failed", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			list, refused := endless(), errors.New("refused")
			w := ahead(list)
			w.Fetch = func(ctx context.Context, at paging.Position) (*paging.Page, error) {
				if at.Offset == 4 {
					return nil, refused
				}
				return list.fetch(ctx, at)
			}
			records, err := collect(t.Context(), w)
			require.ErrorIs(t, err, refused)
			assert.Equal(t, numbers(0, 4), records)
			assert.Zero(t, list.flying.Load())
		})
	})
}

func TestNoPageIsRequestedWhenTheContextHasEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		list := endless()
		records, err := collect(ctx, list.walk())
		require.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, records)
		assert.Empty(t, list.asked)
	})
}

func TestAWrongGuessIsCancelledAndItsPageForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var cancelled []int
		list := &service{pages: func(at paging.Position) *paging.Page {
			if at.Offset == 2 { // the walk expected pages of two
				return page(8, "2")
			}
			return page(8, numbers(at.Offset, min(at.Offset+2, 8))...)
		}}
		w := list.walk()
		w.Prefetch = 2
		w.Fetch = func(ctx context.Context, at paging.Position) (*paging.Page, error) {
			if at.Offset == 4 || at.Offset == 6 {
				<-ctx.Done()
				list.mu.Lock()
				defer list.mu.Unlock()
				cancelled = append(cancelled, at.Offset)
				return nil, ctx.Err()
			}
			return list.fetch(ctx, at)
		}
		records, err := collect(t.Context(), w)
		require.NoError(t, err)
		assert.Equal(t, numbers(0, 8), records)
		assert.ElementsMatch(t, []int{4, 6}, cancelled)
	})
}

// lazy holds records that record when their page is released.
type lazy struct {
	paging.Decoded[string]
	fails    error
	released *int
}

func (l *lazy) Next(out any) (bool, []error, error) {
	if l.fails != nil && l.Len() == 1 {
		return false, nil, l.fails
	}
	return l.Decoded.Next(out)
}

func (l *lazy) Release() { *l.released++ }

func TestEveryPageThatWasBegunIsReleasedOnce(t *testing.T) {
	t.Parallel()
	released, broken := 0, errors.New("no JSON")
	list := &service{pages: func(at paging.Position) *paging.Page {
		p, records := page(8), &lazy{Decoded: paging.Decoded[string]{Items: numbers(at.Offset, at.Offset+2)}, released: &released}
		if at.Offset == 4 {
			records.fails = broken
		}
		p.Records = records
		return p
	}}
	var told []string
	run(t.Context(), list.walk(), func(record string, err error) bool {
		told = append(told, record+"/"+strconv.Itoa(released))
		if err != nil {
			assert.Equal(t, broken, err)
		}
		return true
	})
	assert.Equal(t, []string{"0/0", "1/0", "2/1", "3/1", "4/2", "/2"}, told, "a page is released behind its records")
	assert.Equal(t, 3, released)
}

func TestTheMemoryOfAWalkDoesNotGrow(t *testing.T) {
	const pages = 2000
	var atFirst, most uint64
	w := (&service{}).walk()
	w.Fetch = func(_ context.Context, at paging.Position) (*paging.Page, error) {
		return page(pages*100, numbers(at.Offset, at.Offset+100)...), nil
	}
	w.Limit, w.Largest, w.Prefetch = 100, pages*100, 4
	met := 0
	run(t.Context(), w, func(_ string, err error) bool {
		if met++; err != nil || met%(pages*10) != 0 {
			return err == nil
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		if atFirst == 0 {
			atFirst = memory.HeapAlloc
		}
		most = max(most, memory.HeapAlloc)
		return true
	})
	require.Equal(t, pages*100, met)
	assert.Less(t, most, atFirst+256<<10, "the keys of all records would take megabytes")
}

func BenchmarkWalk(b *testing.B) {
	list := &service{pages: pagesOf(5000, 500)}
	for _, prefetch := range []int{0, 1, 4} {
		b.Run(strconv.Itoa(prefetch)+" ahead", func(b *testing.B) {
			b.ReportAllocs()
			w := list.walk()
			w.Limit, w.Largest, w.Prefetch = 500, 5000, prefetch
			for b.Loop() {
				run(b.Context(), w, func(_ string, err error) bool { return err == nil })
			}
		})
	}
}
