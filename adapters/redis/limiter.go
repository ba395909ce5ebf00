package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
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
// its own clock. The turn of a caller that stops waiting is granted to the next
// caller.
//
// When Redis is down the limiter fails open, because failing closed would stop
// the integration: each process continues with four fifths of the share of the
// limit that it had over the last minute, at least a tenth of the limit, and
// sends a request to Redis about once a second. When Redis has recovered, and
// callers would wait for more than a second, its queue may hold turns that
// could not be returned meanwhile. So for its first responses each process
// continues as before and returns its own turns. More than ten processes that
// were idle before may together exceed the limit, which leads to status 429.
type Limiter struct {
	client   goredis.UniversalClient
	prefix   string
	interval time.Duration // interval between two turns
	burst    int
	askLimit time.Duration // time limit for a response of Redis
	onError  func(context.Context, error)

	mu       sync.Mutex
	down     bool
	doubted  int       // number of responses since Redis was last down
	again    time.Time // time of the next request to Redis after a failure
	reported time.Time // time of the last reported failure
	share    share
	clock    clock
	promises promises
	returns  returns
	taken    time.Time     // time of the last local turn while Redis is down; zero if there was none
	every    time.Duration // interval between two local turns
}

// share measures the part of the limit that this process uses. Only used turns
// count: a returned one goes to another process.
type share struct {
	perSecond float64   // average rate before the last turn
	first     time.Time // first turn; zero if there was none
	last      time.Time // latest turn; zero if there was none
}

// shareTime is the time over which the share is averaged. Redis grants several
// turns at a time to one process after another, so over a short time each
// process would measure more than its part.
const (
	shareTime = time.Minute
	leastTime = 10 * time.Second // minimum averaging time for a new process
)

// add counts a used turn.
func (s *share) add(turn time.Time) {
	if s.first.IsZero() {
		s.first = turn
	}
	s.perSecond = s.decayed(turn) + 1/shareTime.Seconds()
	if turn.After(s.last) {
		s.last = turn
	}
}

// at returns the share at a time, averaged since the first turn.
func (s *share) at(t time.Time) float64 {
	ran := max(t.Sub(s.first), leastTime)
	return s.decayed(t) / (1 - math.Exp(-ran.Seconds()/shareTime.Seconds()))
}

func (s *share) decayed(t time.Time) float64 {
	return s.perSecond * math.Exp(-max(0, t.Sub(s.last).Seconds())/shareTime.Seconds())
}

// Constants of a Limiter.
const (
	maxPerSecond = 10_000
	underLimit   = 0.99        // clocks differ, and a bucket of exactly the service's rate would exceed it
	askLimit     = time.Second // time limit for a response of Redis
	askPause     = time.Second // wait before the next request after a failure
	mostDoubts   = 8           // number of responses after which the queue of a recovered Redis is trusted

	ofShare    = 0.8 // the shares of all processes are not known exactly
	leastShare = 0.1 // minimum share, also for a process whose share is unknown
)

// NewLimiter returns a limiter for perSecond requests a second with a burst of
// at most burst; by default the service allows 5 and 5. The limiter stays one
// per cent below the rate. The processes must use the same figures. A rate of 0
// or less or above 10,000, a burst below 1, a nil client and an invalid option
// are a [webhook.ConfigError].
func NewLimiter(client goredis.UniversalClient, perSecond float64, burst int, options ...LimiterOption) (*Limiter, error) {
	err := cmp.Or(must(client != nil, "client", notNil), must(burst >= 1, "burst", "must be at least 1"),
		must(perSecond >= 1e-6 && perSecond <= maxPerSecond, "perSecond", "must be above 0 and at most 10000"))
	if err != nil {
		return nil, err
	}
	interval := time.Duration(math.Ceil(1e6/(perSecond*underLimit))) * time.Microsecond
	l := &Limiter{
		client: client, prefix: DefaultPrefix, interval: interval, burst: burst, askLimit: askLimit, returns: returns{name: rand.Text()},
		onError: func(context.Context, error) {}, promises: promises{},
	}
	for _, option := range options {
		if err := option.applyLimiter(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Wait waits for the turn of the caller. If the turn would be after the
// deadline of ctx, Wait takes no turn and returns [practice.ErrRateLimitWait]
// at once. If ctx ends first, Wait returns the turn to the limiter and returns
// the error of ctx.
func (l *Limiter) Wait(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.shouldAsk() {
			turn, err := l.ask(ctx)
			switch {
			case err == nil && turn == nil:
				return practice.ErrRateLimitWait
			case err == nil:
				return l.await(ctx, turn)
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

// await waits for a turn, and returns it to the limiter if ctx ends first. If
// Redis is down then, the next call that reaches it returns the turn.
func (l *Limiter) await(ctx context.Context, turn *promise) error {
	came := ctx.Err() == nil && backoff.Sleep(ctx, time.Until(turn.at)) == nil
	down := l.ended(turn, came)
	if came {
		return nil
	}
	if !down {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.askLimit)
		defer cancel()
		if _, _, err := l.run(asking, returnTurns); err != nil {
			l.failed(ctx, err)
		}
	}
	return ctx.Err()
}

// ended records the end of the wait for a turn, and reports whether Redis is
// down.
func (l *Limiter) ended(turn *promise, came bool) (down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.promises, turn)
	if !came {
		l.returns.add(turn)
		return l.down
	}
	now := time.Now()
	l.share.add(now)
	if l.down {
		l.taken = now
	}
	return l.down
}

func (l *Limiter) keys() []string { return []string{l.prefix + "limit"} }

// ask requests a turn. It takes none that would be too late. The request does
// not end with ctx, because it would then be unknown whether there is a turn to
// return.
func (l *Limiter) ask(ctx context.Context) (*promise, error) {
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.askLimit)
	defer cancel()
	doubted := l.inDoubt()
	answer, turn, err := l.take(asking, longestWait(ctx), doubted)
	if err == nil && answer == late { // the response arrived in time, so the known clock difference was wrong; it is corrected now
		answer, turn, err = l.take(asking, longestWait(ctx), doubted)
	}
	switch {
	case err != nil:
		return nil, err
	case answer == late:
		return nil, errClock
	case answer == old:
		return nil, errOldTurns
	}
	return l.answered(time.Duration(answer)*time.Microsecond, turn), nil
}

// inDoubt reports whether Redis has just recovered. Its queue may hold old
// turns that could not be returned. So each process continues without it for
// some responses, until all processes have returned theirs.
func (l *Limiter) inDoubt() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down && l.doubted < mostDoubts
}

// errOldTurns reports a recovered Redis whose queue may hold old turns.
var errOldTurns = errors.New("the turns that Redis counts may be of before it was away")

// errClock reports a Redis whose clock changes too much between two responses.
var errClock = errors.New("the clock of Redis is unsteady")

// longestWait returns how long the caller can wait, in microseconds; -1 means
// no limit.
func longestWait(ctx context.Context) int64 {
	if deadline, ok := ctx.Deadline(); ok {
		return max(0, time.Until(deadline).Microseconds())
	}
	return -1
}

// take waits for a response until asking ends, and takes no turn afterwards.
func (l *Limiter) take(asking context.Context, patience int64, doubted bool) (wait, turn int64, err error) {
	used, elsewhere, last := l.used(asking)
	worth := int64(-1) // do not wait longer for a queue in doubt than until the next request
	if doubted {
		worth = askPause.Microseconds()
	}
	return l.run(asking, take, patience, used.Microseconds(), last, elsewhere.Microseconds(), worth)
}

// run runs a script, which also processes returned turns, and records the state
// in its response.
func (l *Limiter) run(asking context.Context, script *goredis.Script, more ...any) (wait, turn int64, err error) {
	arguments := append(l.state(), more...)
	answer, err := script.Run(asking, l.client, l.keys(), arguments...).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	if len(answer) != 5 {
		return 0, 0, fmt.Errorf("an answer of %d values", len(answer))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock.learn(answer[1])
	l.returns.learn(answer[2], answer[3])
	return answer[0], answer[4], nil
}

// state returns the arguments common to all scripts.
func (l *Limiter) state() []any {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		l.returns.forget()
	}
	return []any{l.interval.Microseconds(), l.burst, l.returns.name, l.returns.queue, l.returns.known, l.returns.text()}
}

// used returns for how long, at least, the bucket is not full because of turns
// that this process took without Redis. elsewhere is the same for a Redis with
// another queue. The third result is the time of Redis until which the caller
// waits for its response.
func (l *Limiter) used(asking context.Context) (used, elsewhere time.Duration, last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if deadline, ok := asking.Deadline(); ok {
		last = l.clock.at(deadline)
	}
	ahead := max(0, time.Until(l.promises.last()))
	if l.down || ahead > 0 {
		elsewhere = ahead + l.interval*time.Duration(l.burst)
	}
	if l.down {
		used = elsewhere
	}
	return used, elsewhere, last
}

// shouldAsk reports whether to send a request to Redis, which is rarely the
// case while it is down.
func (l *Limiter) shouldAsk() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.down {
		return true
	}
	now := time.Now()
	if now.Before(l.again) {
		return false
	}
	l.again = now.Add(l.askLimit + askPause)
	return true
}

// answered records a response, and the turn unless the wait is negative.
func (l *Limiter) answered(wait time.Duration, turn int64) *promise {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down, l.doubted = false, 0
	if wait < 0 {
		return nil
	}
	granted := &promise{time.Now().Add(wait), l.returns.queue, turn}
	l.promises[granted] = struct{}{}
	return granted
}

// failed reports a failure to the hook, but only the first of many at the same
// time.
func (l *Limiter) failed(ctx context.Context, err error) {
	l.mu.Lock()
	now := time.Now()
	if !l.down {
		l.begin(now)
	}
	if errors.Is(err, errOldTurns) {
		l.doubted++
	}
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

// begin sets the local rate while Redis is down, according to the measured
// share.
func (l *Limiter) begin(now time.Time) {
	whole := 1 / l.interval.Seconds()
	share := min(max(l.share.at(now)*ofShare, whole*leastShare), whole*ofShare)
	l.every, l.taken = time.Duration(float64(time.Second)/share), time.Time{}
}

// localTurn takes a turn without Redis, after the turns already granted to this
// process, or returns how long to wait for one.
func (l *Limiter) localTurn() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.down {
		return time.Millisecond // Redis has recovered
	}
	now, last := time.Now(), l.taken
	if promised := l.promises.last(); promised.After(last) {
		last = promised
	}
	if !last.IsZero() {
		if wait := last.Add(l.every).Sub(now); wait > 0 {
			return wait
		}
	}
	l.taken = now
	return 0
}
