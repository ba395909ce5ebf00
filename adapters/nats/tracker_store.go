package nats

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// TrackerStore is a [webhook.TrackerStore] for several processes: one may write
// and another receive.
//
// When the server cannot be reached every method fails. Do not send a write
// that could not be registered. An outcome is then an error instead of pending,
// and a [webhook.Receiver] keeps an error event in its queue or answers it with
// 503.
type TrackerStore struct{ bucket bucket }

// write is a record with the time of its registration by the clock of the
// server, which the retention counts from: every change of a key would begin it
// anew.
type write struct {
	Record webhook.TrackRecord `json:"record"`
	Stored time.Time           `json:"stored,omitzero"` // zero until the first change
}

// find returns the record; its revision is 0 when there is none, or it has
// expired. Only the clock of the server counts, and a record that was never
// changed expires by itself.
func (s *TrackerStore) find(ctx context.Context, e entry[write]) (entry[write], error) {
	if e.revision == 0 || e.value.Stored.IsZero() {
		e.value.Stored = e.stored
		return e, nil
	}
	now, err := s.bucket.now(ctx)
	if err != nil || now.Sub(e.value.Stored) >= s.bucket.retention {
		return entry[write]{}, err
	}
	return e, nil
}

// changeRecord writes the record as it should be, unless that is false.
func (s *TrackerStore) changeRecord(ctx context.Context, key string, to func(*entry[write]) bool) error {
	var failed error
	err := change(ctx, &s.bucket, key, func(e *entry[write]) bool {
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
func (s *TrackerStore) Register(ctx context.Context, key string, at time.Time) error {
	err := s.changeRecord(ctx, key, func(found *entry[write]) bool {
		known := found.revision != 0
		found.value = write{Record: webhook.TrackRecord{Registered: at.UTC()}}
		return !known
	})
	if err != nil {
		return wrap("register a write", err)
	}
	return nil
}

// Record implements [webhook.TrackerStore].
func (s *TrackerStore) Record(ctx context.Context, key string, event webhook.TrackedEvent) error {
	err := s.changeRecord(ctx, key, func(found *entry[write]) bool {
		known := (event.Failure == nil && found.value.Record.Observed != nil) ||
			(event.Failure != nil && found.value.Record.Failed != nil)
		if found.revision == 0 || known {
			return false
		}
		found.value.Record.Add(event)
		return true
	})
	if err != nil {
		return wrap("record an event", err)
	}
	return nil
}

// Load implements [webhook.TrackerStore].
func (s *TrackerStore) Load(ctx context.Context, key string) (webhook.TrackRecord, error) {
	e, err := get[write](ctx, &s.bucket, key)
	if err != nil {
		return webhook.TrackRecord{}, wrap("load a write", err)
	}
	if e, err = s.find(ctx, e); err != nil {
		return webhook.TrackRecord{}, wrap("load a write", err)
	}
	if e.revision == 0 {
		return webhook.TrackRecord{}, webhook.ErrNotTracked
	}
	return e.value.Record, nil
}
