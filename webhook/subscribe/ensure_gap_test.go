package subscribe_test

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
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// troubled returns a client for which the service executes a write and then
// returns an error, while trouble is set. If blind is set, lists are empty
// meanwhile.
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

// A write may have taken effect although its check failed. The next check then
// finds no difference.
func TestAGapIsReportedByTheCheckAfterOneThatFailedInAWrite(t *testing.T) {
	t.Parallel()
	lost := func() (*http.Response, error) { return nil, errors.New("the answer is lost") }
	empty := func() (*http.Response, error) { return testkit.AnswerOf(200, `{}`), nil }
	unreadable := func() (*http.Response, error) { return testkit.AnswerOf(200, `{"id":7}`), nil }
	forbidden := func() (*http.Response, error) { return testkit.AnswerOf(403, `{}`), nil }
	for name, test := range map[string]struct {
		moved  bool // another user has changed the URL of a subscription that an earlier check saw
		blind  bool
		answer func() (*http.Response, error)
	}{
		"a creation whose answer is lost":        {blind: true, answer: lost},
		"a creation without an id":               {blind: true, answer: empty},
		"a creation that cannot be read":         {blind: true, answer: unreadable},
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
					if test.moved {
						assert.Equal(t, subscribe.Kept, report.Action)
					} else { // somebody else may have made it with another key
						assert.Equal(t, []subscribe.Part{subscribe.PartKey}, report.Changes)
					}
					require.NotNil(t, report.Missed)
					assert.True(t, want.LastCheck.At.Equal(report.Missed.Since))
					assert.False(t, report.Check.Unsure, "it is reported once")
				})
			})
		}
	}
}

// movedAway creates a subscription, and changes its URL after a check.
func movedAway(t *testing.T, client *practice.Client) subscribe.Check {
	t.Helper()
	want := wanted()
	report, err := subscribe.Ensure(t.Context(), client, want)
	require.NoError(t, err)
	<-time.After(time.Minute)
	want.EventNotificationURL += "/moved"
	require.NoError(t, testkit.Discard(subscribe.Ensure(t.Context(), client, want)))
	return report.Check
}

// afterTheTrouble returns the report of the first successful check.
func afterTheTrouble(t *testing.T, client *practice.Client, want subscribe.Spec, trouble *bool, keep bool) *subscribe.Report {
	t.Helper()
	if !keep {
		_, err := subscribe.Ensure(t.Context(), client, want)
		var failed *subscribe.CheckError
		require.ErrorAs(t, err, &failed)
		assert.True(t, failed.Check.Unsure)
		*trouble, want.LastCheck = false, stored(t, failed.Check)
		report, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		return report
	}
	for report, err := range subscribe.Keep(t.Context(), client, want) {
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
		"the list is not found":    {Operation: "listWebhooks", Status: 404},
		"the creation was refused": {Operation: "createWebhook", Status: 403},
		"nothing can be created":   {Operation: "createWebhook", Status: 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				server.Inject(fault)
				_, err := subscribe.Ensure(t.Context(), client, wanted())
				require.Error(t, err)
				var failed *subscribe.CheckError
				assert.NotErrorAs(t, err, &failed)
			})
		})
	}
}
