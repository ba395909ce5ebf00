package webhooktest_test

import (
	"testing"

	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/webhooktest"
)

// The tests of a custom implementation are one call for each interface.
func Example() {
	// Each call opens a new instance.
	var (
		deduplicator func(*testing.T, webhooktest.Conditions) webhooktest.Instance[webhook.Deduplicator]
		tracker      func(*testing.T, webhooktest.Conditions) webhooktest.Instance[webhook.TrackerStore]
		queue        func(*testing.T, webhooktest.Conditions) webhooktest.Instance[webhook.Queue]
	)
	_ = []func(*testing.T){
		func(t *testing.T) { webhooktest.Deduplicator(t, deduplicator) },
		func(t *testing.T) { webhooktest.TrackerStore(t, tracker) },
		func(t *testing.T) { webhooktest.Queue(t, queue) },
	}
}
