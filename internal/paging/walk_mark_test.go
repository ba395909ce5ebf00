package paging_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/models"
)

var errNow = errors.New("now")

// letters returns a list of n records. If byCursor is set, its links contain
// only a cursor.
func letters(n int, byCursor bool) func(paging.Position) *paging.Page {
	return func(at paging.Position) *paging.Page {
		from := at.Offset
		if at.Query != "" {
			from, _ = strconv.Atoi(at.Query[len("Cursor="):])
		}
		page := &paging.Page{}
		decoded := &paging.Decoded[string]{}
		for i := from; i < min(from+2, n); i++ {
			decoded.Items = append(decoded.Items, fmt.Sprint(i))
		}
		page.Records = decoded
		page.Size = models.Some(n)
		if byCursor && from+2 < n {
			page.Next.Href = fmt.Sprintf("/list?Cursor=%d", from+2)
		}
		return page
	}
}

// part continues a walk from a mark, and stops after the given number of
// records.
func part(t *testing.T, s *service, from *paging.Mark, records int) (got []string, at *paging.Mark, failed error) {
	t.Helper()
	w := s.walk()
	w.From, at = from, from
	w.Passed = func(m paging.Mark) { at = &m }
	run(t.Context(), w, func(record string, err error) bool {
		if err != nil {
			failed = err
			return true
		}
		got = append(got, record)
		return len(got) < records
	})
	return got, at, failed
}

func TestAWalkGoesOnWhereAnotherOneStood(t *testing.T) {
	t.Parallel()
	for _, byCursor := range []bool{false, true} {
		for stop := 1; stop <= 7; stop++ {
			t.Run(fmt.Sprintf("after %d, by cursor %t", stop, byCursor), func(t *testing.T) {
				t.Parallel()
				s := &service{pages: letters(7, byCursor)}
				var all []string
				var at *paging.Mark
				for len(all) < 7 {
					got, mark, err := part(t, s, at, stop)
					require.NoError(t, err)
					require.NotEmpty(t, got)
					all, at = append(all, got...), mark
				}
				assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6"}, all, "each record once")
				rest, _, err := part(t, s, at, 9)
				require.NoError(t, err)
				assert.Empty(t, rest, "the walk has come to its end")
			})
		}
	}
}

func TestAWalkThatGoesOnKnowsTheSizeOfBefore(t *testing.T) {
	t.Parallel()
	_, at, err := part(t, &service{pages: letters(9, false)}, nil, 3)
	require.NoError(t, err)
	got, _, err := part(t, &service{pages: letters(8, false)}, at, 9)
	require.ErrorIs(t, err, paging.ErrListChanged, "a record may have moved before the mark")
	assert.Equal(t, []string{"3", "4", "5", "6", "7"}, got)

	grown, _, err := part(t, &service{pages: letters(11, false)}, at, 20)
	require.NoError(t, err)
	assert.Equal(t, []string{"3", "4", "5", "6", "7", "8", "9", "10"}, grown)
}

func TestAListThatEndsBeforeTheMarkHasChanged(t *testing.T) {
	t.Parallel()
	for _, left := range []int{0, 1, 2, 3, 4} {
		s := &service{pages: func(at paging.Position) *paging.Page { // the pages have neither size nor links
			decoded := &paging.Decoded[string]{}
			for i := at.Offset; i < min(at.Offset+2, left); i++ {
				decoded.Items = append(decoded.Items, fmt.Sprint(i))
			}
			return &paging.Page{Records: decoded}
		}}
		got, _, err := part(t, s, &paging.Mark{Done: 3, Known: paging.Known{Met: 3}}, 9)
		if left < 3 {
			require.ErrorIs(t, err, paging.ErrListChanged, "%d records", left)
		} else {
			require.NoError(t, err, "%d records", left)
		}
		assert.Len(t, got, max(0, left-3))
	}
}

func TestAMarkIsBehindTheRecordInHand(t *testing.T) {
	t.Parallel()
	s := &service{pages: letters(5, false)}
	w := s.walk()
	var at paging.Mark
	w.Passed = func(m paging.Mark) { at = m }
	var marks []string
	run(t.Context(), w, func(record string, err error) bool {
		require.NoError(t, err)
		marks = append(marks, fmt.Sprintf("%s: %d+%d of %d", record, at.Offset, at.Done, at.Largest))
		return true
	})
	assert.Equal(t, []string{"0: 0+1 of 5", "1: 0+2 of 5", "2: 2+1 of 5", "3: 2+2 of 5", "4: 4+1 of 5"}, marks)
}

func TestAFaultIsPassedToo(t *testing.T) {
	t.Parallel()
	s := &service{pages: func(paging.Position) *paging.Page {
		return &paging.Page{
			Records: &paging.Decoded[string]{Items: []string{"a", "c"}, Faults: []paging.Fault{{Place: 1, Err: errNow}}},
			Paging:  models.Paging{Size: models.Some(3)},
		}
	}}
	_, at, err := part(t, s, nil, 9)
	require.ErrorIs(t, err, errNow)
	assert.Equal(t, 3, at.Done)
	at.Done = 2
	rest, _, err := part(t, s, at, 9)
	require.NoError(t, err, "the fault lies behind the mark")
	assert.Equal(t, []string{"c"}, rest)
}

func TestTheFirstPageOfAListWithoutParametersIsResumedWithoutThem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		from paging.Mark
		want paging.Position
	}{
		{"in the first page", paging.Mark{Done: 1}, paging.Position{Plain: true}},
		{"in a later one", paging.Mark{Position: paging.Position{Offset: 2}, Done: 1}, paging.Position{Offset: 2}},
		{"behind a cursor", paging.Mark{Position: paging.Position{Query: "Cursor=2"}}, paging.Position{Query: "Cursor=2"}},
	} {
		s := &service{pages: letters(4, false)}
		w := s.walk()
		w.Plain, w.From = true, &test.from
		run(t.Context(), w, func(string, error) bool { return false })
		require.NotEmpty(t, s.asked, test.name)
		assert.Equal(t, test.want, s.asked[0], test.name)
	}
}

func TestAMarkWithoutASizeSaysNothingOfIt(t *testing.T) {
	t.Parallel()
	s := &service{pages: func(at paging.Position) *paging.Page {
		page := &paging.Page{Records: &paging.Decoded[string]{}}
		if at.Offset == 0 {
			page.Records = &paging.Decoded[string]{Items: []string{"a", "b"}}
			page.Next.Href = "/list?Offset=2"
		}
		return page
	}}
	got, _, err := part(t, s, &paging.Mark{Done: 1}, 9)
	assert.Equal(t, []string{"b"}, got)
	require.ErrorIs(t, err, paging.ErrEmptyPage, "a link led to a page without records")
}
