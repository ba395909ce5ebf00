package subscribe_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
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

func wanted() subscribe.Spec {
	return subscribe.Spec{
		Name: "Matters", EventNotificationURL: "https://hooks.example.test/in",
		EventTypes: []models.EventType{"matter.updated", "error"}, Key: models.NewSecret("k-0123456789"),
	}
}

func listed(t *testing.T, client *practice.Client) []models.WebhookSubscription {
	t.Helper()
	page, err := client.Webhooks.List(t.Context(), practice.WebhookSubscriptionListOptions{})
	require.NoError(t, err)
	return page.Items
}

// writes returns method and path of the requests that changed subscriptions.
func writes(server *practicetest.Server) []string {
	var all []string
	for _, r := range testkit.RequestsTo(server, practicetest.PartAPI) {
		if r.Method != http.MethodGet {
			all = append(all, r.Method+" "+r.Path[strings.Index(r.Path, "/webhooks"):])
		}
	}
	return all
}

// lastWrite returns the last request that changed something.
func lastWrite(t *testing.T, server *practicetest.Server) practicetest.RecordedRequest {
	t.Helper()
	for _, r := range slices.Backward(testkit.RequestsTo(server, practicetest.PartAPI)) {
		if r.Method != http.MethodGet {
			return r
		}
	}
	require.Fail(t, "nothing was written")
	return practicetest.RecordedRequest{}
}

func TestEnsureCreatesWhatIsMissing(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		report, err := subscribe.Ensure(t.Context(), client, wanted())
		require.NoError(t, err)
		assert.Equal(t, subscribe.Created, report.Action)
		assert.Equal(t, `{"name":"Matters","eventTypes":["error","matter.updated"],"eventNotificationUrl":"https://hooks.example.test/in","key":"k-0123456789"}`,
			string(lastWrite(t, server).Body))
		assert.NotEmpty(t, report.Subscription.ID)
		require.NotNil(t, report.Missed)
		assert.True(t, report.Missed.Since.IsZero(), "nobody knows since when")
		assert.Equal(t, time.Now(), report.Missed.Until)
		assert.Equal(t, report.Subscription.ID, report.Check.ID)
		require.Len(t, report.Others, 1)
		assert.Equal(t, server.Firm().WebhookID, report.Others[0].ID, "another purpose is left alone")
	})
}

func TestEnsureLeavesAloneWhatIsAsWanted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		made, err := subscribe.Ensure(t.Context(), client, wanted())
		require.NoError(t, err)
		server.ResetRequests()
		want := wanted()
		want.EventTypes = []models.EventType{"error", "matter.updated", "error"}
		report, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Kept, report.Action)
		assert.Equal(t, made.Subscription.ID, report.Subscription.ID)
		assert.Empty(t, report.Changes)
		assert.Nil(t, report.Missed)
		assert.True(t, report.KeyUnknown, "the service does not show keys")
		assert.Empty(t, writes(server))
	})
}

func TestEnsureEditsWhatDiffers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change  func(*subscribe.Spec)
		changes []subscribe.Part
		missed  bool
	}{
		"the name":           {func(w *subscribe.Spec) { w.Name = "All" }, []subscribe.Part{"name"}, false},
		"the address":        {func(w *subscribe.Spec) { w.EventNotificationURL += "2" }, []subscribe.Part{"eventNotificationUrl"}, true},
		"another event type": {func(w *subscribe.Spec) { w.EventTypes = append(w.EventTypes, "fee.created") }, []subscribe.Part{"eventTypes"}, true},
		"one type less":      {func(w *subscribe.Spec) { w.EventTypes = w.EventTypes[:1] }, []subscribe.Part{"eventTypes"}, false},
		"the key":            {func(w *subscribe.Spec) { w.Key, w.WriteKey = models.NewSecret("new"), true }, []subscribe.Part{"key"}, false},
		"no key":             {func(w *subscribe.Spec) { w.Key, w.WriteKey = models.Secret{}, true }, []subscribe.Part{"key"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				made, err := subscribe.Ensure(t.Context(), client, wanted())
				require.NoError(t, err)
				server.ResetRequests()
				<-time.After(time.Minute)
				want := wanted()
				want.LastCheck = made.Check
				test.change(&want)
				report, err := subscribe.Ensure(t.Context(), client, want)
				require.NoError(t, err)
				assert.Equal(t, subscribe.Updated, report.Action)
				assert.Equal(t, test.changes, report.Changes)
				assert.False(t, report.KeyUnknown)
				assert.Equal(t, []string{"PUT /webhooks/" + made.Subscription.ID}, writes(server), "no second subscription is made")
				assert.Contains(t, string(lastWrite(t, server).Body), `"key":`, "the key is always sent")
				assert.Equal(t, want.Name, report.Subscription.Name)
				assert.Equal(t, want.EventNotificationURL, report.Subscription.EventNotificationURL)
				assert.ElementsMatch(t, want.EventTypes, report.Subscription.EventTypes)
				require.Equal(t, test.missed, report.Missed != nil)
				if test.missed {
					assert.Equal(t, subscribe.Gap{Since: made.Check.At, Until: time.Now()}, *report.Missed)
				}
			})
		})
	}
}

func TestEnsureReportsSinceWhenAVanishedSubscriptionWasMissed(t *testing.T) {
	t.Parallel()
	for name, recreate := range map[string]bool{"created again by this check": false, "created again by another machine": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
				made, err := subscribe.Ensure(t.Context(), client, wanted())
				require.NoError(t, err)
				<-time.After(20 * time.Minute)
				_, err = client.Webhooks.Delete(t.Context(), made.Subscription.ID)
				require.NoError(t, err)
				if recreate {
					require.NoError(t, testkit.Discard(subscribe.Ensure(t.Context(), client, wanted())))
				}
				<-time.After(20 * time.Minute)
				want := wanted()
				text, err := json.Marshal(made.Check)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(text, &want.LastCheck), "it can be stored")
				report, err := subscribe.Ensure(t.Context(), client, want)
				require.NoError(t, err)
				assert.Equal(t, recreate, report.Action == subscribe.Updated, "the other machine may have another key")
				require.NotNil(t, report.Missed)
				assert.True(t, made.Check.At.Equal(report.Missed.Since))
				assert.Equal(t, time.Now(), report.Missed.Until)
			})
		})
	}
}

func TestEnsureKeepsTheOldestOfDuplicatesAndRemovesTheOthersOnlyWhenToldTo(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		create := func(change func(*models.WebhookSubscriptionWrite)) string {
			body := testkit.SubscriptionOf("error", "matter.updated")
			change(&body)
			made, err := client.Webhooks.Create(t.Context(), body)
			require.NoError(t, err)
			<-time.After(time.Second)
			return made.ID
		}
		outdated := create(func(w *models.WebhookSubscriptionWrite) { w.EventNotificationURL = "https://old.example.test/in" })
		oldest := create(func(*models.WebhookSubscriptionWrite) {})
		later := create(func(*models.WebhookSubscriptionWrite) {})
		sameAddress := create(func(w *models.WebhookSubscriptionWrite) { w.Name = "Other name" })
		ids := func(all []models.WebhookSubscription) []string {
			found := make([]string, len(all))
			for i := range all {
				found[i] = all[i].ID
			}
			slices.Sort(found)
			return found
		}
		rest := []string{outdated, later, sameAddress}
		slices.Sort(rest)

		server.ResetRequests()
		want := wanted()
		want.LastCheck = subscribe.Check{ID: later, At: time.Now()}
		report, err := subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, oldest, report.Subscription.ID)
		assert.Equal(t, rest, ids(report.Duplicates))
		assert.Empty(t, report.Removed)
		assert.Nil(t, report.Missed, "the one seen last is still there")
		assert.Equal(t, []string{"PUT /webhooks/" + oldest}, writes(server), "its key is unknown")

		want.LastCheck, want.RemoveDuplicates = report.Check, true
		report, err = subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, rest, ids(report.Removed))
		assert.Empty(t, report.Duplicates)
		left := ids(listed(t, client))
		want2 := []string{server.Firm().WebhookID, oldest}
		slices.Sort(want2)
		assert.Equal(t, want2, left)
	})
}

func TestEnsureReportsDuplicatesThatCannotBeDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		for range 3 {
			require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("error", "matter.updated"))))
		}
		server.Inject(practicetest.Fault{Operation: "deleteWebhook", Status: 403})
		want := wanted()
		want.RemoveDuplicates = true
		report, err := subscribe.Ensure(t.Context(), client, want)
		require.ErrorIs(t, err, practice.ErrForbidden)
		require.NotNil(t, report, "the subscription itself is in order")
		assert.Len(t, report.Removed, 1, "the others are still deleted")
		assert.Len(t, report.Duplicates, 1)
	})
}

func TestEnsureBeginsAgainWhenTheSubscriptionVanishesUnderItsHands(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		made, err := client.Webhooks.Create(t.Context(), testkit.SubscriptionOf("error"))
		require.NoError(t, err)
		first := true
		vanishing := practicetestClient(t, server, func(r *http.Request) {
			if r.Method == http.MethodPut && first {
				first = false
				_, err := client.Webhooks.Delete(context.WithoutCancel(t.Context()), made.ID)
				require.NoError(t, err)
			}
		})
		report, err := subscribe.Ensure(t.Context(), vanishing, wanted())
		require.NoError(t, err)
		assert.Equal(t, subscribe.Created, report.Action)
		assert.NotEqual(t, made.ID, report.Subscription.ID)
	})
}

// practicetestClient returns a client that passes its requests to see first.
func practicetestClient(t *testing.T, server *practicetest.Server, see func(*http.Request)) *practice.Client {
	t.Helper()
	return server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			see(r)
			return next.RoundTrip(r)
		})
	}))
}

func TestEnsureCreatesNothingWithoutKnowingWhatIsThere(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "listWebhooks", Status: 200, Body: `{"value":[{"id":7}]}`})
		report, err := subscribe.Ensure(t.Context(), client, wanted())
		require.Error(t, err)
		assert.Nil(t, report)
		assert.Empty(t, writes(server))
	})
}

func TestEnsureRefusesWhatCanNeverBeRight(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change   func(*subscribe.Spec)
		argument string
	}{
		"no name":          {func(w *subscribe.Spec) { w.Name = "" }, "name"},
		"a broken name":    {func(w *subscribe.Spec) { w.Name = "\xff" }, "name"},
		"no address":       {func(w *subscribe.Spec) { w.EventNotificationURL = "/in" }, "eventNotificationUrl"},
		"another scheme":   {func(w *subscribe.Spec) { w.EventNotificationURL = "ftp://hooks.example.test/in" }, "eventNotificationUrl"},
		"a broken address": {func(w *subscribe.Spec) { w.EventNotificationURL += "\xff" }, "eventNotificationUrl"},
		"no types":         {func(w *subscribe.Spec) { w.EventTypes = nil }, "eventTypes"},
		"an empty type":    {func(w *subscribe.Spec) { w.EventTypes = []models.EventType{""} }, "eventTypes[0]"},
		"an interval":      {func(w *subscribe.Spec) { w.Interval = -1 }, "Interval"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				want := wanted()
				test.change(&want)
				_, err := subscribe.Ensure(t.Context(), client, want)
				requireArgument(t, err, test.argument)
				rounds := 0
				for _, err := range subscribe.Keep(t.Context(), client, want) {
					requireArgument(t, err, test.argument)
					rounds++
				}
				assert.Equal(t, 1, rounds)
				assert.Empty(t, server.Requests())
			})
		})
	}
}

func TestEnsureRefusesAClientWithAnInvalidOption(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		invalid := client.With(practice.WithTimeout(-1))
		_, err := subscribe.Ensure(t.Context(), invalid, wanted())
		require.ErrorAs(t, err, new(*practice.ConfigError))
		rounds := 0
		for _, err := range subscribe.Keep(t.Context(), invalid, wanted()) {
			require.ErrorAs(t, err, new(*practice.ConfigError))
			rounds++
		}
		assert.Equal(t, 1, rounds)
		assert.Empty(t, server.Requests())
	})
}

func requireArgument(t *testing.T, err error, argument string) {
	t.Helper()
	var refused *practice.ArgumentError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, argument, refused.Argument)
	assert.Equal(t, "subscribe.Ensure", refused.Operation)
}

func TestEnsureForTheSystemAccount(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server))
		system := client.ForAccount(practice.SystemAccountID)
		want := wanted()
		_, err := subscribe.Ensure(t.Context(), system, want)
		requireArgument(t, err, "eventTypes[0]")
		assert.Empty(t, server.Requests(), "known types of firms are refused before anything is sent")

		want.EventTypes = []models.EventType{models.EventTypeMatterTypeUpdated.Type()}
		report, err := subscribe.Ensure(t.Context(), system, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Created, report.Action)
		assert.Equal(t, practice.SystemAccountID, report.Subscription.AccountID)

		report, err = subscribe.Ensure(t.Context(), client, want)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Created, report.Action, "that of the system account is not the firm's")
	})
}

func TestEnsureOnlyLooksAtTheAccountOfTheClient(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		client := server.Client(t, testkit.ClientCredentials(server))
		b := `{"id":"b","accountId":"` + server.Firm().OtherAccountID + `","name":"Matters",` +
			`"eventNotificationUrl":"https://hooks.example.test/in","eventTypes":["error","matter.updated"]}`
		all := `{"value":[{"id":"a","accountId":"` + practice.SystemAccountID + `","name":"Matters"},` + b + `]}`
		server.Inject(practicetest.Fault{Operation: "listWebhooks", Status: 200, Body: all, Times: 2},
			practicetest.Fault{Operation: "getWebhook", Status: 200, Body: b})
		report, err := subscribe.Ensure(t.Context(), client, wanted())
		require.NoError(t, err)
		assert.Equal(t, "b", report.Subscription.ID, "a client without a prefix does not know its account")
		report, err = subscribe.Ensure(t.Context(), client.ForAccount(server.Firm().AccountID), wanted())
		require.NoError(t, err)
		assert.Equal(t, subscribe.Created, report.Action)
	}, practicetest.WithMultiAccount(true))
}

// Two subscriptions for one purpose deliver every event twice, and one without
// an id can neither be updated nor deleted.
func TestEnsureIsSureOrFails(t *testing.T) {
	t.Parallel()
	wanted := subscribe.Spec{Name: "n", EventNotificationURL: "https://hooks.example.test/in", EventTypes: []models.EventType{"error"}}
	const record = `"name":"n","eventNotificationUrl":"https://hooks.example.test/in","eventTypes":["error"]`
	for _, test := range []struct {
		name    string
		pages   []string
		made    string
		err     error
		id      string
		created int
	}{
		{name: "created", pages: []string{`{"value":[],"size":0}`}, made: `{"id":"w1",` + record + `}`, id: "w1", created: 1},
		{name: "created without an answer", pages: []string{`{"value":[],"size":0}`}, err: practice.ErrNoID, created: 1},
		{name: "created without an id", pages: []string{`{"value":[],"size":0}`}, made: `{` + record + `}`, err: practice.ErrNoID, created: 1},
		{name: "read as another one", pages: []string{`{"value":[{"id":"w1",` + record + `}],"size":1}`}, made: `{"id":"w2",` + record + `}`, id: "w1", err: practice.ErrOtherRecord},
		{name: "listed without an id", pages: []string{`{"value":[{` + record + `}],"size":1}`}, err: practice.ErrNoID},
		{name: "a list without a body", pages: []string{``}, err: practice.ErrEmptyAnswer},
		{name: "a second page without a body", pages: []string{`{"value":[{"id":"x"}],"size":2}`, ``}, err: practice.ErrEmptyAnswer},
		{name: "a second page that says nothing", pages: []string{`{"value":[{"id":"x"}],"size":2}`, `{}`}, err: practice.ErrEmptyPage},
		{name: "a link over the second record", pages: []string{`{"value":[{"id":"x"}],"size":3,"next":{"href":"?offset=2"}}`}, err: practice.ErrRecordsSkipped},
		{name: "a short list", pages: []string{`{"value":[{"id":"x"}],"size":2}`, `{"value":[{"id":"x"}],"size":2}`}, err: practice.ErrRepeatedPage},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			created := 0
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					if r.Method != http.MethodGet {
						created++
						return testkit.AnswerOf(200, test.made), nil
					}
					if strings.HasSuffix(r.URL.Path, "/webhooks/"+test.id) {
						return testkit.AnswerOf(200, test.made), nil
					}
					if r.URL.Query().Get("Offset") == "0" {
						return testkit.AnswerOf(200, test.pages[0]), nil
					}
					return testkit.AnswerOf(200, test.pages[1]), nil
				}),
			}))
			require.NoError(t, err)
			report, err := subscribe.Ensure(t.Context(), client, wanted)
			assert.Equal(t, test.created, created)
			require.ErrorIs(t, err, test.err)
			if test.err != nil {
				assert.Nil(t, report)
				return
			}
			assert.Equal(t, test.id, report.Subscription.ID)
		})
	}
}

// TestTheCaseOfAnIDMakesNoOtherSubscription checks a service that spells an id
// in a list, in a record and in an answer to a write in different cases.
func TestTheCaseOfAnIDMakesNoOtherSubscription(t *testing.T) {
	t.Parallel()
	const record = `"name":"Matters","eventNotificationUrl":"https://hooks.example.test/in","eventTypes":["matter.updated","error"]`
	for _, last := range []string{"", "ab", "AB"} {
		for _, ids := range [][2]string{{"ab", "AB"}, {"AB", "ab"}, {"AB", "AB"}} {
			var sent []string
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					switch {
					case r.Method != http.MethodGet:
						sent = append(sent, r.Method)
						return testkit.AnswerOf(200, `{"id":"`+ids[1]+`",`+record+`}`), nil
					case strings.HasSuffix(r.URL.Path, "/webhooks"):
						return testkit.AnswerOf(200, `{"value":[{"id":"`+ids[0]+`",`+record+`}],"size":1}`), nil
					}
					return testkit.AnswerOf(200, `{"id":"`+ids[1]+`",`+record+`}`), nil
				}),
			}))
			require.NoError(t, err)
			want := wanted()
			want.Key, want.RemoveDuplicates, want.LastCheck = models.Secret{}, true, subscribe.Check{ID: last}
			report, err := subscribe.Ensure(t.Context(), client, want)
			require.NoError(t, err, "%q %q", last, ids)
			assert.Equal(t, subscribe.Kept, report.Action)
			assert.Empty(t, sent)
			assert.Empty(t, report.Duplicates)
			assert.Nil(t, report.Missed)

			want.EventTypes = want.EventTypes[:1]
			_, err = subscribe.Ensure(t.Context(), client, want)
			require.NoError(t, err)
			assert.Equal(t, []string{http.MethodPut}, sent)
		}
	}
}
