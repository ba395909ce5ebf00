package paging_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
)

// presentation is a form in which a service sends the pages of a list.
type presentation int

const (
	byOffset presentation = iota // pages have the size and nothing else
	byLink                       // pages also link to the next one by its offset
	byCursor                     // pages also link to the next one by an opaque cursor
	presentations
)

// change is a change of a list between two responses.
type change struct {
	kind int // 0: none, 1: an insertion, 2: a deletion
	at   int
}

// living is a list that changes with each request.
type living struct {
	records []string
	shown   presentation
	unsized bool
	next    func(requests int) change
	delay   func(paging.Position) time.Duration // delay of a request; nil: none
	late    bool                                // the response has such a delay too, so that responses overtake each other
	mu      sync.Mutex

	requests, added int
	deleted         bool            // a record was deleted
	refilled        bool            // a record was added after that, so the size may be the same again
	stable          map[string]bool // records that were in the list during the whole walk
}

func newLiving(n int, shown presentation, next func(int) change) *living {
	l := &living{shown: shown, next: next, stable: map[string]bool{}}
	for i := range n {
		l.records = append(l.records, strconv.Itoa(i))
		l.stable[strconv.Itoa(i)] = true
	}
	return l
}

func (l *living) alter() {
	c := l.next(l.requests)
	l.requests++
	switch {
	case c.kind == 1 && c.at <= len(l.records):
		l.added++
		l.refilled = l.deleted
		l.records = slices.Insert(l.records, c.at, fmt.Sprint("new", l.added))
	case c.kind == 2 && c.at < len(l.records):
		l.deleted = true
		delete(l.stable, l.records[c.at])
		l.records = slices.Delete(l.records, c.at, c.at+1)
	}
}

// fetch returns a page of at most limit records.
func (l *living) fetch(limit int) func(context.Context, paging.Position) (*paging.Page, error) {
	return func(ctx context.Context, at paging.Position) (*paging.Page, error) {
		if err := l.wait(ctx, at, l.delay != nil); err != nil {
			return nil, err
		}
		page := l.page(at, limit)
		return page, l.wait(ctx, at, l.late)
	}
}

// wait waits for the delay of a request or a response.
func (l *living) wait(ctx context.Context, at paging.Position, delayed bool) error {
	if !delayed {
		return nil
	}
	l.mu.Lock() // the delays and the changes share a random source
	delay := l.delay(at)
	l.mu.Unlock()
	return backoff.Sleep(ctx, delay)
}

// page changes the list, and returns a page of at most limit records.
func (l *living) page(at paging.Position, limit int) *paging.Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alter()
	from := at.Offset
	if at.Query != "" {
		from, _ = strconv.Atoi(strings.TrimPrefix(at.Query, "Cursor="))
	}
	from = min(from, len(l.records))
	end := min(from+limit, len(l.records))
	page := &paging.Page{Records: &paging.Decoded[string]{Items: slices.Clone(l.records[from:end])}}
	if !l.unsized {
		page.Size = models.Some(len(l.records))
	}
	switch {
	case end == len(l.records):
	case l.shown == byLink:
		page.Next.Href = fmt.Sprint("/list?Offset=", end)
	case l.shown == byCursor:
		page.Next.Href = fmt.Sprint("/list?Cursor=", end)
	}
	return page
}

// process describes a process that continues a walk from a stored mark.
type process struct{ limit, prefetch, stop int }

// stored returns a mark after it was encoded and decoded, as between two
// processes.
func stored(t require.TestingT, mark paging.Mark) *paging.Mark {
	text, err := json.Marshal(mark)
	require.NoError(t, err)
	var back paging.Mark
	require.NoError(t, json.Unmarshal(text, &back))
	return &back
}

// walk reads the list in one or more processes. It returns the distinct records
// that were yielded and the error of the last walk. A process that stops stores
// its mark.
func (l *living) walk(ctx context.Context, t require.TestingT, processes func(n int) process) (met map[string]bool, ended error) {
	met = map[string]bool{}
	var from *paging.Mark
	for n := 0; ; n++ {
		p := processes(n)
		var at paging.Mark
		w := &paging.Walk{
			Fetch: l.fetch(p.limit), Key: func(r any) string { return *r.(*string) }, Names: paging.Names{Offset: "Offset", Limit: "Limit"},
			Limit: p.limit, Largest: 1000, Prefetch: p.prefetch, From: from, Passed: func(m paging.Mark) { at = m },
		}
		var record string
		yielded, stopped := 0, false
		w.Run(ctx, &record, func(err error) bool {
			if ended = err; err != nil {
				return false
			}
			met[record] = true
			yielded++
			stopped = yielded == p.stop
			return !stopped
		})
		if !stopped {
			return met, ended
		}
		from = stored(t, at)
	}
}

// silent returns a record that was in the list during the whole walk but was
// not yielded, although the walk ended without an error.
func (l *living) silent(met map[string]bool, ended error) string {
	for record := range l.stable {
		if ended == nil && !met[record] {
			return record
		}
	}
	return ""
}

// TestARestoredWalkKnowsWhatTheInterruptedOneKnew checks that a walk can
// continue from any record with all knowledge of the interrupted walk.
func TestARestoredWalkKnowsWhatTheInterruptedOneKnew(t *testing.T) {
	t.Parallel()
	for shown := range presentations {
		for _, unsized := range []bool{false, true} {
			for n := range 8 {
				marks := func(from *paging.Mark) (all []paging.Mark) {
					l := newLiving(n, shown, func(int) change { return change{} })
					l.unsized = unsized
					w := &paging.Walk{
						Fetch: l.fetch(3), Key: func(r any) string { return *r.(*string) }, Names: paging.Names{Offset: "Offset", Limit: "Limit"},
						Limit: 3, Largest: 1000, From: from, Passed: func(m paging.Mark) { all = append(all, m) },
					}
					w.Run(t.Context(), new(string), func(err error) bool {
						return assert.NoError(t, err, "presentation %d, %d records, unsized %t, from %v", shown, n, unsized, from)
					})
					return all
				}
				whole := marks(nil)
				for i, mark := range whole {
					rest := marks(stored(t, mark))
					assert.Equal(t, mark, rest[0], "the page comes again, and changes nothing that is known")
					assert.Equal(t, whole[i+1:], rest[1:], "presentation %d, %d records, unsized %t, from mark %d", shown, n, unsized, i)
				}
			}
		}
	}
}

// TestAMarkIsStoredWhole checks that a stored mark keeps every field, including
// fields added later.
func TestAMarkIsStoredWhole(t *testing.T) {
	t.Parallel()
	var mark paging.Mark
	var fill func(v reflect.Value, n int) int
	fill = func(v reflect.Value, n int) int {
		for i := range v.NumField() {
			switch field := v.Field(i); field.Kind() {
			case reflect.Struct:
				n = fill(field, n)
			case reflect.Int:
				n++
				field.SetInt(int64(n))
			case reflect.Bool:
				field.SetBool(v.Type().Field(i).Name != "Plain") // not stored, because it depends only on the list
			case reflect.String:
				field.SetString("Cursor=1")
			default:
				t.Errorf("a field of kind %v: say here how it is filled", field.Kind())
			}
		}
		return n
	}
	assert.Greater(t, fill(reflect.ValueOf(&mark).Elem(), 0), 8)
	assert.Equal(t, mark, *stored(t, mark))
}

// TestNoSmallHistoryLosesARecordInSilence tries every history of a small list:
// each change at one or two requests, and a stop at each record or none.
func TestNoSmallHistoryLosesARecordInSilence(t *testing.T) {
	t.Parallel()
	runs, sure := 0, 0
	try := func(n int, shown presentation, limit, stop int, changes map[int]change) {
		l := newLiving(n, shown, func(request int) change { return changes[request] })
		met, ended := l.walk(t.Context(), t, func(number int) process {
			if number > 0 {
				return process{limit: limit}
			}
			return process{limit: limit, stop: stop}
		})
		runs++
		if ended == nil {
			sure++
		}
		if lost := l.silent(met, ended); lost != "" {
			t.Errorf("record %s of %d is lost: presentation %d, limit %d, stop after %d, changes %v", lost, n, shown, limit, stop, changes)
		}
	}
	each := func(n int, do func(change)) {
		do(change{})
		for at := range n + 2 {
			do(change{1, at})
			do(change{2, at})
		}
	}
	for n := range 1 + soak.Times(max(2, soak.Least(3)), 4) {
		for shown := range presentations {
			for limit := 1; limit <= 2; limit++ {
				for stop := range n + 1 {
					for first := range n + 2 {
						each(n, func(a change) {
							each(n, func(b change) {
								try(n, shown, limit, stop, map[int]change{first: a, first + 1: b})
							})
						})
					}
				}
			}
		}
	}
	assert.Greater(t, sure, runs/10)
	t.Logf("%d histories, %d of them without an error", runs, sure)
}

// TestAListThatOnlyGrowsGivesNoAlarm tries random histories of lists to which
// records are added at any place, with responses that overlap: each walk ends
// without an error, and yields every record that was there when it began.
func TestAListThatOnlyGrowsGivesNoAlarm(t *testing.T) {
	t.Parallel()
	histories, unsure := soak.Times(soak.Least(500), 50_000), 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range histories {
			random := rand.New(rand.NewPCG(uint64(seed), 44))
			n, often := random.IntN(40), 1+random.IntN(5)
			l := newLiving(n, presentation(random.IntN(int(presentations))), func(request int) change {
				if request > n || random.IntN(often) > 0 { // it grows more slowly than it is read
					return change{}
				}
				return change{1, random.IntN(n + 3)}
			})
			l.delay = func(paging.Position) time.Duration { return time.Duration(1 + random.Int64N(int64(time.Second))) }
			l.late = random.IntN(2) == 0
			p := process{limit: 1 + random.IntN(6), prefetch: random.IntN(5)}
			if l.shown == byCursor && random.IntN(2) == 0 {
				l.unsized = true
			}
			how := fmt.Sprintf("history %d: %d records, presentation %d, unsized %t, %+v", seed, n, l.shown, l.unsized, p)
			met, ended := l.walk(t.Context(), t, func(int) process { return p })
			if l.unsized && n <= p.limit && errors.Is(ended, paging.ErrRepeatedPage) {
				unsure++ // a full page without a link, and then the same one: the service may ignore the offset
				continue
			}
			require.NoError(t, ended, how)
			require.Empty(t, l.silent(met, ended), how)
		}
	})
	assert.LessOrEqual(t, unsure, histories/1000)
	t.Logf("%d histories, %d of them unsure", histories, unsure)
}

// TestNoHistoryLosesARecordInSilence tries long random histories: the list
// changes at every third request, responses arrive out of order, and each
// process uses another page size.
func TestNoHistoryLosesARecordInSilence(t *testing.T) {
	t.Parallel()
	histories, sure, resumed, unseen := soak.Times(soak.Least(2000), 100_000), 0, 0, 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range histories {
			random := rand.New(rand.NewPCG(uint64(seed), 5))
			n := random.IntN(25)
			l := newLiving(n, presentation(random.IntN(int(presentations))), func(int) change {
				if random.IntN(3) > 0 {
					return change{}
				}
				return change{1 + random.IntN(2)*random.IntN(2), random.IntN(n + 2)}
			})
			l.delay = func(at paging.Position) time.Duration {
				of := rand.New(rand.NewPCG(uint64(seed), uint64(at.Offset)))
				return time.Duration(1 + of.Int64N(int64(time.Second)))
			}
			apart := random.IntN(2) == 0
			parts, overlaps := 0, false
			met, ended := l.walk(t.Context(), t, func(int) process {
				parts++
				p := process{limit: 1 + random.IntN(6), prefetch: random.IntN(3)}
				if apart {
					p.stop = 1 + random.IntN(8)
				}
				overlaps = overlaps || p.prefetch > 0
				return p
			})
			switch lost := l.silent(met, ended); {
			case lost != "" && overlaps && l.refilled: // the fall is between two responses that overlap
				unseen++
			case lost != "":
				t.Errorf("history %d: record %s is lost", seed, lost)
			}
			if ended == nil {
				sure++
			}
			if parts > 1 {
				resumed++
			}
		}
	})
	assert.Greater(t, sure, histories/10)
	assert.Greater(t, resumed, histories/10)
	assert.Less(t, unseen, histories/200, "a loss that cannot be seen is rare")
	t.Logf("%d histories, %d resumed, %d without an error, %d with a loss that cannot be seen", histories, resumed, sure, unseen)
}
