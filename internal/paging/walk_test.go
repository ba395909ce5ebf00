package paging_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/models"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

// service is a list behind a Fetch function; pages returns its responses.
type service struct {
	pages func(paging.Position) *paging.Page
	delay time.Duration

	mu           sync.Mutex
	asked        []paging.Position
	flying, most atomic.Int32
}

func (s *service) fetch(ctx context.Context, at paging.Position) (*paging.Page, error) {
	s.most.Store(max(s.most.Load(), s.flying.Add(1)))
	defer s.flying.Add(-1)
	if err := backoff.Sleep(ctx, s.delay); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, at)
	return s.pages(at), nil
}

// walk returns a walk over records that are their own keys, in pages of two.
func (s *service) walk() *paging.Walk {
	return &paging.Walk{
		Fetch: s.fetch, Key: func(record any) string { return *record.(*string) },
		Names: paging.Names{Offset: "Offset", Limit: "Limit"}, Limit: 2, Largest: 1000,
	}
}

// run yields the records of a walk.
func run(ctx context.Context, w *paging.Walk, yield func(string, error) bool) {
	var record string
	w.Run(ctx, &record, func(err error) bool {
		if err != nil {
			return yield("", err)
		}
		return yield(record, nil)
	})
}

// collect runs a walk and returns its records and its errors.
func collect(ctx context.Context, w *paging.Walk) (records []string, err error) {
	run(ctx, w, func(record string, fault error) bool {
		if fault == nil {
			records = append(records, record)
		}
		err = errors.Join(err, fault)
		return true
	})
	return records, err
}

// unknown is the size of a list that does not report it.
const unknown = -1

func page(size int, records ...string) *paging.Page {
	p := &paging.Page{Records: &paging.Decoded[string]{Items: records}, RequestID: "r1"}
	if size != unknown {
		p.Size = models.Some(size)
	}
	return p
}

func linked(href string, records ...string) *paging.Page {
	p := page(unknown, records...)
	p.Next.Href = href
	return p
}

func numbers(from, to int) []string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

// pagesOf serves a list of size records in pages of limit.
func pagesOf(size, limit int) func(paging.Position) *paging.Page {
	return func(at paging.Position) *paging.Page {
		return page(size, numbers(at.Offset, min(at.Offset+limit, size))...)
	}
}

func TestPagesAreRequestedAheadAndYieldedInOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prefetch, flying int
		took             time.Duration
	}{
		{prefetch: 0, flying: 1, took: 40 * time.Millisecond},
		{prefetch: 1, flying: 2, took: 21 * time.Millisecond}, // the size is known after the first page
		{prefetch: 4, flying: 5, took: 9 * time.Millisecond},
		{prefetch: 64, flying: 39, took: 2 * time.Millisecond}, // no page beyond the end is requested
	} {
		t.Run(fmt.Sprintf("%d ahead", test.prefetch), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				list := &service{pages: pagesOf(80, 2), delay: time.Millisecond}
				w := list.walk()
				w.Prefetch = test.prefetch
				started := time.Now()
				records, err := collect(t.Context(), w)
				require.NoError(t, err)
				assert.Equal(t, numbers(0, 80), records)
				assert.Len(t, list.asked, 40, "no page twice, and none beyond the last")
				assert.EqualValues(t, test.flying, list.most.Load())
				assert.LessOrEqual(t, time.Since(started), test.took)
			})
		})
	}
}

func TestASlowConsumerWaitsForTheFirstPageOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		list := &service{pages: pagesOf(20, 2), delay: 60 * time.Millisecond}
		w := list.walk()
		w.Prefetch = 1
		started := time.Now()
		run(t.Context(), w, func(_ string, err error) bool {
			assert.NoError(t, err)
			<-time.After(100 * time.Millisecond)
			return true
		})
		assert.Equal(t, 60*time.Millisecond+20*100*time.Millisecond, time.Since(started))
	})
}

func TestWhereAWalkGoes(t *testing.T) {
	t.Parallel()
	offsets := func(from ...int) (at []paging.Position) {
		for _, offset := range from {
			at = append(at, paging.Position{Offset: offset})
		}
		return at
	}
	for _, test := range []struct {
		name    string
		change  func(*paging.Walk)
		pages   func(paging.Position) *paging.Page
		asked   []paging.Position
		records []string
	}{
		{name: "to the size", pages: pagesOf(5, 2), asked: offsets(0, 2, 4), records: numbers(0, 5)},
		{name: "nowhere in an empty list", pages: pagesOf(0, 2), asked: offsets(0)},
		{
			name: "from an offset on", change: func(w *paging.Walk) { w.Offset = 3 },
			pages: pagesOf(5, 2), asked: offsets(3), records: numbers(3, 5),
		},
		{name: "by what came, not by what was asked for", pages: pagesOf(3, 1), asked: offsets(0, 1, 2), records: numbers(0, 3)},
		{
			name: "to pages of different sizes", asked: offsets(0, 2, 3, 5), records: numbers(0, 6),
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 2 {
					return page(6, "2")
				}
				return page(6, numbers(at.Offset, min(at.Offset+2, 6))...)
			},
		},
		{
			name: "where the link says", asked: offsets(0, 2, 3), records: []string{"a", "b", "c", "d"},
			pages: func(at paging.Position) *paging.Page {
				return map[int]*paging.Page{
					0: linked("https://elsewhere.example.test/x?offset=2&LIMIT=100", "a", "b"), 2: linked("?OFFSET=3", "c"), 3: page(unknown, "d"),
				}[at.Offset]
			},
		},
		{
			name: "back over records that it has, when the link says so", asked: offsets(0, 1, 3), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				return map[int]*paging.Page{0: linked("?offset=1", "0", "1"), 1: linked("?offset=3", "1", "2"), 3: page(4, "3")}[at.Offset]
			},
		},
		{
			name: "behind the records, for a link without an offset", asked: append(offsets(0), paging.Position{Offset: 2, Query: "cursor=c1", Cursor: true}), records: numbers(0, 3),
			pages: func(at paging.Position) *paging.Page {
				if at.Query == "" {
					return linked("/list?cursor=c1", numbers(0, 2)...)
				}
				return page(unknown, "2")
			},
		},
		{
			name: "to the largest offset, where a link leads", asked: offsets(998, 1000), records: numbers(998, 1001),
			change: func(w *paging.Walk) { w.Offset = 998 },
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 1000 {
					return page(unknown, "1000")
				}
				return linked("?offset=1000", numbers(998, 1000)...)
			},
		},
		{
			name: "from cursor to cursor", records: numbers(0, 5), asked: []paging.Position{{}, {Offset: 2, Query: "cursor=2", Cursor: true}, {Offset: 4, Query: "cursor=4", Cursor: true}},
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 4 {
					return page(unknown, "4")
				}
				return linked("/list?cursor="+strconv.Itoa(at.Offset+2), numbers(at.Offset, at.Offset+2)...)
			},
		},
		{
			name: "with the caller's own parameters, not those of a link", asked: offsets(0, 2), records: numbers(0, 3),
			change: func(w *paging.Walk) { w.Owns = func(name string) bool { return name == "status" } },
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return linked("/list?offset=2&status=other", numbers(0, 2)...)
				}
				return page(unknown, "2")
			},
		},
		{
			name: "to a first page without a position", asked: append([]paging.Position{{Plain: true}}, offsets(2, 4)...), records: numbers(0, 5),
			change: func(w *paging.Walk) { w.Plain = true }, pages: pagesOf(5, 2),
		},
		{
			name: "on behind a short bare array to an empty one", asked: offsets(0, 2, 4, 5), records: numbers(0, 5),
			pages: func(at paging.Position) *paging.Page {
				return page(unknown, numbers(at.Offset, min(at.Offset+2, 5))...)
			},
		},
		{
			name: "on to an empty array, when all were full", asked: offsets(0, 2, 4), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				return page(unknown, numbers(at.Offset, min(at.Offset+2, 4))...)
			},
		},
		{
			name: "no further than a short page of records that moved on", asked: offsets(0, 2), records: numbers(0, 2),
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(unknown, "0", "1")
				}
				return page(unknown, "1")
			},
		},
		{
			name: "no further than an array of more than was asked for: it is the whole list", asked: offsets(0), records: numbers(0, 9),
			pages: func(paging.Position) *paging.Page { return page(unknown, numbers(0, 9)...) },
		},
		{
			name: "on behind a full page, although it knows its place", asked: offsets(0, 2, 4), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				p := page(unknown, numbers(at.Offset, min(at.Offset+2, 4))...)
				p.Offset = models.Some(at.Offset)
				return p
			},
		},
		{
			name: "on behind a page that is full by its own limit", asked: offsets(0, 1, 2, 3), records: numbers(0, 3),
			pages: func(at paging.Position) *paging.Page {
				p := page(unknown, numbers(at.Offset, min(at.Offset+1, 3))...)
				p.Limit = models.Some(1)
				return p
			},
		},
		{
			name: "on behind a page that says nothing, when one before told the size", asked: offsets(0, 2, 3), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				return map[int]*paging.Page{0: page(4, "0", "1"), 2: page(unknown, "2"), 3: page(unknown, "3")}[at.Offset]
			},
		},
		{
			name: "no further than a full page that says nothing, behind pages with links", asked: offsets(0, 2), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return linked("?offset=2", "0", "1")
				}
				return page(unknown, "2", "3")
			},
		},
		{
			name: "on behind a size that is smaller than its full page", asked: offsets(0, 2, 4), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				return page(1, numbers(at.Offset, min(at.Offset+2, 4))...)
			},
		},
		{
			name: "by the links, whatever a size that is none says", asked: offsets(0, 2), records: numbers(0, 3),
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					p := linked("?offset=2", "0", "1")
					p.Size = models.Some(-1)
					return p
				}
				return page(-1, "2")
			},
		},
		{
			name: "no further than the end, where a service still links on", asked: offsets(0, 2, 4), records: numbers(0, 4),
			pages: func(at paging.Position) *paging.Page {
				p := page(4, numbers(at.Offset, min(at.Offset+2, 4))...)
				p.Next.Href = "?offset=" + strconv.Itoa(at.Offset+2)
				return p
			},
		},
		{
			name: "over an empty page that has a cursor", asked: []paging.Position{{}, {Query: "cursor=2", Cursor: true}}, records: []string{"z"},
			pages: func(at paging.Position) *paging.Page {
				if at.Query == "" {
					return linked("?cursor=2")
				}
				return page(unknown, "z")
			},
		},
		{
			name: "to the size by the records, when cursors leave the offset alone", records: numbers(0, 3),
			asked: []paging.Position{{}, {Query: "cursor=1"}, {Query: "cursor=2"}},
			pages: func(at paging.Position) *paging.Page {
				step := map[string]int{"": 0, "cursor=1": 1, "cursor=2": 2}[at.Query]
				p := page(3, strconv.Itoa(step))
				if step < 2 {
					p.Next.Href = "?offset=0&cursor=" + strconv.Itoa(step+1)
				}
				return p
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, prefetch := range []int{0, 1, 4} {
				synctest.Test(t, func(t *testing.T) {
					list := &service{pages: test.pages}
					w := list.walk()
					w.Prefetch = prefetch
					if test.change != nil {
						test.change(w)
					}
					records, err := collect(t.Context(), w)
					require.NoError(t, err)
					assert.Equal(t, test.records, records)
					if prefetch == 0 {
						assert.Equal(t, test.asked, list.asked)
					} else {
						assert.Subset(t, list.asked, test.asked)
					}
				})
			}
		})
	}
}

func TestARecordThatMovedToALaterPageIsYieldedOnce(t *testing.T) {
	t.Parallel()
	list := &service{pages: func(at paging.Position) *paging.Page {
		return map[int]*paging.Page{0: page(4, "a", "b"), 2: page(5, "b", "c"), 4: page(5, "d")}[at.Offset]
	}}
	records, err := collect(t.Context(), list.walk())
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c", "d"}, records)
}

func TestAWholePageOfRecordsThatMovedIsPassedOver(t *testing.T) {
	t.Parallel()
	list := &service{pages: func(at paging.Position) *paging.Page {
		return map[int]*paging.Page{0: page(4, "a", "b"), 2: page(6, "a", "b"), 4: page(6, "c", "d")}[at.Offset]
	}}
	records, err := collect(t.Context(), list.walk())
	require.NoError(t, err, "two records were added before it")
	assert.Equal(t, []string{"a", "b", "c", "d"}, records)
}

// texts holds records that consist of a key and further text.
type texts struct {
	paging.Decoded[string]
	last string
}

func (r *texts) Next(out any) (bool, []error, error) {
	read, faults, err := r.Decoded.Next(out)
	r.last = *out.(*string)
	return read, faults, err
}

func (r *texts) Text() []byte { return []byte(r.last) }

func TestOnlyAnEqualRecordOfAPageBeforeIsLeftOut(t *testing.T) {
	t.Parallel()
	of := func(size int, records ...string) *paging.Page {
		p := page(size)
		p.Records = &texts{Decoded: paging.Decoded[string]{Items: records}}
		return p
	}
	list := &service{pages: func(at paging.Position) *paging.Page {
		return map[int]*paging.Page{
			0: of(9, "x 1", "x 1", "x 2"), 3: of(9, "x 2", "x 3", "y 1"), 6: of(10, "y 1", "y 1", "z 1"), 9: of(10, "w 1"),
		}[at.Offset]
	}}
	w := list.walk()
	w.Key = func(record any) string { return (*record.(*string))[:1] }
	records, err := collect(t.Context(), w)
	require.ErrorIs(t, err, paging.ErrIncomplete, "more came again than the list has grown by")
	assert.Equal(t, []string{"x 1", "x 1", "x 2", "x 3", "y 1", "z 1", "w 1"}, records)
}

func TestRecordsWithoutAKeyAreAllYielded(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]func(any) string{"no key at all": nil, "an empty key": func(any) string { return "" }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := (&service{pages: func(paging.Position) *paging.Page { return page(6, "same", "same") }}).walk()
			w.Key = key
			records, err := collect(t.Context(), w)
			require.NoError(t, err)
			assert.Equal(t, []string{"same", "same", "same", "same", "same", "same"}, records)
		})
	}
}

func TestFaultsComeInTheirPlaces(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad")
	list := &service{pages: func(at paging.Position) *paging.Page {
		if at.Offset == 3 {
			return page(4, "c")
		}
		p := page(4)
		p.Records = &paging.Decoded[string]{Items: []string{"a"}, Faults: []paging.Fault{{Place: 0, Err: bad}, {Place: 2, Err: bad}}}
		return p
	}}
	var told []string
	run(t.Context(), list.walk(), func(record string, err error) bool {
		told = append(told, fmt.Sprint(record, err))
		return true
	})
	assert.Equal(t, []string{"bad", "a<nil>", "bad", "c<nil>"}, told, "a record at fault counts for the position of the next page")
}
