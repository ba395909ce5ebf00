package webhooktest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type seqTest struct {
	Instance[webhook.Sequencer]
}

// Sequencer tests an implementation of [webhook.Sequencer].
func Sequencer(t *testing.T, open func(*testing.T, Conditions) Instance[webhook.Sequencer]) {
	s := suite[webhook.Sequencer]{t, open}
	run := func(rule string, c Conditions, test func(*testing.T, seqTest)) {
		s.run(rule, c, func(t *testing.T, i Instance[webhook.Sequencer]) { test(t, seqTest{i}) })
	}
	run("a check changes nothing", usual(), checkChangesNothing)
	run("older events are stale and newer ones fresh", usual(), olderIsStale)
	run("events at the same time are told apart", usual(), sameTime)
	run("an older event changes nothing", usual(), neverBack)
	run("times are exact to the tick", usual(), exactTicks)
	run("resources have nothing to do with each other", usual(), resourcesApart)
	run("the newest of many wins", usual(), newestOfMany)
	run("events at the same time are all remembered", usual(), tiesOfMany)
	run("the longest time is for ever, older events", forEver(), olderIsStale)
	run("the longest time is for ever, the same event", forEver(), sameTime)
	run("a resource is forgotten in the end", Conditions{Retention: short}, resourceForgotten)
}

// now is a realistic time. A float64 cannot distinguish it from the
// neighbouring ticks.
const now models.Ticks = 638_912_345_678_901_234

func at(resource int, time models.Ticks, event int) webhook.Position {
	return webhook.Position{Resource: key(resource), Timestamp: time, Identity: key(event)}
}

func (s seqTest) check(t *testing.T, p webhook.Position, want webhook.Order) {
	t.Helper()
	for _, store := range []webhook.Sequencer{s.Store, s.Other} {
		got, err := store.Check(context.Background(), p)
		noError(t, err)
		equal(t, want, got, fmt.Sprintf("order of event %s at %d", p.Identity[60:], p.Timestamp))
	}
}

func (s seqTest) advance(t *testing.T, store webhook.Sequencer, p webhook.Position) {
	t.Helper()
	noError(t, store.Advance(context.Background(), p))
}

func checkChangesNothing(t *testing.T, s seqTest) {
	s.check(t, at(1, now, 1), webhook.OrderFresh)
	s.check(t, at(1, now, 1), webhook.OrderFresh)
	s.check(t, at(1, now-1, 2), webhook.OrderFresh)
}

func olderIsStale(t *testing.T, s seqTest) {
	s.advance(t, s.Store, at(1, now, 1))
	s.check(t, at(1, now-1000, 2), webhook.OrderStale)
	s.check(t, at(1, 1, 2), webhook.OrderStale)
	s.check(t, at(1, now+1000, 2), webhook.OrderFresh)
	s.advance(t, s.Other, at(1, now+1000, 2))
	s.check(t, at(1, now, 1), webhook.OrderStale)
	s.check(t, at(1, now+1000, 2), webhook.OrderDuplicate)
}

func sameTime(t *testing.T, s seqTest) {
	s.advance(t, s.Store, at(1, now, 1))
	s.check(t, at(1, now, 1), webhook.OrderDuplicate)
	s.check(t, at(1, now, 2), webhook.OrderFresh)
	s.advance(t, s.Other, at(1, now, 2))
	s.advance(t, s.Other, at(1, now, 2))
	s.check(t, at(1, now, 1), webhook.OrderDuplicate)
	s.check(t, at(1, now, 2), webhook.OrderDuplicate)
	s.check(t, at(1, now, 3), webhook.OrderFresh)
}

func neverBack(t *testing.T, s seqTest) {
	s.advance(t, s.Store, at(1, now, 1))
	s.advance(t, s.Other, at(1, now-5000, 2))
	s.check(t, at(1, now, 1), webhook.OrderDuplicate)
	s.check(t, at(1, now-5000, 2), webhook.OrderStale)
	s.check(t, at(1, now-1, 3), webhook.OrderStale)
}

func exactTicks(t *testing.T, s seqTest) {
	const last models.Ticks = 3_155_378_975_999_999_999 // end of the year 9999
	for resource, middle := range []models.Ticks{2, now, last - 1} {
		s.advance(t, s.Store, at(resource, middle, 1))
		s.check(t, at(resource, middle-1, 2), webhook.OrderStale)
		s.check(t, at(resource, middle, 2), webhook.OrderFresh)
		s.check(t, at(resource, middle+1, 2), webhook.OrderFresh)
		s.advance(t, s.Store, at(resource, middle+1, 2))
		s.check(t, at(resource, middle, 1), webhook.OrderStale)
	}
}

func resourcesApart(t *testing.T, s seqTest) {
	s.advance(t, s.Store, at(1, now, 1))
	s.check(t, at(2, now-1, 1), webhook.OrderFresh)
	s.advance(t, s.Store, at(2, now-1, 1))
	s.check(t, at(1, now, 1), webhook.OrderDuplicate)
	s.check(t, at(2, now-1, 1), webhook.OrderDuplicate)
}

// advanceAll records all events concurrently and in any order, through both
// instances.
func (s seqTest) advanceAll(t *testing.T, events []webhook.Position) {
	t.Helper()
	rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	var all sync.WaitGroup
	for i, p := range events {
		store := s.Store
		if i%2 == 1 {
			store = s.Other
		}
		all.Go(func() {
			if err := store.Advance(context.Background(), p); err != nil {
				t.Errorf("advance: %v", err)
			}
		})
	}
	all.Wait()
}

func newestOfMany(t *testing.T, s seqTest) {
	const count = 64
	var events []webhook.Position
	for i := range count {
		events = append(events, at(1, now+models.Ticks(i), i))
	}
	s.advanceAll(t, events)
	s.check(t, at(1, now+count-1, count-1), webhook.OrderDuplicate)
	s.check(t, at(1, now+count-2, count-2), webhook.OrderStale)
	s.check(t, at(1, now+count, count), webhook.OrderFresh)
}

func tiesOfMany(t *testing.T, s seqTest) {
	var events []webhook.Position
	for i := range webhook.SequencerTies {
		events = append(events, at(1, now, i))
	}
	s.advanceAll(t, events)
	for i := range webhook.SequencerTies {
		s.check(t, at(1, now, i), webhook.OrderDuplicate)
	}
}

func resourceForgotten(t *testing.T, s seqTest) {
	s.advance(t, s.Store, at(1, now, 1))
	s.pass(short)
	s.eventually(t, "an older event after the retention", func() bool {
		order, err := s.Other.Check(context.Background(), at(1, now-1, 2))
		noError(t, err)
		return order == webhook.OrderFresh
	})
}
