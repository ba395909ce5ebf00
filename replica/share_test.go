package replica

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

const perSecond = 5

// contend runs several copies beside others that call without a pause, and
// returns the number of requests of the copies, that of all, and the time.
func contend(t *testing.T, share float64, copies, others int) (own, all int, took time.Duration) {
	t.Helper()
	server := practicetest.New(t, practicetest.WithMatters(3), practicetest.WithEvents(8), practicetest.WithRequestLog(100_000))
	client := server.Client(t, practice.WithRateLimit(perSecond, 1))
	var running, calling sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := make([]*Copy, copies)
	for i := range c {
		c[i] = copyOf(t, client, Options{Share: share})
	}
	other := client.With(practice.WithHeader("X-Caller", "other"))
	for range others {
		calling.Go(func() {
			for ctx.Err() == nil {
				_, err := other.Groups.List(ctx, practice.GroupListOptions{})
				assert.True(t, err == nil || errors.Is(err, context.Canceled), err)
			}
		})
	}
	began := time.Now()
	for _, one := range c {
		running.Go(func() { assert.NoError(t, one.Sync(t.Context())) })
	}
	running.Wait()
	took = time.Since(began)
	stop()
	calling.Wait()
	for _, request := range server.Requests() {
		if all++; request.Header.Get("X-Caller") == "" {
			own++
		}
	}
	return own, all, took
}

// Beside others that call without a pause the copies take at most their shares.
// Alone they use the whole rate.
func TestACopyTakesItsShareOfTheRate(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		share          float64
		copies, others int
	}{
		{0.25, 1, 0}, {0.25, 1, 1}, {0.5, 1, 0}, {0.5, 1, 1}, {0.5, 1, 3}, {0.9, 1, 0}, {0.9, 1, 1}, {0.25, 2, 1}, {0.125, 4, 1},
	} {
		t.Run(fmt.Sprintf("%v each of %d beside %d", of.share, of.copies, of.others), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				own, all, took := contend(t, of.share, of.copies, of.others)
				require.Greater(t, own, 50)
				t.Logf("%d of %d requests, %.2f of the rate", own, all, float64(own)/took.Seconds()/perSecond)
				if of.others == 0 {
					assert.LessOrEqual(t, took.Seconds(), 1.05*float64(own)/perSecond)
					return
				}
				const learning = 3 // requests until the copy knows the wait
				together := of.share * float64(of.copies)
				assert.LessOrEqual(t, float64(own), together*float64(all)+learning*float64(of.copies))
			})
		})
	}
}

// Beside callers that ask again some time after each of their requests, a copy
// gets at most its share: in each order of those that ask at the same time, if the
// others were there first or come later, with and without a burst, and if some of
// its requests are reported late.
func TestAPauseKeepsTheShare(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0.01, 0.1, 0.125, 0.2, 0.25, 0.3, 0.4, 0.49, 0.5, 0.9} {
		for bits := range 1 << 4 {
			set := func(i int, value time.Duration) time.Duration { return value * time.Duration(bits>>i&1) }
			of := contest{first: bits&1 == 1, late: set(1, interval/4), begin: set(2, 30*interval), burst: set(3, 4*interval)}
			for of.others = range 4 {
				for of.between = 0; of.between < interval*3/4; of.between += interval / 31 {
					got, name := of.share(newPace(share)), fmt.Sprintf("%v: %+v", share, of)
					if of.others == 0 {
						assert.InDelta(t, 1, got, 0.05, name)
						continue
					}
					assert.LessOrEqual(t, got, min(share, 0.5)*1.02, name)
					assert.GreaterOrEqual(t, got, min(share, 0.5)/8, name)
				}
			}
		}
	}
}

const interval = time.Second / perSecond

// contest describes a copy and other callers of a limit that serves them in the
// order in which they ask.
type contest struct {
	others         int
	first          bool          // the copy is served first if it asks at once with another
	between, begin time.Duration // after a request of another until it asks again; until it first does
	late           time.Duration // by which some requests of the copy are reported
	burst          time.Duration
}

// share returns the part of the rate that the copy gets.
func (of contest) share(p *pace) float64 {
	const requests = 2000
	start := time.Now()
	var free, ask time.Duration // when the limit is free again; when the copy asks next
	asked, own := 0, 0          // by the copy: in all; since the others began
	serve := func(at time.Duration) (sent time.Duration) {
		sent = max(at, free-of.burst)
		free = max(at, free) + interval
		return sent
	}
	other := slices.Repeat([]time.Duration{of.begin}, of.others)
	for free < requests*interval {
		slices.Sort(other)
		if of.others > 0 && (other[0] < ask || other[0] == ask && !of.first) {
			other[0] = serve(other[0]) + of.between
			continue
		}
		if asked++; ask >= of.begin {
			own++
		}
		p.asked = start.Add(ask)
		sent := serve(ask) + time.Millisecond/2
		if asked%40 == 0 {
			sent += of.late
		}
		p.learn(start.Add(sent))
		ask = sent + max(interval/50, p.pause)
	}
	return float64(own) / float64(requests-of.begin/interval)
}

// queue is a limit that counts who waits.
type queue struct {
	*rate.Limiter
	waiting, most, all atomic.Int64
}

func (q *queue) Wait(ctx context.Context) error {
	q.all.Add(1)
	q.most.Store(max(q.most.Load(), q.waiting.Add(1))) // two at once would be seen by the second
	defer q.waiting.Add(-1)
	return q.Limiter.Wait(ctx)
}

// The pages of a long list, a round, a plan and a verification wait one after
// another.
func TestOneRequestOfACopyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(1200))
		limit := &queue{Limiter: rate.NewLimiter(perSecond, 1)}
		c := copyOf(t, server.Client(t, practice.WithLimiter(limit)), Options{Kinds: []string{"events"}})
		require.NoError(t, c.Sync(t.Context()))
		var running sync.WaitGroup
		running.Go(func() { assert.NoError(t, c.Sync(t.Context())) })
		running.Go(func() { assert.NoError(t, c.Verify(t.Context(), func(d Difference) { t.Error(d) })) })
		running.Go(func() {
			_, err := c.Plan(t.Context(), perSecond)
			assert.NoError(t, err)
		})
		running.Wait()
		assert.Greater(t, limit.all.Load(), int64(8))
		assert.Equal(t, int64(1), limit.most.Load())

		ended, end := context.WithTimeout(t.Context(), time.Second/perSecond/2)
		defer end()
		require.Error(t, c.Sync(ended))
		require.NoError(t, c.Sync(t.Context()), "the turn of a call that ended is free")
	})
}

// Three firms of one client id share a limit: one whose service is slow and one
// that has revoked the access hold up no other.
func TestAFirmHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := rate.NewLimiter(perSecond, 1)
		firm := func(seed uint64, options ...practicetest.Option) (*practicetest.Server, *Copy) {
			server := practicetest.New(t, append(options, practicetest.WithSeed(seed), practicetest.WithMatters(2), practicetest.WithEvents(8))...)
			return server, copyOf(t, server.Client(t, practice.WithLimiter(limit)), Options{Kinds: []string{"contacts", "fees", "roles"}})
		}
		well, copied := firm(1)
		_, slow := firm(2, practicetest.WithLatency(time.Minute/2))
		gone, revoked := firm(3)
		gone.Inject(practicetest.Fault{Status: 401, Times: -1})

		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = slow.Run(ctx, nil) })
		refused := 0
		running.Go(func() {
			_ = revoked.Run(ctx, func(err error) {
				refused++
				assert.ErrorIs(t, err, practice.ErrUnauthorized)
			})
		})
		began := time.Now()
		require.NoError(t, copied.Sync(t.Context()))
		took, sent := time.Since(began), len(well.Requests())
		stop()
		running.Wait()
		assert.Positive(t, refused)
		assert.Less(t, len(gone.Requests()), 5)
		assert.LessOrEqual(t, took.Seconds(), 2*float64(sent)/perSecond, "%d requests", sent)
		assert.Equal(t, served(t, copied), stored(t, copied))
	})
}
