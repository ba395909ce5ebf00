package subscribe_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// answering is a middleware that answers requests itself, unless answer returns
// nil.
func answering(answer func(*http.Request) *http.Response) practice.ClientOption {
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if response := answer(r); response != nil {
				return response, nil
			}
			return next.RoundTrip(r)
		})
	})
}

// Each check renews the token, as the service refuses every one.
func TestAKeeperWhoseTokensAreAllRefusedWaitsAndWakesNoOther(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		const left = "13277179-1410-5c32-a80e-a2b9c71c5d83"
		var refused atomic.Int64
		client := server.Client(t, testkit.ClientCredentials(server), answering(func(r *http.Request) *http.Response {
			if !strings.Contains(r.URL.Path, left) {
				return nil
			}
			refused.Add(1)
			return testkit.AnswerOf(http.StatusUnauthorized, `{}`)
		}))
		gone, stopGone := keep(t, client.ForAccount(left), wanted())
		good, stopGood := keep(t, client, wanted())
		<-time.After(time.Hour)
		_, errs := gone.rounds()
		reports, _ := good.rounds()
		stopGone()
		stopGood()
		assert.LessOrEqual(t, len(errs), 11, "10, 20, 40 seconds and so on up to a quarter of an hour")
		for _, err := range errs {
			require.ErrorIs(t, err, practice.ErrUnauthorized)
		}
		assert.LessOrEqual(t, refused.Load(), int64(2*len(errs)))
		assert.LessOrEqual(t, len(reports), 10, "it checks four times an hour anyway")
	})
}

func TestACreationThatShowsAnotherAccountIsAnError(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, answering(func(r *http.Request) *http.Response {
			if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/webhooks") {
				return nil
			}
			return testkit.AnswerOf(http.StatusCreated, `{"id":"a","accountId":"`+practice.SystemAccountID+`","name":"x"}`)
		}))
		_, err := subscribe.Ensure(t.Context(), client, wanted())
		require.ErrorIs(t, err, practice.ErrNoID)
	})
}

// The subscription vanishes, and another program makes it again with a key of
// its own before the next check.
func TestASubscriptionThatSomebodyElseMadeGetsTheKeyAtTheNextCheck(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		want := wanted()
		want.Key = models.NewSecret("the new key")
		first, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		_, err = client.Webhooks.Delete(t.Context(), first.Subscription.ID)
		require.NoError(t, err)
		former := want
		former.Key = models.NewSecret("the former key")
		_, err = subscribe.Ensure(t.Context(), client, former)
		require.NoError(t, err)

		want.LastCheck = first.Check
		second, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Updated, second.Action)
		assert.Equal(t, []subscribe.Part{subscribe.PartKey}, second.Changes)
		assert.NotNil(t, second.Missed)
		assert.False(t, second.KeyUnknown)

		want.LastCheck = second.Check
		third, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Kept, third.Action, "once is enough")
	})
}

// The token is revoked while nobody uses it, and the check at the interval gets
// another one.
func TestATokenThatACheckRenewsDoesNotWakeKeep(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server))
		k, stop := keep(t, client, wanted())
		defer stop()
		for range 4 {
			<-time.After(subscribe.DefaultInterval - time.Second)
			server.ExpireTokens()
			<-time.After(time.Second)
			k.rounds()
		}
		_, errs := k.rounds()
		assert.Len(t, errs, 5, "one at once, and one for each interval")
	})
}
