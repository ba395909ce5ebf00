package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// TrackerStore keeps what is known of asynchronous writes. A [Tracker] writes and reads it: share one store where the
// process that writes and the one that receives are not the same. A key stands for a RequestId: 64 hexadecimal digits.
//
// All methods may be used by many goroutines and, for a shared implementation, processes at once. A record is kept for
// as long as the implementation was told, counted from its registration.
// Package webhooktest holds the tests an implementation must pass. Specification, Errors.
type TrackerStore interface {
	// Register begins a record. What is known of a key that is registered already stays as it is.
	// Specification, General conventions.
	Register(ctx context.Context, key string, at time.Time) error
	// Record adds an event to the record: the first failure and the first other event are kept, later ones change
	// nothing. A key that is not registered stays unknown, and that is no error. Specification, Errors.
	Record(ctx context.Context, key string, event TrackedEvent) error
	// Load gives the record, or [ErrNotTracked]. Specification, Errors.
	Load(ctx context.Context, key string) (TrackRecord, error)
}

// TrackedEvent is an event that a write caused. Specification, Errors.
type TrackedEvent struct {
	// Type is the kind of event. Specification, Event types.
	Type models.EventType
	// At is when it was received, by the clock of the receiver.
	At time.Time
	// Failure is the payload of an error event; absent, that is nil, for any other. Specification, Errors.
	Failure *Failure
}

// Failure says why a write failed after it was accepted. Specification, Errors.
type Failure struct {
	Message      string // what failed; empty when absent
	ResourceName string // kind of record that was written; empty when absent
	ResourceID   string // id of the record that was written; empty when absent
}

// TrackRecord is what is known of a write. Times are exact to the millisecond at least. Specification, Errors.
type TrackRecord struct {
	// Registered is when the write was registered, by the clock of the writer.
	Registered time.Time
	// Failed is the first error event; nil when none came. Specification, Errors.
	Failed *TrackedEvent
	// Observed is the first other event; nil when none came. Specification, Delivery rules.
	Observed *TrackedEvent
}

// Add adds an event as [TrackerStore.Record] demands. Specification, Errors.
func (r *TrackRecord) Add(event TrackedEvent) {
	place := &r.Observed
	if event.Failure != nil {
		place = &r.Failed
	}
	if *place == nil {
		*place = &event
	}
}

// MemoryTrackerStore is the [TrackerStore] of one process. It does not survive the process: what was registered
// before a restart is [ErrNotTracked]. Specification, Errors.
type MemoryTrackerStore struct {
	settings memorySettings

	mu     sync.Mutex
	writes *bounded[TrackRecord]
}

// NewMemoryTrackerStore gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemoryTrackerStore(options ...MemoryOption) (*MemoryTrackerStore, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemoryTrackerStore{settings: s, writes: newBounded[TrackRecord](s.capacity)}, nil
}

// Register is as in [TrackerStore].
func (m *MemoryTrackerStore) Register(_ context.Context, key string, at time.Time) error {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.writes.get(keyDigest(key), now); !known {
		m.writes.put(keyDigest(key), TrackRecord{Registered: at}, now, now.Add(m.settings.retention))
	}
	return nil
}

// Record is as in [TrackerStore].
func (m *MemoryTrackerStore) Record(_ context.Context, key string, event TrackedEvent) error {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	record, known := m.writes.get(keyDigest(key), now)
	if !known {
		return nil
	}
	record.Add(event)
	m.writes.update(keyDigest(key), record)
	return nil
}

// Load is as in [TrackerStore].
func (m *MemoryTrackerStore) Load(_ context.Context, key string) (TrackRecord, error) {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	record, known := m.writes.get(keyDigest(key), now)
	if !known {
		return TrackRecord{}, ErrNotTracked
	}
	return record, nil
}
