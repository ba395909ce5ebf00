package webhook

import (
	"context"
	"sync"
	"time"
)

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
