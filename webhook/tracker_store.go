package webhook

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// TrackerStore stores the records of asynchronous writes for a [Tracker]. Use a
// shared store when one process writes and another receives. A key identifies a
// RequestId: 64 hexadecimal digits. The retention of a record starts with its
// registration. For safe concurrent use, see [Queue].
type TrackerStore interface {
	// Register creates a record. It does not change an existing one.
	Register(ctx context.Context, key string, at time.Time) error
	// Record adds an event to the record, which keeps the first failure and the
	// first other event. For an unregistered key it does nothing and returns
	// nil.
	Record(ctx context.Context, key string, event TrackedEvent) error
	// Load returns the record, or [ErrNotTracked].
	Load(ctx context.Context, key string) (TrackRecord, error)
}

// TrackedEvent is an event of a write.
type TrackedEvent struct {
	// Type is the type of the event, truncated like the texts of a Failure.
	Type models.EventType
	// At is the time at which the event was received, by the clock of the
	// receiver.
	At time.Time
	// Failure is the payload of an error event; nil for any other event.
	Failure *Failure
}

// Failure describes why a write failed. Texts are truncated to 4,096 bytes.
type Failure struct {
	Message      string // description of the failure; empty when absent
	ResourceName string // type of the written record; empty when absent
	ResourceID   string // id of the written record; empty when absent
}

// TrackRecord is the state of a write. Its times are in milliseconds.
type TrackRecord struct {
	// Registered is the time of the registration, by the clock of the writer.
	Registered time.Time
	// Failed is the first error event, or nil.
	Failed *TrackedEvent
	// Observed is the first other event, or nil.
	Observed *TrackedEvent
}

// Add adds an event under the rules of [TrackerStore].Record.
func (r *TrackRecord) Add(event TrackedEvent) {
	place := &r.Observed
	if event.Failure != nil {
		place = &r.Failed
	}
	if *place == nil {
		*place = &event
	}
}

// limited calls the store of a tracker and waits for the result, at most for
// DefaultStoreTimeout, even if the store ignores its context.
func limited[V any](ctx context.Context, t *Tracker, call func(context.Context) (V, error)) (value V, err error) {
	if limitOf(t.store, DefaultStoreTimeout) == noLimit {
		return call(ctx)
	}
	asking, cancel := context.WithTimeoutCause(ctx, DefaultStoreTimeout, storeError("tracker", context.DeadlineExceeded))
	defer cancel()
	select {
	case a := <-apart(&t.calls, func() (V, error) { return call(asking) }):
		if broken, ok := a.err.(*PanicError); ok { //nolint:errorlint // a wrapped one is an error of the store
			panic(broken)
		}
		if a.err == nil || asking.Err() == nil {
			return a.value, a.err
		}
	case <-asking.Done():
	}
	if ctx.Err() != nil {
		return value, ctx.Err()
	}
	return value, context.Cause(asking)
}

// Register implements [TrackerStore].
func (m *MemoryStore) Register(_ context.Context, key string, at time.Time) error {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	if _, known := m.writes.get(keyDigest(key), now); !known {
		m.writes.put(keyDigest(key), TrackRecord{Registered: at}, now, m.retention)
	}
	return nil
}

// Record implements [TrackerStore].
func (m *MemoryStore) Record(_ context.Context, key string, event TrackedEvent) error {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	record, known := m.writes.get(keyDigest(key), now)
	if !known {
		return nil
	}
	record.Add(event)
	m.writes.update(keyDigest(key), record)
	return nil
}

// Load implements [TrackerStore].
func (m *MemoryStore) Load(_ context.Context, key string) (TrackRecord, error) {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	record, known := m.writes.get(keyDigest(key), now)
	if !known {
		return TrackRecord{}, ErrNotTracked
	}
	return record, nil
}
