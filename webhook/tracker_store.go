package webhook

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// TrackerStore keeps the records of asynchronous writes for a [Tracker]. Use a
// shared store when one process writes and another receives. A key identifies a
// RequestId: 64 hexadecimal digits. The retention of a record starts with its
// registration. For safe concurrent use, see [Queue].
type TrackerStore interface {
	// Register starts a record. It does not change a record that exists.
	Register(ctx context.Context, key string, at time.Time) error
	// Record adds an event to the record, which keeps the first failure and the
	// first other event. An unregistered key changes nothing and is no error.
	Record(ctx context.Context, key string, event TrackedEvent) error
	// Load returns the record, or [ErrNotTracked].
	Load(ctx context.Context, key string) (TrackRecord, error)
}

// TrackedEvent is an event of a write.
type TrackedEvent struct {
	// Type is the kind of event, cut as the texts of a Failure are.
	Type models.EventType
	// At is when the event was received, by the clock of the receiver.
	At time.Time
	// Failure is the payload of an error event; nil for any other event.
	Failure *Failure
}

// Failure describes why a write failed. Texts are cut after 4,096 bytes.
type Failure struct {
	Message      string // what failed; empty when absent
	ResourceName string // kind of record that was written; empty when absent
	ResourceID   string // id of the record that was written; empty when absent
}

// TrackRecord is the state of a write. Times are exact to a millisecond.
type TrackRecord struct {
	// Registered is when the write was registered, by the clock of the writer.
	Registered time.Time
	// Failed is the first error event; nil when none came.
	Failed *TrackedEvent
	// Observed is the first other event; nil when none came.
	Observed *TrackedEvent
}

// Add adds an event as [TrackerStore].Record requires.
func (r *TrackRecord) Add(event TrackedEvent) {
	place := &r.Observed
	if event.Failure != nil {
		place = &r.Failed
	}
	if *place == nil {
		*place = &event
	}
}

// limited calls the store of a tracker and waits for its result until
// DefaultStoreTimeout, even when the store ignores its context.
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
