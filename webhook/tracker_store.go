package webhook

import "context"

// TrackerStore stores the failures of asynchronous writes for a [Tracker]. Use
// a shared store when one process writes and another receives. A key identifies
// a RequestId and consists of 64 hexadecimal digits. The retention time of a
// record starts with its registration. The rules for concurrent use are those
// of [Queue].
type TrackerStore interface {
	// Register creates a record. It does not change an existing one.
	Register(ctx context.Context, key string) error
	// Record adds a failure to the record, which keeps only the first one, with
	// its time in milliseconds. For an unregistered key it does nothing and
	// returns nil.
	Record(ctx context.Context, key string, failure WriteError) error
	// Load returns the failure, nil if there is none, or [ErrNotTracked].
	Load(ctx context.Context, key string) (*WriteError, error)
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
func (m *MemoryStore) Register(_ context.Context, key string) error {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	if _, known := m.writes.get(keyDigest(key), now); !known {
		m.writes.put(keyDigest(key), nil, now, m.retention)
	}
	return nil
}

// Record implements [TrackerStore].
func (m *MemoryStore) Record(_ context.Context, key string, failure WriteError) error {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	if first, known := m.writes.get(keyDigest(key), now); known && first == nil {
		m.writes.update(keyDigest(key), &failure)
	}
	return nil
}

// Load implements [TrackerStore].
func (m *MemoryStore) Load(_ context.Context, key string) (*WriteError, error) {
	now := m.now()
	m.writes.Lock()
	defer m.writes.Unlock()
	failure, known := m.writes.get(keyDigest(key), now)
	if !known {
		return nil, ErrNotTracked
	}
	return failure, nil
}
