package redis

import (
	"context"
	"encoding/json"
	"errors"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// pending is the value of the key of a write without a failure. That of a
// failed write is the failure as JSON.
const pending = "pending"

// record replaces pending by ARGV[1] and keeps the expiry of the key.
var record = goredis.NewScript(`
local left = redis.call('PTTL', KEYS[1])
if redis.call('GET', KEYS[1]) == 'pending' and left > 0 then redis.call('SET', KEYS[1], ARGV[1], 'PX', left) end
return 0`)

// Register implements [webhook.TrackerStore].
func (s *Store) Register(ctx context.Context, key string) error {
	return wrap("register a write", s.client.SetNX(ctx, s.prefix+ofWrite+key, pending, s.lasts()).Err())
}

// Record implements [webhook.TrackerStore].
func (s *Store) Record(ctx context.Context, key string, failure webhook.WriteError) error {
	text, err := json.Marshal(failure)
	if err != nil {
		return wrap("record a failed write", err)
	}
	return wrap("record a failed write", record.Run(ctx, s.client, s.keys(ofWrite, key), text).Err())
}

// Load implements [webhook.TrackerStore].
func (s *Store) Load(ctx context.Context, key string) (*webhook.WriteError, error) {
	text, err := s.client.Get(ctx, s.prefix+ofWrite+key).Bytes()
	switch {
	case errors.Is(err, goredis.Nil):
		return nil, webhook.ErrNotTracked
	case err != nil:
		return nil, wrap("load a write", err)
	case string(text) == pending:
		return nil, nil //nolint:nilnil // it has not failed
	}
	var failure webhook.WriteError
	if json.Unmarshal(text, &failure) != nil {
		return nil, errUnreadable
	}
	return &failure, nil
}
