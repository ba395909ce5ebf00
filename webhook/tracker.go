package webhook

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/underway"
	"github.com/practicesdk/practice-go/models"
)

// Tracker reports whether a write that the service accepted and executes later
// has failed. The service sends an error event with the RequestId of a failed
// write, and no event for a successful one, so the Tracker does not report
// success.
//
// Register the id before the write is sent, and send the write with it:
//
//	id := signer.NewRequestID()
//	err := tracker.Register(ctx, id)
//	_, err = client.Fees.Patch(ctx, matterID, feeID, patch, practice.WithRequestID(id))
//	outcome, err := tracker.Wait(ctx, id, 30*time.Second)
//
// A receiver with [WithTracker] records the events, in another process through
// a shared store. The subscription must include the type error. A store that
// has not answered after [DefaultStoreTimeout] counts as failed ([ErrStore]).
// Tracker is safe for concurrent use.
type Tracker struct {
	store TrackerStore
	now   func() time.Time
	poll  time.Duration

	calls   underway.Count // running calls of the store
	mu      sync.Mutex
	waiters map[string]*waiter // by key of the request id
}

// waiter is shared by the callers that wait for the same write.
type waiter struct {
	news  chan struct{} // closed when an event was recorded in this process
	count int
}

// TrackerOption is a setting of [NewTracker].
type TrackerOption interface{ applyTracker(*Tracker) error }

type trackerOption func(*Tracker) error

func (f trackerOption) applyTracker(t *Tracker) error { return f(t) }

// DefaultPollInterval is the default of [WithPollInterval].
const DefaultPollInterval = time.Second

// WithPollInterval sets how often a waiting Tracker reads the store for events
// recorded by other processes. Events recorded by its own process are noticed
// at once. It must be above 0; the default is [DefaultPollInterval].
func WithPollInterval(interval time.Duration) TrackerOption {
	return trackerOption(checked("WithPollInterval", interval <= 0, aboveZero, func(t *Tracker) { t.poll = interval }))
}

// NewTracker returns a Tracker. A nil store or a bad option is a [ConfigError].
func NewTracker(store TrackerStore, options ...TrackerOption) (*Tracker, error) {
	if store == nil {
		return nil, &ConfigError{"store", notNil}
	}
	t := &Tracker{store: store, now: time.Now, poll: DefaultPollInterval, waiters: map[string]*waiter{}}
	for _, option := range options {
		if err := option.applyTracker(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// ErrEmptyRequestID reports a write that cannot be tracked because it has no
// RequestId.
var ErrEmptyRequestID = errors.New("webhook: the request id is empty")

// Register starts tracking a write. Call it before the write is sent: events of
// unregistered ids are not recorded.
func (t *Tracker) Register(ctx context.Context, requestID string) error {
	if requestID == "" {
		return ErrEmptyRequestID
	}
	_, err := limited(ctx, t, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, t.store.Register(ctx, trackerKey(requestID), t.now())
	})
	return err
}

// Feed records an event of a write. It is for programs without a [Receiver].
func (t *Tracker) Feed(ctx context.Context, requestID string, event TrackedEvent) error {
	if requestID == "" {
		return nil
	}
	event.Type = models.EventType(shortened(string(event.Type)))
	if f := event.Failure; f != nil {
		event.Failure = &Failure{Message: shortened(f.Message), ResourceName: shortened(f.ResourceName), ResourceID: shortened(f.ResourceID)}
	}
	key := trackerKey(requestID)
	if err := t.store.Record(ctx, key, event); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.waiters[key]; w != nil {
		close(w.news)
		delete(t.waiters, key)
	}
	return nil
}

// enter adds a caller that waits for a write; leave removes it.
func (t *Tracker) enter(key string) *waiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.waiters[key]
	if w == nil {
		w = &waiter{news: make(chan struct{})}
		t.waiters[key] = w
	}
	w.count++
	return w
}

func (t *Tracker) leave(key string, w *waiter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.count--; w.count == 0 && t.waiters[key] == w {
		delete(t.waiters, key)
	}
}

func (t *Tracker) feed(ctx context.Context, d *delivery) error {
	event := TrackedEvent{Type: d.notification.kind, At: d.received}
	if event.Type == models.EventTypeError.Type() {
		var p models.ErrorPayload
		// A payload of another form still reports a failed write.
		_ = codec.Unmarshal(d.notification.payload, &p, models.Wire)
		event.Failure = &Failure{Message: p.Message, ResourceName: p.ResourceName, ResourceID: p.ResourceID}
	}
	return t.Feed(ctx, d.requestID, event)
}

// longestFailure is the maximum length of each text of an event, in bytes.
const longestFailure = 4 << 10

func shortened(text string) string {
	if len(text) <= longestFailure {
		return text
	}
	return strings.ToValidUTF8(text[:longestFailure], "")
}

// trackerKey returns the key of a request id. It is a hash, because the id may
// be any text.
func trackerKey(requestID string) string { return hexDigest([]byte(requestID)) }
