package sharetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// Names of the receivers under test.
const (
	ClientID = "client0001"
	Key      = "k-0123456789"
)

const (
	began     models.Ticks = 638_912_345_678_901_234
	senders                = 8
	patience               = 5 * time.Minute // maximum time without progress
	resources              = 100
)

// stream holds the deliveries of the service: every event once, and a fifth of
// them twice.
type stream struct {
	events, resources int
	order             []int // order of the deliveries, by number of the event
}

func newStream(events int) stream {
	s := stream{events: events, resources: min(events, resources)}
	for n := range events {
		s.order = append(s.order, n)
	}
	for range events / 5 {
		s.order = append(s.order, rand.N(events))
	}
	rand.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	return s
}

func resource(i int) string { return fmt.Sprintf("13eecfca-5699-5001-9310-%012d", i) }

// last returns the time of the newest event of a resource.
func (s stream) last(i int) models.Ticks {
	n := s.events - 1 - (s.events-1-i)%s.resources
	return began + models.Ticks(n)
}

// body returns the event with a number. The times of events increase with their
// numbers, and resources alternate.
func (s stream) body(n int) []byte {
	return fmt.Appendf(nil, `{"accountId":"a","subscriptionId":"s","type":"matter.updated","timestamp":%d,`+
		`"payload":{"id":%q,"number":%d}}`, began+models.Ticks(n), resource(n%s.resources), n)
}

// Deliver sends events to the receivers in turn, a fifth of them twice and all
// in random order. It repeats a delivery with status 503. It waits until all
// are handled, and checks the ledger. It returns the number of deliveries and
// the time taken.
func Deliver(t *testing.T, events int, ledger *Ledger, receivers ...*webhook.Receiver) (int, time.Duration) {
	t.Helper()
	s, started := newStream(events), time.Now()
	signer, err := webhook.NewSigner(ClientID, Key)
	if err != nil {
		t.Fatal(err)
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(s.order); i = int(next.Add(1)) - 1 {
				send(t, receivers[i%len(receivers)], signer, s.body(s.order[i]))
			}
		})
	}
	all.Wait()
	await(t, s, ledger, receivers)
	took := time.Since(started)
	ledger.check(t, s)
	share := uint64(soak.Times(1, events/len(receivers)/5))
	for i, r := range receivers {
		if stats := r.Stats(); stats.Handled < share {
			t.Errorf("receiver %d handled %d of %d events: the work is not shared", i, stats.Handled, events)
		}
	}
	return len(s.order), took
}

// send repeats a delivery until it is acknowledged.
func send(t *testing.T, r *webhook.Receiver, signer *webhook.Signer, body []byte) {
	for range 100_000 {
		req := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewReader(body))
		if err := signer.Sign(req.Header, time.Now(), uuid.NewString()); err != nil {
			t.Error(err)
			return
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		switch w.Code {
		case http.StatusOK:
			return
		case http.StatusServiceUnavailable:
			<-time.After(rand.N(20 * time.Millisecond))
		default:
			t.Errorf("status %d", w.Code)
			return
		}
	}
	t.Error("a delivery was never acknowledged")
}

// await waits until every event was handled and every delivery is counted.
func await(t *testing.T, s stream, ledger *Ledger, receivers []*webhook.Receiver) {
	t.Helper()
	var before uint64
	for progress := time.Now(); ; <-time.After(10 * time.Millisecond) {
		var done uint64
		for _, r := range receivers {
			stats := r.Stats()
			done += stats.Handled + stats.Duplicates
		}
		switch {
		case done >= uint64(len(s.order)) && ledger.size() >= s.events:
			return
		case done != before:
			before, progress = done, time.Now()
		case time.Since(progress) > patience:
			t.Fatalf("%d of %d events are handled, and nothing happens", ledger.size(), s.events)
		}
	}
}
