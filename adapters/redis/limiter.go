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

// Limiter is one rate limit for all processes of an integration, for [practice.WithLimiter], because the service counts
// the requests of a client over all its processes. Redis grants turns in the order of the requests for them, by its own
// clock. A caller that stops waiting loses its turn.
//
// When Redis is down the limiter fails open: each process keeps to the whole limit on its own, and asks Redis again
// about once a second. Together the processes may exceed the limit, which the service answers with 429; a closed limit
// would stop the integration.
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

// NewLimiter returns a limiter for perSecond requests a second with a burst of at most burst; the service allows 5 and
// 5 by default. The limiter stays one per cent below. All processes must use the same figures. A rate of 0 or less or
// above 10,000, a burst below 1, a nil client and an invalid option are a [webhook.ConfigError].
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

// Wait returns when the turn of the caller comes. When the turn would come after the deadline of ctx, it returns
// [practice.ErrRateLimitWait] at once and takes no turn. When ctx ends first, it returns the error of ctx.
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
