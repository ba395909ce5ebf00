package subscribe_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// keeper runs Keep and records what it yields.
type keeper struct {
	mu      sync.Mutex
	reports []*subscribe.Report
	errs    []error
}

func keep(t *testing.T, client *practice.Client, want subscribe.Spec) (k *keeper, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	k = &keeper{}
	running.Go(func() {
		for report, err := range subscribe.Keep(ctx, client, want) {
			k.mu.Lock()
			k.reports, k.errs = append(k.reports, report), append(k.errs, err)
			k.mu.Unlock()
		}
	})
	synctest.Wait()
	return k, func() {
		cancel()
		running.Wait()
	}
}

// rounds waits until all goroutines are idle, and returns the checks so far.
func (k *keeper) rounds() ([]*subscribe.Report, []error) {
	synctest.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.reports, k.errs
}

func TestKeepChecksAtOnceAndAtTheInterval(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server))
		k, stop := keep(t, client, wanted())
		defer stop()
		reports, errs := k.rounds()
		require.Len(t, reports, 1, "the token that the first check brings is no reason for another")
		require.NoError(t, errs[0])
		assert.Equal(t, subscribe.Created, reports[0].Action)

		<-time.After(subscribe.DefaultInterval - time.Second)
		reports, _ = k.rounds()
		require.Len(t, reports, 1)
		<-time.After(2 * time.Second)
		reports, _ = k.rounds()
		require.Len(t, reports, 2)
		assert.Equal(t, subscribe.Kept, reports[1].Action)
		assert.Nil(t, reports[1].Missed)
	})
}

func TestKeepRecreatesWhatVanishedAndReportsTheGap(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		want := wanted()
		want.Interval, want.WriteKey = time.Minute, true
		k, stop := keep(t, client, want)
		defer stop()
		reports, _ := k.rounds()
		require.Len(t, reports, 1)
		<-time.After(90 * time.Second) // the second check, which does not write the key
		_, err := client.Webhooks.Delete(t.Context(), reports[0].Subscription.ID)
		require.NoError(t, err)
		<-time.After(time.Minute)
		reports, errs := k.rounds()
		require.Len(t, reports, 3)
		require.NoError(t, errs[2])
		assert.Equal(t, subscribe.Kept, reports[1].Action)
		assert.Equal(t, subscribe.Created, reports[2].Action)
		require.NotNil(t, reports[2].Missed)
		assert.Equal(t, reports[1].Check.At, reports[2].Missed.Since)
		assert.Len(t, listed(t, client), 2)
		assert.Equal(t, server.Firm().WebhookID, listed(t, client)[0].ID)
	})
}

func TestKeepIsWokenByANewTokenOfAnyClientThatSharesIt(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		var granted atomic.Int64
		client := server.Client(t, practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(auth.Grant) { granted.Add(1) }}))
		want := wanted()
		want.Interval = 24 * time.Hour
		k, stop := keep(t, client, want)
		defer stop()
		reports, _ := k.rounds()
		require.Len(t, reports, 1)
		assert.Equal(t, int64(1), granted.Load(), "the hook of the caller is still called")

		// Another user deletes the subscription, and the access token expires.
		_, err := client.Webhooks.Delete(t.Context(), reports[0].Subscription.ID)
		require.NoError(t, err)
		server.ExpireTokens()
		_, err = client.With(practice.WithRetries(0)).Staff.Get(t.Context(), server.Firm().StaffID)
		require.NoError(t, err)
		reports, errs := k.rounds()
		require.Len(t, reports, 2, "without waiting for the interval")
		require.NoError(t, errs[1])
		assert.Equal(t, subscribe.Created, reports[1].Action)
		assert.NotNil(t, reports[1].Missed)
	})
}

func TestWhoeverRenewsATokenNeverWaitsForACheck(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		var hold atomic.Bool
		release := make(chan struct{})
		client := server.Client(t, testkit.ClientCredentials(server), practice.WithAttemptTimeout(0), practice.WithTimeout(0),
			practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					if hold.Load() && r.URL.Path[len(r.URL.Path)-len("/webhooks"):] == "/webhooks" {
						<-release
					}
					return next.RoundTrip(r)
				})
			}))
		k, stop := keep(t, client, wanted())
		defer stop()
		hold.Store(true)
		for range 3 { // each renewal wakes Keep, whose check now hangs
			server.ExpireTokens()
			_, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
			require.NoError(t, err)
			synctest.Wait() // the first one starts a check before the next one comes
		}
		reports, _ := k.rounds()
		require.Len(t, reports, 1)
		hold.Store(false)
		close(release)
		<-time.After(11 * time.Second)
		reports, errs := k.rounds()
		require.Len(t, reports, 3, "one for the renewal that began the check, and one for all that came while it hung")
		require.NoError(t, errs[2])
	})
}

func TestKeepRepeatsAFailedCheckLessAndLessOften(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "listWebhooks", Status: 400, Times: 4})
		want := wanted()
		want.Interval = time.Minute
		k, stop := keep(t, client, want)
		defer stop()
		for i, at := range []time.Duration{0, 10, 30, 70, 130} { // a wait is at most the interval
			_, errs := k.rounds()
			require.Len(t, errs, i+1, "at second %d", at)
			if i < 4 {
				require.ErrorIs(t, errs[i], practice.ErrBadRequest)
				<-time.After([]time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}[i])
			} else {
				require.NoError(t, errs[i])
			}
		}
		<-time.After(time.Minute)
		reports, _ := k.rounds()
		require.Len(t, reports, 6)
	})
}

func TestKeepAsksForATokenOnceWhenThereIsNone(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "token", Status: 400, Times: -1})
		client := server.Client(t, testkit.ClientCredentials(server))
		k, stop := keep(t, client, wanted())
		defer stop()
		reports, errs := k.rounds()
		require.Len(t, reports, 1)
		assert.Nil(t, reports[0])
		var refused *auth.TokenError
		require.ErrorAs(t, errs[0], &refused)
		assert.Len(t, server.Requests(), 1)
		server.ClearFaults()
		<-time.After(11 * time.Second)
		reports, errs = k.rounds()
		require.NoError(t, errs[1])
		assert.Equal(t, subscribe.Created, reports[1].Action)
	})
}

func TestKeepEndsWithItsCallerAndWithItsContext(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		rounds := 0
		for range subscribe.Keep(t.Context(), client, wanted()) {
			rounds++
			break
		}
		assert.Equal(t, 1, rounds)

		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range subscribe.Keep(ctx, client, wanted()) {
			rounds++
			cancel()
		}
		assert.Equal(t, 2, rounds, "an ended context is not reported")
		server.ResetRequests()
		for range subscribe.Keep(ctx, client, wanted()) {
			rounds++
		}
		assert.Equal(t, 2, rounds)
		assert.Empty(t, server.Requests())
	})
}

func TestKeepWorksWithoutAGrant(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("http://127.0.0.1:1/v1", practice.WithoutCredentials(), practice.WithRetries(0), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }),
	}))
	require.NoError(t, err)
	for report, err := range subscribe.Keep(t.Context(), client, wanted()) {
		assert.Nil(t, report)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		break
	}
}
