package practice_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// troubled gives a client for which the service carries out a write and then
// answers otherwise, while it has trouble. The list shows nothing meanwhile, if
// blind.
func troubled(t *testing.T, server *practicetest.Server, trouble *bool, blind bool, answer func() (*http.Response, error)) *practice.Client {
	t.Helper()
	return server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			list := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/webhooks")
			if *trouble && blind && list {
				return testkit.AnswerOf(200, `{"value":[],"size":0}`), nil
			}
			res, err := next.RoundTrip(r)
			if err != nil || !*trouble || r.Method == http.MethodGet {
				return res, err
			}
			return answerAfter(res, answer)
		})
	}))
}

func answerAfter(res *http.Response, answer func() (*http.Response, error)) (*http.Response, error) {
	if err := res.Body.Close(); err != nil {
		return nil, err
	}
	return answer()
}

// A write may have put the subscription in order although its check failed. The
// next one finds nothing to do.
func TestAGapIsReportedByTheCheckAfterOneThatFailedInAWrite(t *testing.T) {
	t.Parallel()
	lost := func() (*http.Response, error) { return nil, errors.New("the answer is lost") }
	empty := func() (*http.Response, error) { return testkit.AnswerOf(200, `{}`), nil }
	forbidden := func() (*http.Response, error) { return testkit.AnswerOf(403, `{}`), nil }
	for name, test := range map[string]struct {
		moved  bool // somebody has changed the address of a subscription that an earlier check saw
		blind  bool
		answer func() (*http.Response, error)
	}{
		"a creation whose answer is lost":        {blind: true, answer: lost},
		"a creation without an id":               {blind: true, answer: empty},
		"an edit whose answer is lost":           {moved: true, answer: lost},
		"an edit that was refused when repeated": {moved: true, answer: forbidden},
	} {
		for _, keep := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", of Keep"}[keep], func(t *testing.T) {
				t.Parallel()
				testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, other *practice.Client) {
					want := wanted()
					if test.moved {
						want.LastCheck = movedAway(t, other)
					}
					trouble := true
					client := troubled(t, server, &trouble, test.blind, test.answer)
					report := afterTheTrouble(t, client, want, &trouble, keep)
					assert.Equal(t, practice.WebhookKept, report.Action)
					require.NotNil(t, report.Missed)
					assert.True(t, want.LastCheck.At.Equal(report.Missed.Since))
					assert.False(t, report.Check.Unsure, "it is reported once")
				})
			})
		}
	}
}

// movedAway makes a subscription, and changes its address after it was seen.
func movedAway(t *testing.T, client *practice.Client) practice.WebhookCheck {
	t.Helper()
	want := wanted()
	report, err := client.Webhooks.Ensure(t.Context(), want)
	require.NoError(t, err)
	<-time.After(time.Minute)
	want.EventNotificationURL += "/moved"
	require.NoError(t, testkit.Discard(client.Webhooks.Ensure(t.Context(), want)))
	return report.Check
}

// afterTheTrouble gives the report of the first check that succeeds.
func afterTheTrouble(t *testing.T, client *practice.Client, want practice.WebhookSpec, trouble *bool, keep bool) *practice.WebhookReport {
	t.Helper()
	if !keep {
		_, err := client.Webhooks.Ensure(t.Context(), want)
		var failed *practice.EnsureError
		require.ErrorAs(t, err, &failed)
		assert.True(t, failed.Check.Unsure)
		*trouble, want.LastCheck = false, stored(t, failed.Check)
		report, err := client.Webhooks.Ensure(t.Context(), want)
		require.NoError(t, err)
		return report
	}
	for report, err := range client.Webhooks.Keep(t.Context(), want) {
		if err == nil {
			return report
		}
		*trouble = false
	}
	return nil
}

func TestACheckThatFailedWithoutAWriteLeavesNoGap(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"the list failed":          {Operation: "listWebhooks", Status: 400},
		"the creation was refused": {Operation: "createWebhook", Status: 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				server.Inject(fault)
				_, err := client.Webhooks.Ensure(t.Context(), wanted())
				require.Error(t, err)
				var failed *practice.EnsureError
				assert.NotErrorAs(t, err, &failed)
			})
		})
	}
}
