package nats_test

import (
	"testing"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

// opener opens an engine for one test of the suite, and what the test is about.
type opener[S any] func(*testing.T, webhooktest.Conditions) webhooktest.Instance[S]

// inside gives the state of a server inside the process, which no other process sees.
func inside[S any](as func(*nats.Engine) S) opener[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		store := as(open(t, t.TempDir(), conditions(c)...))
		return webhooktest.Instance[S]{Store: store, Other: store}
	}
}

// elsewhere gives the state of a server that two processes use.
func elsewhere[S any](s *natsServer, as func(*nats.Engine) S) opener[S] {
	return func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[S] {
		options := append(conditions(c), nats.WithServers(s.ClientURL()), nats.WithName(uniqueName()))
		return webhooktest.Instance[S]{Store: as(open(t, "", options...)), Other: as(open(t, "", options...))}
	}
}

func deduplicator(e *nats.Engine) webhook.Deduplicator { return e.Deduplicator() }
func sequencer(e *nats.Engine) webhook.Sequencer       { return e.Sequencer() }
func trackerStore(e *nats.Engine) webhook.TrackerStore { return e.TrackerStore() }

func TestAServerInsideTheProcessPassesTheSuite(t *testing.T) {
	t.Parallel()
	t.Run("deduplicator", func(t *testing.T) { webhooktest.Deduplicator(t, inside(deduplicator)) })
	t.Run("sequencer", func(t *testing.T) { webhooktest.Sequencer(t, inside(sequencer)) })
	t.Run("tracker store", func(t *testing.T) { webhooktest.TrackerStore(t, inside(trackerStore)) })
}

func TestTwoProcessesOnAServerPassTheSuite(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	t.Run("deduplicator", func(t *testing.T) { webhooktest.Deduplicator(t, elsewhere(s, deduplicator)) })
	t.Run("sequencer", func(t *testing.T) { webhooktest.Sequencer(t, elsewhere(s, sequencer)) })
	t.Run("tracker store", func(t *testing.T) { webhooktest.TrackerStore(t, elsewhere(s, trackerStore)) })
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
