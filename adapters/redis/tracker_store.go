package redis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// TrackerStore is a [webhook.TrackerStore] for several processes: one may write
// and another receive.
//
// When Redis is down every method fails. Do not send a write that could not be
// registered. An outcome is then an error instead of pending, and a
// [webhook.Receiver] answers an error event with 503 or keeps it in its queue.
// It handles other events as usual.
type TrackerStore struct{ store }

// NewTrackerStore returns the TrackerStore on a server. A nil client and an
// invalid option are a [webhook.ConfigError].
func NewTrackerStore(client goredis.UniversalClient, options ...StoreOption) (*TrackerStore, error) {
	s, err := newStore(client, "write", options)
	if err != nil {
		return nil, err
	}
	return &TrackerStore{s}, nil
}

// The fields of the hash that is a record.
const (
	registered = "registered"
	failed     = "failed"
	observed   = "observed"
)

var register = goredis.NewScript(`
if redis.call('HSETNX', KEYS[1], 'registered', ARGV[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`)

var record = goredis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) end
return 0`)

// Register implements [webhook.TrackerStore].
func (s *TrackerStore) Register(ctx context.Context, key string, at time.Time) error {
	err := register.Run(ctx, s.client, s.keys(key), at.UTC().Format(time.RFC3339Nano), s.milliseconds()).Err()
	if err != nil {
		return fmt.Errorf("redis: register a write: %w", err)
	}
	return nil
}

// Record implements [webhook.TrackerStore].
func (s *TrackerStore) Record(ctx context.Context, key string, event webhook.TrackedEvent) error {
	field := observed
	if event.Failure != nil {
		field = failed
	}
	text, err := json.Marshal(event)
	if err != nil {
		return fmt.Errorf("redis: record an event: %w", err)
	}
	if err := record.Run(ctx, s.client, s.keys(key), field, text).Err(); err != nil {
		return fmt.Errorf("redis: record an event: %w", err)
	}
	return nil
}

// Load implements [webhook.TrackerStore].
func (s *TrackerStore) Load(ctx context.Context, key string) (webhook.TrackRecord, error) {
	fields, err := s.client.HGetAll(ctx, s.prefix+key).Result()
	if err != nil {
		return webhook.TrackRecord{}, fmt.Errorf("redis: load a write: %w", err)
	}
	if len(fields) == 0 {
		return webhook.TrackRecord{}, webhook.ErrNotTracked
	}
	var r webhook.TrackRecord
	if r.Registered, err = time.Parse(time.RFC3339Nano, fields[registered]); err != nil {
		return webhook.TrackRecord{}, errUnreadable
	}
	return r, errors.Join(decode(fields, failed, &r.Failed), decode(fields, observed, &r.Observed))
}

func decode(fields map[string]string, name string, event **webhook.TrackedEvent) error {
	text, ok := fields[name]
	if !ok {
		return nil
	}
	if json.Unmarshal([]byte(text), event) != nil {
		return errUnreadable
	}
	return nil
}
