package redis

import (
	"context"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/webhook"
)

// Deduplicator is a [webhook.Deduplicator] that processes share. Leases and the memory of what was handled end by the
// clock of Redis alone.
//
// When Redis is down every method fails, because nobody else knows. A [webhook.Receiver] then fails open within a
// request: it handles the event, rather twice than never, because the service may not send it again. From a queue it
// fails closed: the event waits there until Redis answers.
type Deduplicator struct{ store }

// NewDeduplicator gives the Deduplicator on a server. A client that is nil and an option that cannot be used are a
// [webhook.ConfigError].
func NewDeduplicator(client goredis.UniversalClient, options ...StoreOption) (*Deduplicator, error) {
	s, err := newStore(client, "event", options)
	if err != nil {
		return nil, err
	}
	return &Deduplicator{s}, nil
}

// The value of a key says who holds the event, or that it is done.
const (
	done       = "done"
	heldPrefix = "held:"
)

// claim answers with what a key held before, and leaves it alone unless the claimant may have it.
var claim = goredis.NewScript(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`)

var release = goredis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`)

// Claim is as in [webhook.Deduplicator]. A lease is exact to the millisecond.
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

// Commit is as in [webhook.Deduplicator].
func (d *Deduplicator) Commit(ctx context.Context, key string) error {
	if err := d.client.Set(ctx, d.prefix+key, done, time.Duration(d.milliseconds())*time.Millisecond).Err(); err != nil {
		return fmt.Errorf("redis: commit an event: %w", err)
	}
	return nil
}

// Release is as in [webhook.Deduplicator].
func (d *Deduplicator) Release(ctx context.Context, key, owner string) error {
	if err := release.Run(ctx, d.client, d.keys(key), heldPrefix+owner).Err(); err != nil {
		return fmt.Errorf("redis: release an event: %w", err)
	}
	return nil
}
