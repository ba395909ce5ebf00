package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

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
	run("a write that is not registered is not tracked", usual(), unregistered)
	run("a write is registered once", usual(), registeredOnce)
	run("a failure is stored unchanged", usual(), failureKept)
	run("the first failure is kept", usual(), firstKept)
	run("writes are independent of each other", usual(), writesApart)
	run("exactly one of many failures is kept", usual(), oneFailureOfMany)
	run("the longest possible time never expires", forEver(), firstKept)
	run("a write is forgotten after the retention time", Conditions{Retention: short}, writeForgotten)
}

// failed returns a failure at a time with a fraction finer than milliseconds.
func failed(message string) webhook.WriteError {
	return webhook.WriteError{
		Message: message, ResourceName: "contact", ResourceID: "13eecfca-5699-5001-9310-bf202aba8df9",
		At: time.Date(2026, 8, 15, 9, 30, 0, 123_456_789, time.UTC),
	}
}

func (s trackTest) register(t *testing.T, store webhook.TrackerStore, n int) {
	t.Helper()
	noError(t, store.Register(context.Background(), key(n)))
}

func (s trackTest) record(t *testing.T, store webhook.TrackerStore, n int, failure webhook.WriteError) {
	t.Helper()
	noError(t, store.Record(context.Background(), key(n), failure))
}

// load checks that both instances return the failure, up to the precision of
// the store; nil for none.
func (s trackTest) load(t *testing.T, n int, want *webhook.WriteError) {
	t.Helper()
	for _, store := range []webhook.TrackerStore{s.Store, s.Other} {
		got, err := store.Load(context.Background(), key(n))
		noError(t, err)
		equal(t, want == nil, got == nil, "absence of a failure")
		if want == nil || got == nil {
			continue
		}
		if got.At.Sub(want.At).Abs() >= time.Millisecond {
			t.Errorf("time: want %v, got %v", want.At, got.At)
		}
		for i, text := range [][2]string{
			{want.Message, got.Message}, {want.ResourceName, got.ResourceName}, {want.ResourceID, got.ResourceID},
		} {
			equal(t, text[0], text[1], fmt.Sprint("text ", i))
		}
	}
}

func (s trackTest) unknown(store webhook.TrackerStore, n int) error {
	_, err := store.Load(context.Background(), key(n))
	return err
}

func unregistered(t *testing.T, s trackTest) {
	s.record(t, s.Store, 1, failed("early"))
	for _, store := range []webhook.TrackerStore{s.Store, s.Other} {
		if err := s.unknown(store, 1); !errors.Is(err, webhook.ErrNotTracked) {
			t.Errorf("want ErrNotTracked, got %v", err)
		}
	}
	s.register(t, s.Store, 1)
	s.load(t, 1, nil)
}

func registeredOnce(t *testing.T, s trackTest) {
	s.register(t, s.Store, 1)
	failure := failed("no")
	s.record(t, s.Other, 1, failure)
	s.register(t, s.Other, 1)
	s.load(t, 1, &failure)
}

func failureKept(t *testing.T, s trackTest) {
	for n, failure := range []webhook.WriteError{
		failed("No such contact"),
		{},
		{Message: "line\nline \"quoted\" \\ <é> \u2028 日本 |=:,\x00\x7f", ResourceName: "{}", ResourceID: " [1] "},
		failed(strings.Repeat("long ", 5000)),
		failed("pending"),
	} {
		s.register(t, s.Store, n)
		s.record(t, s.Other, n, failure)
		s.load(t, n, &failure)
	}
}

func firstKept(t *testing.T, s trackTest) {
	first := failed("first")
	s.register(t, s.Store, 1)
	s.record(t, s.Other, 1, first)
	s.record(t, s.Store, 1, failed("second"))
	s.load(t, 1, &first)
}

func writesApart(t *testing.T, s trackTest) {
	failure := failed("no")
	s.register(t, s.Store, 1)
	s.register(t, s.Store, 2)
	s.record(t, s.Store, 2, failure)
	s.load(t, 1, nil)
	s.load(t, 2, &failure)
}

func oneFailureOfMany(t *testing.T, s trackTest) {
	const writes, failures = 10, 8
	var all sync.WaitGroup
	for n := range writes {
		s.register(t, s.Store, n)
		for i := range failures {
			store := []webhook.TrackerStore{s.Store, s.Other}[i%2]
			all.Go(func() {
				if err := store.Record(context.Background(), key(n), failed(fmt.Sprint("failure of ", n))); err != nil {
					t.Errorf("record: %v", err)
				}
			})
		}
	}
	all.Wait()
	for n := range writes {
		failure := failed(fmt.Sprint("failure of ", n))
		s.load(t, n, &failure)
	}
}

func writeForgotten(t *testing.T, s trackTest) {
	s.register(t, s.Store, 1)
	s.record(t, s.Other, 1, failed("no"))
	s.pass(short)
	s.eventually(t, "ErrNotTracked after the retention", func() bool {
		return errors.Is(s.unknown(s.Other, 1), webhook.ErrNotTracked)
	})
}
