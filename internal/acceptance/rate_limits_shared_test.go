package acceptance_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// listener is a limiter that records the refusals it receives.
type listener struct {
	*rate.Limiter
	mu      sync.Mutex
	refused []time.Duration
}

func (l *listener) Refused(_ context.Context, retryAfter time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused = append(l.refused, retryAfter)
}

var _ practice.RefusalLimiter = (*listener)(nil)

// TestALimiterIsSharedByTheClientsThatAreGivenIt checks that clients of one
// process respect a shared limiter together.
func TestALimiterIsSharedByTheClientsThatAreGivenIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithRateLimit(5, 5))
		limiter := rate.NewLimiter(4.9, 5)
		began := time.Now()
		var all sync.WaitGroup
		for range 3 {
			client := server.Client(t, practice.WithLimiter(limiter))
			all.Go(func() {
				for range 10 {
					assert.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
				}
				_, found := client.RateLimit()
				assert.False(t, found, "nothing was refused")
			})
		}
		all.Wait()
		assert.InDelta(t, 25/4.9, time.Since(began).Seconds(), 0.1)
		for _, sent := range server.Requests() {
			assert.Equal(t, http.StatusOK, sent.Status)
		}
	})
}

// TestALimiterIsToldOfRefusals checks that a RefusalLimiter receives each 429
// once, with its Retry-After, and no other response.
func TestALimiterIsToldOfRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		for _, fault := range []practicetest.Fault{
			{Kind: practicetest.FaultRateLimit, RetryAfter: "7"},
			{Kind: practicetest.FaultStatus, Status: http.StatusTooManyRequests},
			{Kind: practicetest.FaultStatus, Status: http.StatusServiceUnavailable, RetryAfter: "3"},
		} {
			fault.Operation = "getStaff"
			server.Inject(fault)
		}
		limiter := &listener{Limiter: rate.NewLimiter(rate.Inf, 1)}
		client := server.Client(t, practice.WithLimiter(limiter))
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		assert.Equal(t, []time.Duration{7 * time.Second, 0}, limiter.refused)
	})
}

// TestALimiterIsToldOfARefusalThatEndsTheCall checks that a 429 that is not
// retried is reported as well.
func TestALimiterIsToldOfARefusalThatEndsTheCall(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	server.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultRateLimit, RetryAfter: "31"})
	limiter := &listener{Limiter: rate.NewLimiter(rate.Inf, 1)}
	client := server.Client(t, practice.WithLimiter(limiter), practice.WithRetries(0))
	require.ErrorIs(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)), practice.ErrRateLimited)
	assert.Equal(t, []time.Duration{31 * time.Second}, limiter.refused)
}

// TestTheLimitThatWasFoundCanBeRead checks that RateLimit of a client and of
// derived clients is close to the limit of the service.
func TestTheLimitThatWasFoundCanBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithRateLimit(5, 5))
		client := server.Client(t)
		_, found := client.RateLimit()
		require.False(t, found)
		for range 300 {
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		}
		perSecond, found := client.RateLimit()
		assert.True(t, found)
		assert.InDelta(t, 5, perSecond, 1)
		derived, found := client.With(practice.WithUserID("other")).RateLimit()
		assert.True(t, found)
		assert.InDelta(t, perSecond, derived, 0)
	})
}
