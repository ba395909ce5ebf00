package nats

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// write is the record of a write. Stored is the server time of its
// registration, from which its retention counts, although each change of a key
// restarts the expiry of the key.
type write struct {
	Failure *webhook.WriteError `json:"failure,omitempty"`
	Stored  time.Time           `json:"stored,omitzero"` // zero until the first change
}

// find reads a record. Its revision is 0 if there is none, or if it has expired
// by the clock of the server.
func (s *Store) find(ctx context.Context, e entry[write]) (entry[write], error) {
	if e.revision == 0 || e.value.Stored.IsZero() {
		e.value.Stored = e.stored
		return e, nil
	}
	now, err := s.writes.now(ctx)
	if err != nil || now.Sub(e.value.Stored) >= s.writes.retention {
		return entry[write]{}, err
	}
	return e, nil
}

// changeRecord changes and writes a record, unless the function returns false.
func (s *Store) changeRecord(ctx context.Context, key string, to func(*entry[write]) bool) error {
	var failed error
	err := change(ctx, &s.writes, key, func(e *entry[write]) bool {
		var found entry[write]
		if found, failed = s.find(ctx, *e); failed != nil || !to(&found) {
			return false
		}
		e.value = found.value
		return true
	})
	return errors.Join(err, failed)
}

// Register implements [webhook.TrackerStore].
func (s *Store) Register(ctx context.Context, key string) error {
	return wrap("register a write", s.changeRecord(ctx, key, func(found *entry[write]) bool {
		found.value = write{}
		return found.revision == 0
	}))
}

// Record implements [webhook.TrackerStore].
func (s *Store) Record(ctx context.Context, key string, failure webhook.WriteError) error {
	return wrap("record a failed write", s.changeRecord(ctx, key, func(found *entry[write]) bool {
		if found.revision == 0 || found.value.Failure != nil {
			return false
		}
		found.value.Failure = &failure
		return true
	}))
}

// Load implements [webhook.TrackerStore].
func (s *Store) Load(ctx context.Context, key string) (*webhook.WriteError, error) {
	e, err := get[write](ctx, &s.writes, key)
	if err == nil {
		e, err = s.find(ctx, e)
	}
	if err == nil && e.revision == 0 {
		return nil, webhook.ErrNotTracked
	}
	return e.value.Failure, wrap("load a write", err)
}
