package redis

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// Fields of the hash of a record.
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
func (s *Store) Register(ctx context.Context, key string, at time.Time) error {
	return wrap("register a write",
		register.Run(ctx, s.client, s.keys(ofWrite, key), at.UTC().Format(time.RFC3339Nano), s.milliseconds()).Err())
}

// Record implements [webhook.TrackerStore].
func (s *Store) Record(ctx context.Context, key string, event webhook.TrackedEvent) error {
	field := observed
	if event.Failure != nil {
		field = failed
	}
	text, err := json.Marshal(event)
	if err != nil {
		return wrap("record an event", err)
	}
	return wrap("record an event", record.Run(ctx, s.client, s.keys(ofWrite, key), field, text).Err())
}

// Load implements [webhook.TrackerStore].
func (s *Store) Load(ctx context.Context, key string) (webhook.TrackRecord, error) {
	fields, err := s.client.HGetAll(ctx, s.prefix+ofWrite+key).Result()
	if err != nil {
		return webhook.TrackRecord{}, wrap("load a write", err)
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
