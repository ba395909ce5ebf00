package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type trackTest struct {
	Instance[webhook.TrackerStore]
}

// TrackerStore tests an implementation of [webhook.TrackerStore].
func TrackerStore(t *testing.T, open func(*testing.T, Conditions) Instance[webhook.TrackerStore]) {
	s := suite[webhook.TrackerStore]{t, open}
	run := func(rule string, c Conditions, test func(*testing.T, trackTest)) {
		s.run(rule, c, func(t *testing.T, i Instance[webhook.TrackerStore]) { test(t, trackTest{i}) })
	}
	run("what is not registered is not tracked", usual(), unregistered)
	run("a write is registered once", usual(), registeredOnce)
	run("a failure is kept as it came", usual(), failureKept)
	run("the first event of each kind is kept", usual(), firstKept)
	run("writes have nothing to do with each other", usual(), writesApart)
	run("a failure is not lost among other events", usual(), failureAmongMany)
	run("the longest time is for ever", forEver(), firstKept)
	run("a write is forgotten in the end", Conditions{Retention: short}, writeForgotten)
}

// began returns a time with a fraction finer than milliseconds.
func began() time.Time { return time.Date(2026, 8, 15, 9, 30, 0, 123_456_789, time.UTC) }

func changed(at time.Time) webhook.TrackedEvent {
	return webhook.TrackedEvent{Type: models.EventTypeFeeUpdated.Type(), At: at}
}

func failed(at time.Time, f webhook.Failure) webhook.TrackedEvent {
	return webhook.TrackedEvent{Type: models.EventTypeError.Type(), At: at, Failure: &f}
}

func (s trackTest) register(t *testing.T, store webhook.TrackerStore, n int, at time.Time) {
	t.Helper()
	noError(t, store.Register(context.Background(), key(n), at))
}

func (s trackTest) record(t *testing.T, store webhook.TrackerStore, n int, event webhook.TrackedEvent) {
	t.Helper()
	noError(t, store.Record(context.Background(), key(n), event))
}

// load checks that both instances return the record, up to the precision of the
// store.
func (s trackTest) load(t *testing.T, n int, want webhook.TrackRecord) {
	t.Helper()
	for _, store := range []webhook.TrackerStore{s.Store, s.Other} {
		got, err := store.Load(context.Background(), key(n))
		noError(t, err)
		sameTimes(t, want.Registered, got.Registered)
		sameEvent(t, want.Failed, got.Failed)
		sameEvent(t, want.Observed, got.Observed)
	}
}

func sameTimes(t *testing.T, want, got time.Time) {
	t.Helper()
	if got.Sub(want).Abs() >= time.Millisecond {
		t.Errorf("time: want %v, got %v", want, got)
	}
}

func sameEvent(t *testing.T, want, got *webhook.TrackedEvent) {
	t.Helper()
	if want == nil || got == nil {
		equal(t, want == nil, got == nil, "absence of an event")
		return
	}
	equal(t, want.Type, got.Type, "type")
	sameTimes(t, want.At, got.At)
	equal(t, want.Failure == nil, got.Failure == nil, "absence of a failure")
	if want.Failure != nil && got.Failure != nil {
		equal(t, *want.Failure, *got.Failure, "failure")
	}
}

func (s trackTest) unknown(store webhook.TrackerStore, n int) error {
	_, err := store.Load(context.Background(), key(n))
	return err
}

func unregistered(t *testing.T, s trackTest) {
	s.record(t, s.Store, 1, changed(began()))
	s.record(t, s.Store, 1, failed(began(), webhook.Failure{}))
	for _, store := range []webhook.TrackerStore{s.Store, s.Other} {
		if err := s.unknown(store, 1); !errors.Is(err, webhook.ErrNotTracked) {
			t.Errorf("want ErrNotTracked, got %v", err)
		}
	}
	s.register(t, s.Store, 1, began())
	s.load(t, 1, webhook.TrackRecord{Registered: began()})
}

func registeredOnce(t *testing.T, s trackTest) {
	s.register(t, s.Store, 1, began())
	event := changed(began().Add(time.Second))
	s.record(t, s.Other, 1, event)
	s.register(t, s.Other, 1, began().Add(time.Minute))
	s.load(t, 1, webhook.TrackRecord{Registered: began(), Observed: &event})
}

func failureKept(t *testing.T, s trackTest) {
	for n, failure := range []webhook.Failure{
		{Message: "No such contact", ResourceName: "contact", ResourceID: "13eecfca-5699-5001-9310-bf202aba8df9"},
		{},
		{Message: "line\nline \"quoted\" \\ <é> \u2028 日本 |=:,\x00\x7f", ResourceName: "{}", ResourceID: " [1] "},
		{Message: strings.Repeat("long ", 5000)},
	} {
		event := failed(began().Add(time.Second), failure)
		s.register(t, s.Store, n, began())
		s.record(t, s.Other, n, event)
		s.load(t, n, webhook.TrackRecord{Registered: began(), Failed: &event})
	}
}

func firstKept(t *testing.T, s trackTest) {
	observed := changed(began().Add(time.Second))
	failure := failed(began().Add(2*time.Second), webhook.Failure{Message: "first"})
	s.register(t, s.Store, 1, began())
	s.record(t, s.Store, 1, observed)
	s.record(t, s.Other, 1, failure)
	s.record(t, s.Other, 1, changed(began().Add(3*time.Second)))
	s.record(t, s.Store, 1, failed(began().Add(4*time.Second), webhook.Failure{Message: "second"}))
	s.load(t, 1, webhook.TrackRecord{Registered: began(), Failed: &failure, Observed: &observed})
}

func writesApart(t *testing.T, s trackTest) {
	failure := failed(began(), webhook.Failure{Message: "no"})
	s.register(t, s.Store, 1, began())
	s.register(t, s.Store, 2, began().Add(time.Hour))
	s.record(t, s.Store, 2, failure)
	s.load(t, 1, webhook.TrackRecord{Registered: began()})
	s.load(t, 2, webhook.TrackRecord{Registered: began().Add(time.Hour), Failed: &failure})
}

func failureAmongMany(t *testing.T, s trackTest) {
	const writes, events = 10, 8
	var all sync.WaitGroup
	for n := range writes {
		s.register(t, s.Store, n, began())
		for i := range events {
			store, event := s.Store, changed(began())
			if i%2 == 1 {
				store = s.Other
			}
			if i == events/2 {
				event = failed(began(), webhook.Failure{Message: fmt.Sprint("failure of ", n)})
			}
			all.Go(func() {
				if err := store.Record(context.Background(), key(n), event); err != nil {
					t.Errorf("record: %v", err)
				}
			})
		}
	}
	all.Wait()
	for n := range writes {
		failure, observed := failed(began(), webhook.Failure{Message: fmt.Sprint("failure of ", n)}), changed(began())
		s.load(t, n, webhook.TrackRecord{Registered: began(), Failed: &failure, Observed: &observed})
	}
}

func writeForgotten(t *testing.T, s trackTest) {
	s.register(t, s.Store, 1, time.Now())
	s.pass(short)
	s.eventually(t, "ErrNotTracked after the retention", func() bool {
		return errors.Is(s.unknown(s.Other, 1), webhook.ErrNotTracked)
	})
}
