package redis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
)

// Limiter is a rate limit that all processes of an integration share, for
// [practice.WithLimiter], because the service counts the requests of a client
// over all its processes. Redis grants turns in the order of the requests, by
// its own clock. Each process has one turn in that order. If its caller stops
// waiting, the next caller of the process takes it over, so that callers which
// come and go cost the other processes at most one turn.
//
// When Redis is down the limiter fails open, because failing closed would stop
// the integration: each process continues with a tenth of the limit, and sends
// a request to Redis about once a second. More than ten processes may then
// together exceed the limit, which leads to status 429. So may processes of
// which only some reach Redis, because those share the whole limit: by a tenth
// for each of the others.
type Limiter struct {
	client   goredis.UniversalClient
	prefix   string
	interval time.Duration // interval between two turns
	burst    int
	askLimit time.Duration // time limit for a response of Redis
	onError  func(context.Context, error)
	head     chan struct{} // semaphore of the caller that takes its turn

	mu       sync.Mutex
	waiting  int       // number of callers, including the one that takes its turn
	due      time.Time // latest turn that Redis granted; nobody has used it while it is in the future
	down     bool
	again    time.Time // time of the next request to Redis after a failure
	reported time.Time // time of the last reported failure
	taken    time.Time // time of the last local turn
}

// Constants of a Limiter.
const (
	maxPerSecond = 10_000
	underLimit   = 0.99        // clocks differ, and a bucket of exactly the service's rate would exceed it
	askLimit     = time.Second // time limit for a response of Redis
	askPause     = time.Second // wait before the next request after a failure
	aloneShare   = 10          // without Redis a process takes every tenth turn
)

// NewLimiter returns a limiter for perSecond requests a second with a burst of
// at most burst; by default the service allows 5 and 5. The limiter stays one
// per cent below the rate. The processes must use the same figures. A rate of 0
// or less or above 10,000, a burst below 1, a nil client and an invalid option
// are a [webhook.ConfigError].
func NewLimiter(client goredis.UniversalClient, perSecond float64, burst int, options ...Option) (*Limiter, error) {
	l := &Limiter{
		client: client, burst: burst, askLimit: askLimit, head: make(chan struct{}, 1),
		interval: time.Duration(math.Ceil(1e6/(perSecond*underLimit))) * time.Microsecond,
		onError:  func(context.Context, error) {},
	}
	chosen := settings{onError: &l.onError}
	err := cmp.Or(must(client != nil, "client", notNil), must(burst >= 1, "burst", "must be at least 1"),
		must(perSecond >= 1e-6 && perSecond <= maxPerSecond, "perSecond", "must be greater than 0 and at most 10000"), chosen.apply(options))
	if err != nil {
		return nil, err
	}
	l.prefix = chosen.prefix
	return l, nil
}

// Wait waits for the turn of the caller. If the turn would be after the
// deadline of ctx, Wait takes no turn and returns [practice.ErrRateLimitWait]
// at once. If ctx ends first, Wait returns its error.
func (l *Limiter) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !l.enter(ctx) {
		return practice.ErrRateLimitWait
	}
	defer l.leave()
	select {
	case l.head <- struct{}{}:
		defer func() { <-l.head }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		if l.shouldAsk() {
			wait, err := l.ask(ctx)
			switch {
			case err == nil && wait < 0:
				return practice.ErrRateLimitWait
			case err == nil && backoff.Sleep(ctx, wait) != nil:
				return ctx.Err()
			case err == nil:
				return nil
			}
			l.failed(ctx, err)
		}
		wait := l.localTurn()
		if wait <= 0 {
			return nil
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			return practice.ErrRateLimitWait
		}
		if err := backoff.Sleep(ctx, min(wait, askPause)); err != nil { // Redis may recover earlier
			return ctx.Err()
		}
	}
}

// enter adds a caller, unless its turn cannot come before its deadline: the
// callers before it take one turn each.
func (l *Limiter) enter(ctx context.Context) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	deadline, limited := ctx.Deadline()
	if limited && l.due.Add(time.Duration(l.waiting)*l.interval).After(deadline) {
		return false
	}
	l.waiting++
	return true
}

func (l *Limiter) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting--
}

// ask requests a turn, unless another caller has left one, and returns the wait
// for it; a negative one if it would be too late. The request does not end with
// ctx, because it would then be unknown whether there is a turn.
func (l *Limiter) ask(ctx context.Context) (wait time.Duration, err error) {
	patience := int64(-1)
	if deadline, ok := ctx.Deadline(); ok {
		patience = max(0, time.Until(deadline).Microseconds())
	}
	left, emptied := l.state()
	switch {
	case left > 0 && patience >= 0 && left.Microseconds() > patience:
		return -1, nil
	case left > 0:
		return left, nil
	}
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.askLimit)
	defer cancel()
	keys := []string{l.prefix + "limit"}
	micros, err := take.Run(asking, l.client, keys, l.interval.Microseconds(), l.burst, patience, emptied).Int64()
	wait = time.Duration(micros) * time.Microsecond
	if err == nil && wait >= 0 {
		l.granted(wait)
	}
	return wait, err
}

// state returns how long to wait for a turn that another caller has left, and
// the last argument of the script.
func (l *Limiter) state() (left time.Duration, emptied int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		emptied = 1
	}
	return time.Until(l.due), emptied
}

func (l *Limiter) granted(wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down, l.taken, l.due = false, time.Time{}, time.Now().Add(wait)
}

// shouldAsk reports whether to send a request to Redis, which is rarely the
// case while it is down.
func (l *Limiter) shouldAsk() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.down || !time.Now().Before(l.again)
}

// failed reports a failure to the hook, but only the first of many at the same
// time.
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
		l.onError(ctx, fmt.Errorf("redis: the rate limit applies to this process only: %w", err))
	}
}

// localTurn takes a turn without Redis, or returns how long to wait for one.
func (l *Limiter) localTurn() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if wait := l.taken.Add(aloneShare * l.interval).Sub(now); !l.taken.IsZero() && wait > 0 {
		return wait
	}
	l.taken = now
	return 0
}
