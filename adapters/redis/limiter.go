package redis

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/pause"
	"github.com/practicesdk/practice-go/webhook"
)

// Limiter is a rate limit for all processes of an integration together, for [practice.WithLimiter]: the service counts
// the requests of a client, not of a process. Turns are given in the order in which they are asked for, by the clock of
// Redis. A turn that is not waited for is lost.
//
// When Redis is down it fails open: every process then keeps to the whole limit by itself, and asks Redis again about
// once a second. Together they may overrun the limit; the service answers that with 429, which a client survives, while
// a closed limit would stop the integration for the sake of a helper.
type Limiter struct {
	client   goredis.UniversalClient
	prefix   string
	interval time.Duration // between two turns
	burst    int
	onError  func(context.Context, error)
	alone    *rate.Limiter // the limit without Redis

	mu       sync.Mutex
	down     bool
	again    time.Time // when to ask Redis again after it failed
	reported time.Time // when a failure was reported last
}

// Limits and times of a Limiter.
const (
	maxPerSecond = 10_000
	underLimit   = 0.99        // the clock of the service is another, and a bucket of exactly its rate would overrun it
	askLimit     = time.Second // for one answer of Redis
	askPause     = time.Second // before it is asked again after it failed
)

// NewLimiter gives the limiter of perSecond requests a second with at most burst at once; the service allows 5 and 5
// unless you were told otherwise. It stays one per cent under it. All processes must name the same figures. A rate that
// is not above 0 and at most 10,000, a burst below 1, a client that is nil and an option that cannot be used are a
// [webhook.ConfigError].
func NewLimiter(client goredis.UniversalClient, perSecond float64, burst int, options ...LimiterOption) (*Limiter, error) {
	switch {
	case client == nil:
		return nil, errNoClient()
	case !(perSecond >= 1e-6) || perSecond > maxPerSecond:
		return nil, &webhook.ConfigError{Name: "perSecond", Reason: "must be above 0 and at most 10000"}
	case burst < 1:
		return nil, &webhook.ConfigError{Name: "burst", Reason: "must be at least 1"}
	}
	interval := time.Duration(math.Ceil(1e6/(perSecond*underLimit))) * time.Microsecond
	l := &Limiter{
		client: client, prefix: DefaultPrefix, interval: interval, burst: burst,
		onError: func(context.Context, error) {},
		alone:   rate.NewLimiter(rate.Every(interval), burst),
	}
	for _, option := range options {
		if err := option.applyLimiter(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// take is the generic cell rate algorithm: the key holds when the bucket will be full again. It answers with the wait
// for the turn in microseconds, or -1 and takes no turn when that is longer than the caller can wait.
var take = goredis.NewScript(`
local interval, burst, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + interval
local wait = math.max(0, full - interval * burst - now)
if patience >= 0 and wait > patience then return -1 end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return wait`)

// Wait returns when it is the caller's turn. It is [practice.ErrRateLimitWait], and no turn is taken, when that would
// be after the deadline of ctx, and the error of ctx when that ends first.
func (l *Limiter) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !l.answering() {
		return l.waitAlone(ctx)
	}
	wait, err := l.ask(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		l.failed(ctx, err)
		return l.waitAlone(ctx)
	}
	l.answered()
	if wait < 0 {
		return practice.ErrRateLimitWait
	}
	return pause.Sleep(ctx, wait)
}

// ask takes a turn. The wait is negative when the turn would come too late.
func (l *Limiter) ask(ctx context.Context) (time.Duration, error) {
	patience := int64(-1)
	if deadline, ok := ctx.Deadline(); ok {
		patience = max(0, time.Until(deadline).Microseconds())
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	keys := []string{l.prefix + "limit"}
	wait, err := take.Run(ctx, l.client, keys, l.interval.Microseconds(), l.burst, patience).Int64()
	return time.Duration(wait) * time.Microsecond, err
}

// answering tells whether Redis is worth asking. While it is down that is one caller in a while.
func (l *Limiter) answering() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.down {
		return true
	}
	now := time.Now()
	if now.Before(l.again) {
		return false
	}
	l.again = now.Add(askLimit + askPause)
	return true
}

func (l *Limiter) answered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
}

// failed reports the first of many failures that come together.
func (l *Limiter) failed(ctx context.Context, err error) {
	l.mu.Lock()
	now := time.Now()
	l.down, l.again = true, now.Add(askPause)
	news := now.Sub(l.reported) >= askPause
	if news {
		l.reported = now
	}
	l.mu.Unlock()
	if news {
		l.onError(ctx, fmt.Errorf("redis: the rate limit counts for this process alone: %w", err))
	}
}

func (l *Limiter) waitAlone(ctx context.Context) error {
	err := l.alone.Wait(ctx)
	if err != nil && ctx.Err() == nil {
		return practice.ErrRateLimitWait
	}
	return err
}
