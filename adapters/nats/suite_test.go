package nats_test

import (
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

// opener opens an engine and returns the instance for one test of the suite.
type opener[S any] func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S]

// inside returns the state of a server inside the process, which other
// processes cannot access.
func inside[S any](as func(*nats.Engine) S) opener[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		dir := t.TempDir()
		engine := openToEnd(t, dir, conditions(c)...)
		return webhooktest.Instance[S]{Store: as(engine), Other: as(engine), Reopen: func() S {
			endNow(engine)
			return as(openToEnd(t, dir, conditions(c)...))
		}}
	}
}

// elsewhere returns the state of a server that two processes share.
func elsewhere[S any](s *natsServer, as func(*nats.Engine) S) opener[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		options := append(conditions(c), on(s), nats.WithName(uniqueName()))
		return webhooktest.Instance[S]{Store: as(open(t, "", options...)), Other: as(open(t, "", options...))}
	}
}

func deduplicator(e *nats.Engine) webhook.Deduplicator { return e.Store() }
func trackerStore(e *nats.Engine) webhook.TrackerStore { return e.Store() }

func TestAServerInsideTheProcessPassesTheSuite(t *testing.T) {
	t.Parallel()
	inParallel(t, map[string]func(*testing.T){
		"queue":         func(t *testing.T) { webhooktest.Queue(t, queueInside) },
		"deduplicator":  func(t *testing.T) { webhooktest.Deduplicator(t, inside(deduplicator)) },
		"tracker store": func(t *testing.T) { webhooktest.TrackerStore(t, inside(trackerStore)) },
	})
}

func TestTwoProcessesOnAServerPassTheSuite(t *testing.T) {
	t.Parallel()
	suiteElsewhere(t, startServer(t))
}

func TestTheOldestServerPassesTheSuite(t *testing.T) {
	soak.Only(t, "its program is named by -oldest")
	if *oldest == "" {
		t.Skip("-oldest names no program")
	}
	t.Parallel()
	s := &natsServer{address: startMember(t, *oldest).url}
	require.Eventually(t, func() bool {
		connection, err := natsgo.Connect(s.address)
		if err == nil {
			connection.Close()
		}
		return err == nil
	}, patient, 50*time.Millisecond)
	suiteElsewhere(t, s)
}

func suiteElsewhere(t *testing.T, s *natsServer) {
	t.Helper()
	inParallel(t, map[string]func(*testing.T){
		"queue":         func(t *testing.T) { webhooktest.Queue(t, queueElsewhere(s)) },
		"deduplicator":  func(t *testing.T) { webhooktest.Deduplicator(t, elsewhere(s, deduplicator)) },
		"tracker store": func(t *testing.T) { webhooktest.TrackerStore(t, elsewhere(s, trackerStore)) },
	})
}

func inParallel(t *testing.T, tests map[string]func(*testing.T)) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// queueInside opens the queue, which may end while messages are leased.
func queueInside(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[webhook.Queue] {
	dir := t.TempDir()
	engine := openToEnd(t, dir, conditions(c)...)
	return webhooktest.Instance[webhook.Queue]{
		Store: engine.Queue(), Other: engine.Queue(),
		Reopen: func() webhook.Queue {
			endNow(engine)
			return openToEnd(t, dir, conditions(c)...).Queue()
		},
	}
}

func queueElsewhere(s *natsServer) opener[webhook.Queue] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[webhook.Queue] {
		options := append(conditions(c), on(s), nats.WithName(uniqueName()))
		one, two := openToEnd(t, "", options...), openToEnd(t, "", options...)
		return webhooktest.Instance[webhook.Queue]{
			Store: one.Queue(), Other: two.Queue(),
			Reopen: func() webhook.Queue {
				endNow(one)
				endNow(two)
				return openToEnd(t, "", options...).Queue()
			},
		}
	}
}

func conditions(c webhooktest.Conditions) []nats.Option {
	var options []nats.Option
	if c.Retention > 0 {
		options = append(options, nats.WithRetention(c.Retention))
	}
	if c.Lease > 0 {
		options = append(options, nats.WithLease(c.Lease))
	}
	if c.Capacity > 0 {
		options = append(options, nats.WithCapacity(c.Capacity))
	}
	return options
}
