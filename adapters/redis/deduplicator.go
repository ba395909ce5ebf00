package redis

import (
	"context"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// The value of a key is the owner of the event, or marks it as done.
const (
	done       = "done"
	heldPrefix = "held:"
)

// claim sets a key to the owner ARGV[1] for ARGV[2] milliseconds and returns
// "". If the key has another value, it returns that value and changes nothing.
var claim = goredis.NewScript(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`)

var release = goredis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`)

// Claim implements [webhook.Deduplicator]. Leases have a resolution of a
// millisecond.
func (s *Store) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	held, err := claim.Run(ctx, s.client, s.keys(ofEvent, key), heldPrefix+owner, milliseconds(lease)).Text()
	switch {
	case err != nil:
		return 0, wrap("claim an event", err)
	case held == "":
		return webhook.ClaimNew, nil
	case held == done:
		return webhook.ClaimDone, nil
	default:
		return webhook.ClaimInProgress, nil
	}
}

// Commit implements [webhook.Deduplicator].
func (s *Store) Commit(ctx context.Context, key string) error {
	return wrap("commit an event", s.client.Set(ctx, s.prefix+ofEvent+key, done, s.lasts()).Err())
}

// Release implements [webhook.Deduplicator].
func (s *Store) Release(ctx context.Context, key, owner string) error {
	return wrap("release an event", release.Run(ctx, s.client, s.keys(ofEvent, key), heldPrefix+owner).Err())
}
