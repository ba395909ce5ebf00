package redis

import (
	"context"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// Deduplicator is a [webhook.Deduplicator] for several processes. Only the
// clock of Redis ends leases and retention.
//
// When Redis is down every method fails. A [webhook.Receiver] then handles an
// event within its request, because the service may not send it again and
// handling it twice is better than losing it. An event from a queue waits until
// Redis answers.
type Deduplicator struct{ store }

// NewDeduplicator returns the Deduplicator on a server. A nil client and an
// invalid option are a [webhook.ConfigError].
func NewDeduplicator(client goredis.UniversalClient, options ...StoreOption) (*Deduplicator, error) {
	s, err := newStore(client, "event", options)
	if err != nil {
		return nil, err
	}
	return &Deduplicator{s}, nil
}

// The value of a key names the owner of the event, or marks it as done.
const (
	done       = "done"
	heldPrefix = "held:"
)

// claim answers with what a key held before, and leaves it alone unless the
// claimant may have it.
var claim = goredis.NewScript(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`)

var release = goredis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`)

// Claim implements [webhook.Deduplicator]. A lease is exact to the millisecond.
func (d *Deduplicator) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	held, err := claim.Run(ctx, d.client, d.keys(key), heldPrefix+owner, milliseconds(lease)).Text()
	switch {
	case err != nil:
		return 0, fmt.Errorf("redis: claim an event: %w", err)
	case held == "":
		return webhook.ClaimNew, nil
	case held == done:
		return webhook.ClaimDone, nil
	default:
		return webhook.ClaimInProgress, nil
	}
}

// Commit implements [webhook.Deduplicator].
func (d *Deduplicator) Commit(ctx context.Context, key string) error {
	if err := d.client.Set(ctx, d.prefix+key, done, time.Duration(d.milliseconds())*time.Millisecond).Err(); err != nil {
		return fmt.Errorf("redis: commit an event: %w", err)
	}
	return nil
}

// Release implements [webhook.Deduplicator].
func (d *Deduplicator) Release(ctx context.Context, key, owner string) error {
	if err := release.Run(ctx, d.client, d.keys(key), heldPrefix+owner).Err(); err != nil {
		return fmt.Errorf("redis: release an event: %w", err)
	}
	return nil
}
