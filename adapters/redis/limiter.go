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
// its own clock. Each process has one request in that order, so a caller that
// stops waiting costs the others at most one turn.
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
	due      time.Time // turn for which that one waits; the zero time if it does not
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
		must(perSecond >= 1e-6 && perSecond <= maxPerSecond, "perSecond", "must be above 0 and at most 10000"), chosen.apply(options))
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
			wait, turn, err := l.ask(ctx)
			switch {
			case err == nil && wait < 0:
				return practice.ErrRateLimitWait
			case err == nil:
				return l.await(ctx, wait, turn)
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
	if limited && !l.due.IsZero() && l.due.Add(time.Duration(l.waiting)*l.interval).After(deadline) {
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

// await waits for a granted turn. If ctx ends first, it returns the turn to
// Redis, which takes it back if no later one has been granted.
func (l *Limiter) await(ctx context.Context, wait, turn time.Duration) error {
	l.setDue(time.Now().Add(wait))
	defer l.setDue(time.Time{})
	if backoff.Sleep(ctx, wait) == nil {
		return nil
	}
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.askLimit)
	defer cancel()
	if err := giveBack.Run(asking, l.client, l.keys(), l.interval.Microseconds(), turn.Microseconds()).Err(); err != nil {
		l.failed(ctx, err)
	}
	return ctx.Err()
}

func (l *Limiter) setDue(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = at
}

func (l *Limiter) keys() []string { return []string{l.prefix + "limit"} }

// ask requests a turn and returns the wait for it; a negative one if it would
// be too late. The request does not end with ctx, because it would then be
// unknown whether there is a turn to return.
func (l *Limiter) ask(ctx context.Context) (wait, turn time.Duration, err error) {
	patience := int64(-1)
	if deadline, ok := ctx.Deadline(); ok {
		patience = max(0, time.Until(deadline).Microseconds())
	}
	emptied := 0
	if l.isDown() {
		emptied = 1
	}
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.askLimit)
	defer cancel()
	answer, err := take.Run(asking, l.client, l.keys(), l.interval.Microseconds(), l.burst, patience, emptied).Int64Slice()
	switch {
	case err != nil:
		return 0, 0, err
	case len(answer) != 2:
		return 0, 0, fmt.Errorf("a response of %d values", len(answer))
	}
	wait, turn = time.Duration(answer[0])*time.Microsecond, time.Duration(answer[1])*time.Microsecond
	if wait >= 0 {
		l.recovered()
	}
	return wait, turn, nil
}

func (l *Limiter) isDown() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down
}

func (l *Limiter) recovered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down, l.taken = false, time.Time{}
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
