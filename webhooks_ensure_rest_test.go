package practice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// rewriting gives a client whose bodies reach the service as another form of
// themselves.
func rewriting(t *testing.T, server *practicetest.Server, forms ...string) *practice.Client {
	t.Helper()
	return practicetestClient(t, server, func(r *http.Request) {
		if r.Body == nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		text := strings.NewReplacer(forms...).Replace(string(body))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader([]byte(text))), int64(len(text))
	})
}

func stored(t *testing.T, check practice.WebhookCheck) (again practice.WebhookCheck) {
	t.Helper()
	text, err := json.Marshal(check)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &again))
	return again
}

// withAndWithoutSubscription runs a test where the subscription is still to be
// made, and where it is there.
func withAndWithoutSubscription(t *testing.T, name string, test func(t *testing.T, server *practicetest.Server)) {
	t.Helper()
	for suffix, there := range map[string]bool{"": false, ", of one that is there": true} {
		t.Run(name+suffix, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if there {
					require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("fee.updated", "error", "matter.updated"))))
					server.ResetRequests()
				}
				test(t, server)
			})
		})
	}
}

// A service may normalise an address, or retire a type of events. Writing the
// same again changes nothing.
func TestEnsureComesToRestWhenTheServiceKeepsAnotherForm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forms []string
		parts []practice.WebhookChange
	}{
		"of the address":           {[]string{"/in", "/in/"}, []practice.WebhookChange{"eventNotificationUrl"}},
		"of the name":              {[]string{`"Matters"`, `"MATTERS"`}, []practice.WebhookChange{"name"}},
		"of the name and address":  {[]string{`"Matters"`, `"MATTERS"`, "/in", "/in/"}, []practice.WebhookChange{"name", "eventNotificationUrl"}},
		"without one of the types": {[]string{`,"matter.updated"`, ``}, []practice.WebhookChange{"eventTypes"}},
	} {
		withAndWithoutSubscription(t, name, func(t *testing.T, server *practicetest.Server) {
			client, want := rewriting(t, server, test.forms...), wanted()
			for round := range 10 {
				report, err := client.Webhooks.Ensure(t.Context(), want)
				require.NoError(t, err)
				assert.Equal(t, test.parts, report.Unattained, "round %d", round)
				if round > 2 {
					assert.Equal(t, practice.WebhookKept, report.Action)
					assert.Nil(t, report.Missed)
				}
				want.LastCheck = stored(t, report.Check)
				<-time.After(time.Minute)
			}
			assert.LessOrEqual(t, len(writes(server)), 2)
			server.ResetRequests()
			want.EventTypes = append(want.EventTypes, "fee.updated")
			report, err := client.Webhooks.Ensure(t.Context(), want)
			require.NoError(t, err)
			assert.Equal(t, practice.WebhookUpdated, report.Action, "another wish is written")
		})
	}
}

// normalisingLater gives a client to which the service shows another form of
// what it was told a minute after the last write.
func normalisingLater(t *testing.T, server *practicetest.Server, forms ...string) *practice.Client {
	t.Helper()
	var written time.Time
	return server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet {
				written = time.Now()
			}
			res, err := next.RoundTrip(r)
			if err != nil || r.Method != http.MethodGet || time.Since(written) < time.Minute {
				return res, err
			}
			body, err := io.ReadAll(res.Body)
			return testkit.AnswerOf(res.StatusCode, strings.NewReplacer(forms...).Replace(string(body))), errors.Join(err, res.Body.Close())
		})
	}))
}

func TestEnsureComesToRestWhenTheServiceChangesTheFormLater(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forms []string
		parts []practice.WebhookChange
	}{
		"of the address":           {[]string{`/in"`, `/in/"`}, []practice.WebhookChange{"eventNotificationUrl"}},
		"of the name and address":  {[]string{`"Matters"`, `"MATTERS"`, `/in"`, `/in/"`}, []practice.WebhookChange{"name", "eventNotificationUrl"}},
		"without one of the types": {[]string{`,"matter.updated"`, ``}, []practice.WebhookChange{"eventTypes"}},
	} {
		withAndWithoutSubscription(t, name, func(t *testing.T, server *practicetest.Server) {
			client, want := normalisingLater(t, server, test.forms...), wanted()
			for round := range 10 {
				report, err := client.Webhooks.Ensure(t.Context(), want)
				require.NoError(t, err)
				if round > 2 {
					assert.Equal(t, practice.WebhookKept, report.Action, "round %d", round)
					assert.Equal(t, test.parts, report.Unattained)
					assert.Nil(t, report.Missed)
				}
				want.LastCheck = stored(t, report.Check)
				<-time.After(15 * time.Minute)
			}
			assert.LessOrEqual(t, len(writes(server)), 3)
		})
	}
}

// The service does not prefer another form when it once kept the form that was
// asked for.
func TestEnsureRepairsAgainAndAgainWhatSomebodyChanges(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		want, theirs := wanted(), wanted()
		theirs.EventNotificationURL += "/theirs"
		for round := range 6 {
			for range 2 {
				report, err := client.Webhooks.Ensure(t.Context(), want)
				require.NoError(t, err)
				assert.Empty(t, report.Unattained, "round %d", round)
				want.LastCheck = stored(t, report.Check)
				<-time.After(15 * time.Minute)
			}
			require.NoError(t, testkit.Discard(client.Webhooks.Ensure(t.Context(), theirs)))
		}
	})
}

// behind answers for the list of subscriptions as if there were none, while it
// is true.
func behind(t *testing.T, server *practicetest.Server, lags *bool, lose *bool) *practice.Client {
	t.Helper()
	return server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if *lags && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/webhooks") {
				return testkit.AnswerOf(200, `{"value":[],"size":0}`), nil
			}
			res, err := next.RoundTrip(r)
			if *lose && r.Method == http.MethodPost && err == nil {
				*lose = false
				return nil, errors.Join(errors.New("the answer is lost"), res.Body.Close())
			}
			return res, err
		})
	}))
}

func TestEnsureReadsWhatItMadeBeforeItMakesAnother(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		lags, lose, want := true, false, wanted()
		client := behind(t, server, &lags, &lose)
		for range 4 {
			report, err := client.Webhooks.Ensure(t.Context(), want)
			require.NoError(t, err)
			want.LastCheck = stored(t, report.Check)
		}
		assert.Equal(t, []string{"POST /webhooks"}, writes(server))
	})
}

func TestACreationWhoseAnswerIsLostReportsItsGap(t *testing.T) {
	t.Parallel()
	for _, lagging := range []bool{false, true} {
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
			lags, lose := lagging, true
			client, checks := behind(t, server, &lags, &lose), 0
			for report, err := range client.Webhooks.Keep(t.Context(), wanted()) {
				if checks++; lagging && checks == 1 {
					require.Error(t, err, "nobody knows")
					lags = false
					continue
				}
				require.NoError(t, err)
				require.NotNil(t, report.Missed)
				assert.True(t, report.Missed.Since.IsZero())
				break
			}
			assert.Equal(t, []string{"POST /webhooks"}, writes(server))
		})
	}
}

func TestEnsureLooksAgainAfterACreation(t *testing.T) {
	t.Parallel()
	for _, remove := range []bool{false, true} {
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, other *practice.Client) {
			first := true
			var theirs *models.WebhookSubscription
			client := practicetestClient(t, server, func(r *http.Request) {
				if r.Method == http.MethodPost && first {
					first = false
					var err error
					theirs, err = other.Webhooks.Create(t.Context(), testkit.SubscriptionOf("error", "matter.updated"))
					require.NoError(t, err)
					<-time.After(time.Second)
				}
			})
			want := wanted()
			want.RemoveDuplicates = remove
			report, err := client.Webhooks.Ensure(t.Context(), want)
			require.NoError(t, err)
			assert.Equal(t, theirs.ID, report.Subscription.ID, "both machines keep the same")
			if remove {
				assert.Len(t, report.Removed, 1)
				assert.Len(t, listed(t, client), 2, "with that of the firm")
			} else {
				assert.Len(t, report.Duplicates, 1)
			}
		})
	}
}
