package paging_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/models"
)

func TestAWalkThatIsNotSureEndsWithTheReason(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		pages   func(paging.Position) *paging.Page
		records []string
		offset  int // offset of the page that revealed it
		reason  error
	}{
		{
			name:    "a page comes again",
			pages:   func(paging.Position) *paging.Page { return page(9, "a", "b") },
			records: []string{"a", "b"}, offset: 2, reason: paging.ErrRepeatedPage,
		},
		{
			name: "the list became shorter: a record may have moved to a page before",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(4, "a", "b")
				}
				return page(3, "d")
			},
			records: []string{"a", "b", "d"}, offset: 2, reason: paging.ErrListChanged,
		},
		{
			name: "the list became shorter and longer again",
			pages: func(at paging.Position) *paging.Page {
				return page([]int{6, 5, 6}[at.Offset/2], numbers(at.Offset, at.Offset+2)...)
			},
			records: numbers(0, 6), offset: 4, reason: paging.ErrListChanged,
		},
		{
			name: "records are missing in the middle",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(9, "a", "b")
				}
				return page(9)
			},
			records: []string{"a", "b"}, offset: 2, reason: paging.ErrEmptyPage,
		},
		{
			name:    "a link to the page itself",
			pages:   func(paging.Position) *paging.Page { return linked("?offset=0&limit=2", "a", "b") },
			records: []string{"a", "b"}, reason: paging.ErrNoProgress,
		},
		{
			name: "an empty page behind the end that links to itself",
			pages: func(at paging.Position) *paging.Page {
				p := page(2, numbers(at.Offset, 2)...)
				p.Next.Href = "?offset=2"
				return p
			},
			records: numbers(0, 2), offset: 2, reason: paging.ErrNoProgress,
		},
		{
			name: "a link back",
			pages: func(at paging.Position) *paging.Page {
				return linked("?offset="+strconv.Itoa(2-at.Offset/2), numbers(at.Offset, at.Offset+2)...)
			},
			records: numbers(0, 4), offset: 2, reason: paging.ErrNoProgress,
		},
		{
			name:    "a link with an offset that is no number",
			pages:   func(paging.Position) *paging.Page { return linked("?offset=many", "a") },
			records: []string{"a"}, reason: paging.ErrNoProgress,
		},
		{
			name:    "a link beyond the largest offset",
			pages:   func(paging.Position) *paging.Page { return linked("?offset=1001", "a") },
			records: []string{"a"}, reason: paging.ErrNoProgress,
		},
		{
			name:    "a link that is none",
			pages:   func(paging.Position) *paging.Page { return linked("http://[", "a") },
			records: []string{"a"}, reason: paging.ErrNoProgress,
		},
		{
			name: "a size beyond the largest offset",
			pages: func(at paging.Position) *paging.Page {
				return page(9000, numbers(at.Offset, at.Offset+600)...)
			},
			records: numbers(0, 1200), offset: 600, reason: paging.ErrNoProgress,
		},
		{
			name: "a size beyond the largest offset, which is asked for still",
			pages: func(at paging.Position) *paging.Page {
				return page(9000, numbers(at.Offset, at.Offset+500)...)
			},
			records: numbers(0, 1500), offset: 1000, reason: paging.ErrNoProgress,
		},
		{
			name: "a cursor whose offset passes over a record",
			pages: func(at paging.Position) *paging.Page {
				if at.Query == "" {
					return linked("?cursor=x&offset=3", "a", "b")
				}
				return page(unknown, "d") // the third record is missing
			},
			records: []string{"a", "b"}, reason: paging.ErrRecordsSkipped,
		},
		{
			name: "the list became empty",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(5, "a", "b")
				}
				return page(0)
			},
			records: []string{"a", "b"}, offset: 2, reason: paging.ErrListChanged,
		},
		{
			name: "empty pages for ever",
			pages: func(at paging.Position) *paging.Page {
				return linked("?cursor=a" + strings.TrimPrefix(at.Query, "cursor="))
			},
			reason: paging.ErrNoProgress,
		},
		{
			name: "cursors that lead to the same records for ever",
			pages: func(at paging.Position) *paging.Page {
				return linked("?cursor=a"+strings.TrimPrefix(at.Query, "cursor="), "a", "b")
			},
			records: []string{"a", "b"}, offset: 202, reason: paging.ErrNoProgress,
		},
		{
			name: "a short page links to the next whole one",
			pages: func(at paging.Position) *paging.Page {
				return linked("?offset="+strconv.Itoa(at.Offset+2), strconv.Itoa(at.Offset))
			},
			records: []string{"0"}, reason: paging.ErrRecordsSkipped,
		},
		{
			name: "an empty page links to the next whole one",
			pages: func(at paging.Position) *paging.Page {
				return linked("?offset=" + strconv.Itoa(at.Offset+2))
			},
			reason: paging.ErrRecordsSkipped,
		},
		{
			name: "a link far on",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 2 {
					return linked("?offset=900", "c", "d")
				}
				return linked("?offset=2", "a", "b")
			},
			records: []string{"a", "b", "c", "d"}, offset: 2, reason: paging.ErrRecordsSkipped,
		},
		{
			name: "a page begins further on than was asked for",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(6, "a", "b")
				}
				p := page(6, "d", "e")
				p.Offset = models.Some(3)
				return p
			},
			records: []string{"a", "b", "d", "e"}, offset: 2, reason: paging.ErrRecordsSkipped,
		},
		{
			name: "an empty page that says nothing, behind one with a size",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(9, "a", "b")
				}
				return page(unknown)
			},
			records: []string{"a", "b"}, offset: 2, reason: paging.ErrEmptyPage,
		},
		{
			name: "an empty page that says nothing, where a link led",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return linked("?offset=2", "a", "b")
				}
				return page(unknown)
			},
			records: []string{"a", "b"}, offset: 2, reason: paging.ErrEmptyPage,
		},
		{
			name: "a short page says a smaller size",
			pages: func(at paging.Position) *paging.Page {
				if at.Offset == 0 {
					return page(20, "a", "b")
				}
				return page(3, "c")
			},
			records: []string{"a", "b", "c"}, offset: 2, reason: paging.ErrListChanged,
		},
		{
			name: "two pages alternate",
			pages: func(at paging.Position) *paging.Page {
				return linked("?offset="+strconv.Itoa(at.Offset+2), numbers(at.Offset%4, at.Offset%4+2)...)
			},
			records: numbers(0, 4), offset: 4, reason: paging.ErrRepeatedPage,
		},
		{
			name: "seven pages come in turn",
			pages: func(at paging.Position) *paging.Page {
				return page(100, numbers(at.Offset%14, at.Offset%14+2)...)
			},
			records: numbers(0, 14), offset: 14, reason: paging.ErrRepeatedPage,
		},
		{
			name: "pages come in turn, more of them than records are remembered",
			pages: func(at paging.Position) *paging.Page {
				from := at.Offset % 10000
				return linked("?offset="+strconv.Itoa(at.Offset+500), numbers(from, from+500)...)
			},
			records: append(numbers(0, 10000), numbers(0, 500)...), offset: 10000, reason: paging.ErrRepeatedPage,
		},
		{
			name: "pages come in turn in a list that has grown, more of them than records are remembered",
			pages: func(at paging.Position) *paging.Page {
				from := at.Offset % 10000
				return page(30000+min(at.Offset, 600), numbers(from, from+500)...)
			},
			records: append(numbers(0, 10000), numbers(0, 1000)...), offset: 10500, reason: paging.ErrRepeatedPage,
		},
		{
			name: "a page says that it lies before the place that was asked for",
			pages: func(paging.Position) *paging.Page {
				p := page(6, "", "")
				p.Offset = models.Some(0)
				return p
			},
			records: []string{"", ""}, offset: 2, reason: paging.ErrRepeatedPage,
		},
		{
			name: "a page repeats some records in place of new ones, in a list without a size",
			pages: func(at paging.Position) *paging.Page {
				return map[int]*paging.Page{0: linked("?offset=2", "a", "b"), 2: linked("?offset=4", "b", "c"), 4: page(unknown, "e")}[at.Offset]
			},
			records: []string{"a", "b", "c", "e"}, offset: 4, reason: paging.ErrIncomplete,
		},
		{
			name: "pages begin one record too early",
			pages: func(at paging.Position) *paging.Page {
				from := max(at.Offset-at.Offset/2, 0)
				return page(6, numbers(from, from+2)...)
			},
			records: numbers(0, 4), offset: 4, reason: paging.ErrIncomplete,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, prefetch := range []int{0, 1, 4} {
				synctest.Test(t, func(t *testing.T) {
					w := (&service{pages: test.pages, delay: time.Millisecond}).walk()
					w.Prefetch, w.Largest = prefetch, max(w.Largest, test.offset/5000*10000)
					w.Failure = func(requestID string, offset int, reason error) error {
						return fmt.Errorf("%s at %d: %w", requestID, offset, reason)
					}
					records, err := collect(t.Context(), w)
					assert.Equal(t, test.records, records, "everything that was met comes first")
					require.ErrorIs(t, err, test.reason)
					assert.EqualError(t, err, fmt.Sprintf("r1 at %d: %v", test.offset, test.reason))
				})
			}
		})
	}
}

func TestAHundredEmptyPagesAreNoEnd(t *testing.T) {
	t.Parallel()
	empty := 100
	s := &service{}
	s.pages = func(paging.Position) *paging.Page {
		if len(s.asked) <= empty {
			return linked("?cursor=" + strconv.Itoa(len(s.asked)))
		}
		return page(unknown, "a")
	}
	records, err := collect(t.Context(), s.walk())
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, records)

	empty, s.asked = 101, nil
	_, err = collect(t.Context(), s.walk())
	require.ErrorIs(t, err, paging.ErrNoProgress)
}

func TestTheNextPageFollowsWhatAPageSaysThatItHolds(t *testing.T) {
	t.Parallel()
	for _, size := range []int{9, unknown} {
		s := &service{pages: func(at paging.Position) *paging.Page {
			from := at.Offset / 3 * 3 // the service chooses where pages begin
			if at.Offset == 3 {
				from = 2
			}
			p := page(size, numbers(from, min(from+3, 9))...)
			p.Offset, p.Limit = models.Some(from), models.Some(3)
			return p
		}}
		w := s.walk()
		w.Limit = 3
		records, err := collect(t.Context(), w)
		require.NoError(t, err)
		assert.Equal(t, numbers(0, 9), records)
	}
}

func TestAnEmptyPageMayTellAnyOffset(t *testing.T) {
	t.Parallel()
	s := &service{pages: func(at paging.Position) *paging.Page {
		if at.Offset == 0 {
			return page(unknown, "a", "b")
		}
		p := page(unknown)
		p.Offset = models.Some(9)
		return p
	}}
	records, err := collect(t.Context(), s.walk())
	require.NoError(t, err, "it passes over no record")
	assert.Equal(t, []string{"a", "b"}, records)
}
