package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// service has one record, which is created and changed at once, and shows each
// version a little later.
type service struct {
	mu     sync.Mutex
	shown  models.Ticks // version returned by reads; 0 before the first
	gone   bool
	reads  int
	takes  time.Duration
	faulty int // number of the read that fails, from 1; 0 means none
}

var errFault = errors.New("the read failed")

func (s *service) get(ctx context.Context, _ *practice.Client, _ place) (*models.Contact, error) {
	s.mu.Lock()
	s.reads++
	number, version, gone := s.reads, s.shown, s.gone
	s.mu.Unlock()
	if err := backoff.Sleep(ctx, s.takes); err != nil {
		return nil, err
	}
	switch {
	case number == s.faulty:
		return nil, errFault
	case version == 0 || gone:
		return nil, practice.ErrNotFound
	default:
		return &models.Contact{LastUpdated: version}, nil
	}
}

// change makes a version visible after a time.
func (s *service) change(version models.Ticks, deletion bool, lag time.Duration) {
	_ = backoff.Sleep(context.Background(), lag)
	s.mu.Lock()
	defer s.mu.Unlock()
	if version > s.shown {
		s.shown, s.gone = version, deletion
	}
}

func (s *service) loader() *loader[models.Contact] {
	return &loader[models.Contact]{source: source[models.Contact]{get: s.get}, clients: From(new(practice.Client))}
}

// history is a sequence of three changes of a record with their events.
type history struct {
	lag, delay [3]time.Duration // times until a change is visible, and until its event arrives
	takes      time.Duration    // a read
	deletion   bool             // the last change is one
	faulty     int
	queued     bool
}

// handle handles an event like a receiver, and returns the record that its
// handler received.
func (h history) handle(t *testing.T, l *loader[models.Contact], n *webhook.Event[json.RawMessage]) *Event[models.Contact] {
	t.Helper()
	for range 12 {
		if h.queued {
			n.Attempt++
		}
		e, err := l.event(t.Context(), n)
		if err == nil {
			return e
		}
		require.True(t, errors.Is(err, errFault) || h.queued && errors.Is(err, ErrStale), "%+v: %v", h, err)
		<-time.After(500 * time.Millisecond)
	}
	require.Fail(t, "it was never handled", h)
	return nil
}

// run checks that each handler receives its own change or a later one.
func (h history) run(t *testing.T) (reads int) {
	t.Helper()
	s := &service{takes: h.takes, faulty: h.faulty}
	l := s.loader()
	var work sync.WaitGroup
	for i := range h.lag {
		version, deletion := models.Ticks(i+1), i == 2 && h.deletion
		work.Go(func() { s.change(version, deletion, h.lag[i]) })
		work.Go(func() {
			_ = backoff.Sleep(context.Background(), h.delay[i])
			n := &webhook.Event[json.RawMessage]{Type: "contact.updated", Timestamp: version, Payload: json.RawMessage(`{"id":"1"}`)}
			if deletion {
				n.Type = "contact.deleted"
			}
			e := h.handle(t, l, n)
			switch {
			case e.Gone():
				assert.True(t, h.deletion, "%+v: event %d came home with nothing", h, i)
			default:
				assert.GreaterOrEqual(t, e.Record.LastUpdated, version, "%+v: event %d got an older record", h, i)
				assert.False(t, deletion, "%+v: a deleted record", h)
			}
		})
	}
	work.Wait()
	return s.reads
}

// every calls do with each of the small histories.
func every(do func(history)) {
	const unit = time.Millisecond
	lags, delays := []time.Duration{0, 50 * unit, 350 * unit}, []time.Duration{0, 20 * unit, 400 * unit}
	step := 8 - soak.Times(1, 7)
	for n := 0; n < 729; n += step {
		var h history
		for i, rest := 0, n; i < 3; i, rest = i+1, rest/9 {
			h.lag[i], h.delay[i] = lags[rest%3], delays[rest/3%3]
		}
		for variant := range 16 {
			h.takes = []time.Duration{0, 60 * unit}[variant&1]
			h.deletion, h.queued = variant&2 != 0, variant&4 != 0
			h.faulty = 2 * (variant >> 3)
			do(h)
		}
	}
}

// All small histories of three changes, with one fault.
func TestNoHandlerGetsARecordThatIsOlderThanItsEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		every(func(h history) { h.run(t) })
	})
}

// A burst of events of one record needs about one read a second, whatever the
// number of workers, and even if the events arrive one after another.
func TestReadsOfOneRecordAreJoined(t *testing.T) {
	t.Parallel()
	for name, workers := range map[string]int{"one at a time": 1, "four at a time": 4, "all at once": 300} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &service{takes: 200 * time.Millisecond, shown: 300}
				updated, events := s.loader(), make(chan models.Ticks, 300)
				created := &loader[models.Contact]{source: updated.source, clients: updated.clients}
				for i := range models.Ticks(300) {
					events <- i + 1
				}
				close(events)
				var work sync.WaitGroup
				for range workers {
					work.Go(func() {
						for version := range events {
							l, n := updated, &webhook.Event[json.RawMessage]{Type: "contact.updated", Timestamp: version, Attempt: 1}
							if version%2 == 0 { // a handler of another event type
								l, n.Type = created, "contact.created"
							}
							e, err := l.event(t.Context(), n)
							if assert.NoError(t, err) {
								assert.GreaterOrEqual(t, e.Record.LastUpdated, version)
							}
						}
					})
				}
				work.Wait()
				assert.Equal(t, 1, s.reads)
			})
		})
	}
}

// A record without a time may have changed since the last read, so only a read
// that begins after the arrival of the event is valid for it.
func TestARecordThatShowsNoAgeIsReadAfterItsEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &reads{}
		var content, begun atomic.Int64
		get := func(context.Context) (*int, error) {
			begun.Add(1)
			was := int(content.Load())
			<-time.After(time.Second)
			return &was, nil
		}
		never := func(*int) bool { return false }
		got := make([]int, 9)
		var work sync.WaitGroup
		for i := range got { // three during each read
			content.Add(1)
			work.Go(func() {
				record, err := read(t.Context(), r, address{}, get, never)
				if assert.NoError(t, err) {
					got[i] = *record
				}
			})
			<-time.After(time.Second / 3)
		}
		work.Wait()
		for i, content := range got {
			assert.GreaterOrEqual(t, content, i+1, "the call after change %d", i+1)
		}
		assert.Less(t, begun.Load(), int64(7), "those that wait for the same read share it")
	})
}

// Two kinds of records may have the same ids, such as records that a matter has
// only once.
func TestReadsOfDifferentKindsAreApart(t *testing.T) {
	t.Parallel()
	r, same := &reads{}, place{id: "1", matter: "1"}
	fees, contacts := address{nil, reflect.TypeFor[models.Fee](), same}, address{nil, reflect.TypeFor[models.Contact](), same}
	_, err := read(t.Context(), r, fees, func(context.Context) (*models.Fee, error) { return &models.Fee{ID: "1"}, nil }, func(*models.Fee) bool { return true })
	require.NoError(t, err)
	contact, err := read(t.Context(), r, contacts, func(context.Context) (*models.Contact, error) { return &models.Contact{ID: "1"}, nil }, func(*models.Contact) bool { return true })
	require.NoError(t, err)
	assert.Equal(t, "1", contact.ID)
}

func TestAReadThatShowsNoAgeIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		l := &loader[models.Matter]{clients: From(new(practice.Client)), source: source[models.Matter]{
			get: func(context.Context, *practice.Client, place) (*models.Matter, error) {
				reads++
				return &models.Matter{}, nil
			},
		}}
		for range 2 {
			_, err := l.event(t.Context(), &webhook.Event[json.RawMessage]{Type: "matter.updated", Timestamp: 1})
			require.NoError(t, err)
		}
		assert.Equal(t, 2, reads)
	})
}

func TestAReadIsNotUsedForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, begun := &reads{}, 0
		read := func(id string) {
			record, err := read(t.Context(), r, address{place: place{id: id}}, func(context.Context) (*int, error) {
				begun++
				return new(int), nil
			}, func(*int) bool { return true })
			require.NoError(t, err)
			*record++ // a copy for this handler only
			assert.Equal(t, 1, *record)
		}
		read("a")
		<-time.After(reuse - 1)
		read("a")
		read("a")
		assert.Equal(t, 1, begun)
		<-time.After(time.Nanosecond)
		read("a")
		assert.Equal(t, 2, begun)
		for i := range 10 * records {
			read(fmt.Sprint(i))
		}
		assert.LessOrEqual(t, len(r.young)+len(r.older), 2*records, "what it remembers is bounded")

		begun = 0
		<-time.After(2 * reuse)
		read("another") // begins a generation
		<-time.After(reuse * 9 / 10)
		read("b")
		<-time.After(reuse / 5)
		read("b")
		assert.Equal(t, 2, begun, "a new generation forgets nothing of the last second")
	})
}

func TestWhoeverWaitsForAReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &reads{}
		slow := func(ctx context.Context) (*int, error) { return nil, backoff.Sleep(ctx, time.Minute) }
		first, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := read(first, r, address{}, slow, nil)
			failed <- err
		}()
		synctest.Wait()
		ctx, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		_, err := read(ctx, r, address{}, slow, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
		require.ErrorIs(t, <-failed, context.Canceled, "of its own context, and of nobody else's")
		five := 5
		record, err := read(t.Context(), r, address{}, func(context.Context) (*int, error) { return &five, nil }, nil)
		require.NoError(t, err)
		assert.Equal(t, 5, *record)
	})
}

// For the last attempt of a message, and for a request, the handler waits
// within its remaining time.
func TestWhatCannotBePutOffWaitsInTheHandler(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attempt int
		last    bool
		time    time.Duration // 0 without a deadline
		reads   int
		waits   time.Duration
		putOff  bool
	}{
		"a request without a deadline":    {reads: 5, waits: 4400 * time.Millisecond},
		"a request with the usual time":   {time: 8 * time.Second, reads: 4, waits: 1400 * time.Millisecond},
		"a request with hardly any time":  {time: 300 * time.Millisecond, reads: 1},
		"the first attempt":               {attempt: 1, reads: 1, putOff: true},
		"the fourth attempt":              {attempt: 4, reads: 1, putOff: true},
		"a later attempt, its first read": {attempt: 9, reads: 1, putOff: true},
		"the only attempt":                {attempt: 1, last: true, reads: 5, waits: 4400 * time.Millisecond},
		"the third and last attempt":      {attempt: 3, last: true, reads: 5, waits: 4400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &service{shown: 1}
				ctx := t.Context()
				if test.time > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.time)
					defer cancel()
				}
				began := time.Now()
				e, err := s.loader().event(ctx, &webhook.Event[json.RawMessage]{
					Type: "contact.updated", Timestamp: 2, Attempt: test.attempt, LastAttempt: test.last,
				})
				assert.Equal(t, test.reads, s.reads)
				assert.Equal(t, test.waits, time.Since(began))
				if test.putOff {
					require.ErrorIs(t, err, ErrStale)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, models.Ticks(1), e.Record.LastUpdated, "it counts nevertheless")
			})
		})
	}
}

// absent is a service that fails some reads, and shows a change from a time on.
type absent struct {
	fails  int             // number of reads at the beginning that fail
	before *models.Contact // the record without the change; nil: not found
	shown  time.Duration   // from the start; 0: never
	begun  time.Time
	reads  int // that did not show the change
}

func (a *absent) get(context.Context, *practice.Client, place) (*models.Contact, error) {
	if a.fails > 0 {
		a.fails--
		return nil, errFault
	}
	if a.shown > 0 && time.Since(a.begun) >= a.shown {
		return &models.Contact{ID: "1", LastUpdated: 2}, nil
	}
	a.reads++
	if a.before != nil {
		return a.before, nil
	}
	return nil, practice.ErrNotFound
}

func TestARecordIsGoneOnlyAfterItsPatience(t *testing.T) {
	t.Parallel()
	patiently(t, nil, func(e *Event[models.Contact]) bool { return !e.Gone() })
}

func TestAnOlderRecordIsUsedOnlyAfterItsPatience(t *testing.T) {
	t.Parallel()
	patiently(t, &models.Contact{ID: "1", LastUpdated: 1}, func(e *Event[models.Contact]) bool { return e.Record.LastUpdated == 2 })
}

// patiently tries each way in which attempts come: spaced by a queue, at once as
// in a Shutdown, after failures, as the last one, and within a request.
func patiently(t *testing.T, before *models.Contact, changed func(*Event[models.Contact]) bool) {
	t.Helper()
	const patience = 4400 * time.Millisecond
	for _, fails := range []int{0, 1, 4, 7} {
		for _, obeys := range []bool{true, false} {
			for _, shown := range []time.Duration{0, 1200 * time.Millisecond, patience - 1} {
				for _, attempts := range []int{0, 1, 3, 12} {
					synctest.Test(t, func(t *testing.T) {
						name := fmt.Sprintf("fails %d, obeys %t, shown after %v, attempts %d", fails, obeys, shown, attempts)
						a := &absent{fails: fails, before: before, shown: shown, begun: time.Now()}
						l := &loader[models.Contact]{source: source[models.Contact]{get: a.get}, clients: From(new(practice.Client))}
						if attempts == 0 && fails > 0 {
							return // a request has one attempt
						}
						for attempt := min(1, attempts); attempt <= attempts; attempt++ {
							n := &webhook.Event[json.RawMessage]{
								Type: "contact.updated", Timestamp: 2, Payload: json.RawMessage(`{"id":"1"}`), Attempt: attempt, LastAttempt: attempt == attempts && attempts > 0,
							}
							e, err := l.event(t.Context(), n)
							if err == nil {
								assert.Equal(t, shown > 0, changed(e), name)
								if !changed(e) {
									assert.GreaterOrEqual(t, a.reads, 5, name)
									assert.GreaterOrEqual(t, time.Since(a.begun), patience, name)
								}
								return
							}
							if obeys {
								<-time.After(5 * time.Second)
							}
						}
						assert.GreaterOrEqual(t, fails, attempts, "%s: it was never handled", name)
					})
				}
			}
		}
	}
}

// TestHandlersOfOneEventUseItsPatienceTogether checks an event that arrives
// through several subscriptions.
func TestHandlersOfOneEventUseItsPatienceTogether(t *testing.T) {
	t.Parallel()
	for _, shown := range []time.Duration{0, 1200 * time.Millisecond} {
		for _, handlers := range []int{2, 5, 20} {
			synctest.Test(t, func(t *testing.T) {
				a := &absent{shown: shown, begun: time.Now()}
				l := &loader[models.Contact]{source: source[models.Contact]{get: a.get}, clients: From(new(practice.Client))}
				var work sync.WaitGroup
				for range handlers {
					work.Go(func() {
						e, err := l.event(t.Context(), &webhook.Event[json.RawMessage]{Type: "contact.updated", Timestamp: 2, Payload: json.RawMessage(`{"id":"1"}`)})
						if assert.NoError(t, err) {
							assert.Equal(t, shown == 0, e.Gone(), "%d handlers", handlers)
						}
						if shown == 0 {
							assert.Equal(t, 4400*time.Millisecond, time.Since(a.begun), "%d handlers", handlers)
						}
					})
				}
				work.Wait()
				assert.True(t, shown > 0 || a.reads >= 5, "%d handlers", handlers)
			})
		}
	}
}

// TestARequestWithTooLittleTimeDoesNotCallItsRecordGone checks that the service
// is asked to send the event again.
func TestARequestWithTooLittleTimeDoesNotCallItsRecordGone(t *testing.T) {
	t.Parallel()
	for limit, want := range map[time.Duration]error{300 * time.Millisecond: ErrStale, 4 * time.Second: ErrStale, 8 * time.Second: nil} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := (&service{}).loader().event(ctx, &webhook.Event[json.RawMessage]{Type: "contact.updated", Payload: json.RawMessage(`{"id":"1"}`)})
			require.ErrorIs(t, err, want, "%v", limit)
		})
	}
}
