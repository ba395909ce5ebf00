package subscribe_test

import (
	"bytes"
	"context"
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
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// rewriting returns a client whose request bodies are changed on their way to
// the service.
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

func stored(t *testing.T, check subscribe.Check) (again subscribe.Check) {
	t.Helper()
	text, err := json.Marshal(check)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &again))
	return again
}

// withAndWithoutSubscription runs a test with and without an existing
// subscription.
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

// A service may normalise a URL, or drop a type of events. Writing the same
// again changes nothing.
func TestEnsureComesToRestWhenTheServiceKeepsAnotherForm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forms []string
		parts []subscribe.Part
	}{
		"of the address":           {[]string{"/in", "/in/"}, []subscribe.Part{"eventNotificationUrl"}},
		"of the name":              {[]string{`"Matters"`, `"MATTERS"`}, []subscribe.Part{"name"}},
		"of the name and address":  {[]string{`"Matters"`, `"MATTERS"`, "/in", "/in/"}, []subscribe.Part{"name", "eventNotificationUrl"}},
		"without one of the types": {[]string{`,"matter.updated"`, ``}, []subscribe.Part{"eventTypes"}},
	} {
		withAndWithoutSubscription(t, name, func(t *testing.T, server *practicetest.Server) {
			client, want := rewriting(t, server, test.forms...), wanted()
			for round := range 10 {
				report, err := subscribe.Ensure(t.Context(), client, want)
				require.NoError(t, err)
				assert.Equal(t, test.parts, report.Unattained, "round %d", round)
				if round > 2 {
					assert.Equal(t, subscribe.Kept, report.Action)
					assert.Nil(t, report.Missed)
				}
				want.LastCheck = stored(t, report.Check)
				<-time.After(time.Minute)
			}
			assert.LessOrEqual(t, len(writes(server)), 2)
			server.ResetRequests()
			want.EventTypes = append(want.EventTypes, "fee.updated")
			report, err := subscribe.Ensure(t.Context(), client, want)
			require.NoError(t, err)
			assert.Equal(t, subscribe.Updated, report.Action, "another wish is written")
		})
	}
}

// normalisingLater returns a client to which the service shows a subscription
// in another form from a minute after the last write.
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

// Only a response right after a write shows the form that the service makes of
// it. A service that changes the form later cannot be distinguished from a
// person.
func TestEnsureRepairsEveryTimeWhatDiffersLater(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forms  []string
		parts  []subscribe.Part
		missed bool
	}{
		"in the name":              {[]string{`"Matters"`, `"MATTERS"`}, []subscribe.Part{"name"}, false},
		"in the address":           {[]string{`/in"`, `/in/"`}, []subscribe.Part{"eventNotificationUrl"}, true},
		"without one of the types": {[]string{`,"matter.updated"`, ``}, []subscribe.Part{"eventTypes"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
				client, want := normalisingLater(t, server, test.forms...), wanted()
				for round := range 10 {
					report, err := subscribe.Ensure(t.Context(), client, want)
					require.NoError(t, err)
					assert.Empty(t, report.Unattained, "round %d", round)
					if round > 0 {
						assert.Equal(t, subscribe.Updated, report.Action, "round %d", round)
						assert.Equal(t, test.parts, report.Changes)
						require.Equal(t, test.missed, report.Missed != nil)
					}
					if round > 0 && test.missed {
						assert.True(t, want.LastCheck.At.Equal(report.Missed.Since))
					}
					want.LastCheck = stored(t, report.Check)
					<-time.After(15 * time.Minute)
				}
			})
		})
	}
}

// Two versions of a program run side by side and overwrite each other's URL.
// After the older one has ended, the subscription has the right URL again.
func TestASubscriptionThatTwoVersionsFoughtOverComesHome(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		newer, older := wanted(), wanted()
		older.EventNotificationURL, older.EventTypes = "https://old.example.test/in", older.EventTypes[1:]
		for range 5 {
			for _, want := range []*subscribe.Spec{&newer, &older} {
				<-time.After(time.Minute)
				report, err := subscribe.Ensure(t.Context(), client, *want)
				require.NoError(t, err)
				assert.Empty(t, report.Unattained)
				require.NotNil(t, report.Missed)
				assert.True(t, want.LastCheck.At.Equal(report.Missed.Since))
				want.LastCheck = stored(t, report.Check)
			}
		}
		for round := range 3 {
			<-time.After(time.Minute)
			report, err := subscribe.Ensure(t.Context(), client, newer)
			require.NoError(t, err)
			assert.Equal(t, round == 0, report.Action == subscribe.Updated)
			assert.Equal(t, round == 0, report.Missed != nil)
			assert.Equal(t, wanted().EventNotificationURL, report.Subscription.EventNotificationURL)
			newer.LastCheck = stored(t, report.Check)
		}
		assert.Len(t, listed(t, client), 2, "with that of the firm")
	})
}

// Another program writes between the write and the read after it, twice.
func TestAFormThatLooksLikeThatOfTheServiceIsWrittenAgain(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, other *practice.Client) {
		theirs, want := wanted(), wanted()
		theirs.EventNotificationURL += "/theirs"
		races := 0
		client := practicetestClient(t, server, func(r *http.Request) {
			seen := testkit.RequestsTo(server, practicetest.PartAPI)
			if races > 0 && r.Method == http.MethodGet && seen[len(seen)-1].Method == http.MethodPut {
				races--
				require.NoError(t, testkit.Discard(subscribe.Ensure(context.WithoutCancel(t.Context()), other, theirs)))
			}
		})
		check := func(after time.Duration) *subscribe.Report {
			<-time.After(after)
			report, err := subscribe.Ensure(t.Context(), client, want)
			require.NoError(t, err)
			want.LastCheck = stored(t, report.Check)
			return report
		}
		check(0)
		require.NoError(t, testkit.Discard(subscribe.Ensure(t.Context(), other, theirs)))
		races = 2
		fooled := time.Now().Add(time.Minute)
		for range 2 {
			report := check(time.Minute)
			assert.Equal(t, subscribe.Updated, report.Action)
			assert.Equal(t, []subscribe.Part{"eventNotificationUrl"}, report.Unattained)
		}
		report := check(30 * time.Minute)
		assert.Equal(t, subscribe.Kept, report.Action)
		assert.Equal(t, []subscribe.Part{"eventNotificationUrl"}, report.Unattained)
		report = check(time.Hour)
		assert.Equal(t, subscribe.Updated, report.Action)
		assert.Empty(t, report.Unattained, "it was not the service")
		require.NotNil(t, report.Missed)
		assert.True(t, fooled.Equal(report.Missed.Since), "since that form was there: %v", report.Missed.Since)
		assert.Nil(t, check(time.Minute).Missed)
	})
}

// A form that the service makes is written less and less often: by the next
// check, and at the age of 1, 2, 4, 8 … hours.
func TestAFormOfTheServiceIsWrittenEverLessOften(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client, want := rewriting(t, server, "/in", "/in/"), wanted()
		begun := time.Now()
		var at []time.Duration
		for time.Since(begun) < 100*time.Hour {
			report, err := subscribe.Ensure(t.Context(), client, want)
			require.NoError(t, err)
			if report.Action != subscribe.Kept {
				at = append(at, time.Since(begun).Truncate(time.Minute))
			}
			assert.Equal(t, []subscribe.Part{"eventNotificationUrl"}, report.Unattained)
			want.LastCheck = stored(t, report.Check)
			<-time.After(15 * time.Minute)
		}
		assert.Equal(t, []time.Duration{
			0, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 32 * time.Hour, 64 * time.Hour,
		}, at)
	})
}

// An earlier version permanently took the form of another program for that of
// the service.
func TestACheckOfAnEarlierVersionIsRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		want := wanted()
		want.EventNotificationURL += "/theirs"
		report, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		text := `{"id":"` + report.Check.ID + `","at":"2000-01-01T00:00:00Z","settled":{` +
			`"asked":{"name":"Matters","eventNotificationUrl":"https://hooks.example.test/in","eventTypes":["error","matter.updated"]},` +
			`"shown":{"name":"Matters","eventNotificationUrl":"https://hooks.example.test/in/theirs","eventTypes":["error","matter.updated"]},` +
			`"writes":3},"unsure":true}`
		want = wanted()
		require.NoError(t, json.Unmarshal([]byte(text), &want.LastCheck))
		assert.True(t, want.LastCheck.Unsure)
		report, err = subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Updated, report.Action)
		assert.Empty(t, report.Unattained)
		assert.NotNil(t, report.Missed)
		assert.Nil(t, report.Check.Settled)
	})
}

// A service that once kept the requested form does not prefer another one.
func TestEnsureRepairsAgainAndAgainWhatSomebodyChanges(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		want, theirs := wanted(), wanted()
		theirs.EventNotificationURL += "/theirs"
		for round := range 6 {
			for range 2 {
				report, err := subscribe.Ensure(t.Context(), client, want)
				require.NoError(t, err)
				assert.Empty(t, report.Unattained, "round %d", round)
				want.LastCheck = stored(t, report.Check)
				<-time.After(15 * time.Minute)
			}
			require.NoError(t, testkit.Discard(subscribe.Ensure(t.Context(), client, theirs)))
		}
	})
}

// behind returns an empty list of subscriptions while lags is true.
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
			report, err := subscribe.Ensure(t.Context(), client, want)
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
			for report, err := range subscribe.Keep(t.Context(), client, wanted()) {
				if checks++; lagging && checks == 1 {
					require.Error(t, err, "nobody knows")
					lags = false
					continue
				}
				require.NoError(t, err)
				require.NotNil(t, report.Missed)
				assert.True(t, report.Missed.Since.IsZero())
				made := "PUT /webhooks/" + report.Subscription.ID
				assert.Equal(t, []string{"POST /webhooks", made}, writes(server), "somebody else may have made it with another key")
				break
			}
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
			report, err := subscribe.Ensure(t.Context(), client, want)
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
