package acceptance_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// oneRecord returns a client of a service that responds to every read with
// record and accepts every write.
func oneRecord(t *testing.T, record string, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	client, err := practice.NewClient("https://api.example.test", append([]practice.ClientOption{
		practice.WithAPIKey("key"),
		practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodGet {
				return testkit.AnswerOf(http.StatusOK, record), nil
			}
			return testkit.AnswerOf(http.StatusAccepted, "{}"), nil
		})}),
	}, opts...)...)
	require.NoError(t, err)
	return client
}

func unchanged[W any](*W) error { return nil }

const recordOfALaterService = `{"id": "c", "person": {"lastName": "Doe", "cell": {"e164": "+61400000000"}}, "retainer": 12.50}`

func TestAClientThatLeavesOutUnknownMembersTellsOfThem(t *testing.T) {
	t.Parallel()
	identified := practice.WithLoss("person.identificationDetails")
	for name, test := range map[string]struct {
		client []practice.ClientOption
		call   []practice.CallOption
		lost   []string // members that the error names
		told   string
	}{
		"refuses":                      {call: []practice.CallOption{identified}, lost: []string{"person.cell.e164", "retainer"}},
		"refuses all but one":          {call: []practice.CallOption{practice.WithLoss("person.identificationDetails", "retainer")}, lost: []string{"person.cell.e164"}},
		"leaves out, by the call":      {call: []practice.CallOption{practice.WithLoss("person.identificationDetails", practice.UnknownMembers)}, told: "person.cell.e164, retainer"},
		"leaves out, by the client":    {client: []practice.ClientOption{practice.WithLoss(practice.UnknownMembers)}, call: []practice.CallOption{identified}, told: "person.cell.e164, retainer"},
		"but not what cannot be read":  {client: []practice.ClientOption{practice.WithLoss(practice.UnknownMembers)}, lost: []string{"person.identificationDetails"}},
		"nor what is known by the way": {client: []practice.ClientOption{practice.WithLoss(practice.UnknownMembers)}, call: []practice.CallOption{practice.WithLoss("retainer")}, lost: []string{"person.identificationDetails"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen practice.Observation
			var log bytes.Buffer
			client := oneRecord(t, recordOfALaterService, append(test.client,
				practice.WithObserver(func(_ context.Context, o practice.Observation) { seen = o }),
				practice.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))...)
			_, err := client.Contacts.Modify(t.Context(), "c", unchanged[models.ContactWrite], test.call...)
			assert.Equal(t, "Contacts.Modify", seen.Operation)
			assert.Equal(t, test.told, seen.LeftOut)
			if len(test.lost) == 0 {
				require.NoError(t, err)
				assert.Contains(t, log.String(), `level=WARN msg="practice: unknown members left out" operation=Contacts.Modify members="`+test.told+`"`)
				return
			}
			var refused *practice.ModifyError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.lost, refused.Members)
			assert.NotContains(t, log.String(), "left out")
		})
	}
}

func TestARefusedModifyTellsOfNoLoss(t *testing.T) {
	t.Parallel()
	var seen practice.Observation
	client := oneRecord(t, `{"id": "c", "later": 1}`, practice.WithLoss(practice.UnknownMembers),
		practice.WithObserver(func(_ context.Context, o practice.Observation) { seen = o }),
		practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				if req.Method != http.MethodGet {
					return testkit.AnswerOf(http.StatusForbidden, ""), nil
				}
				return next.RoundTrip(req)
			})
		}))
	_, err := client.Memos.Modify(t.Context(), "m", "c", unchanged[models.MemoWrite])
	require.ErrorIs(t, err, practice.ErrForbidden)
	assert.Empty(t, seen.LeftOut)
}

func TestAClientAllowsNoOtherLossThanThatOfUnknownMembers(t *testing.T) {
	t.Parallel()
	for _, members := range [][]string{nil, {"key"}, {""}, {practice.UnknownMembers, "key"}} {
		_, err := practice.NewClient("https://api.example.test", practice.WithAPIKey("key"), practice.WithLoss(members...))
		var refused *practice.ConfigError
		require.ErrorAs(t, err, &refused, "%v", members)
	}
	client := oneRecord(t, `{"id": "c", "later": 1}`).With(practice.WithLoss(practice.UnknownMembers))
	_, err := client.Memos.Modify(t.Context(), "m", "c", unchanged[models.MemoWrite])
	require.NoError(t, err)
	_, err = client.Memos.Get(t.Context(), "m", "c")
	require.NoError(t, err, "all other methods go on")
}

// TestErrorsOfModifyNameModify checks that each error names Modify, which the
// caller called, and what to do.
func TestErrorsOfModifyNameModify(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		firm := server.Firm()
		ctx := t.Context()
		_, err := client.Tasks.Modify(ctx, firm.TaskID, unchanged[models.TaskWrite])
		require.EqualError(t, err, "practice: Tasks.Modify: staffId must not be empty; records do not have this member: set it in the function that changes the body")
		_, err = client.Tasks.ModifySubtask(ctx, firm.TaskID, firm.SubtaskID, unchanged[models.SubtaskWrite])
		require.EqualError(t, err, "practice: Tasks.ModifySubtask: staffId must not be empty; records do not have this member: set it in the function that changes the body")
		_, err = client.Tasks.Modify(ctx, "", unchanged[models.TaskWrite])
		require.EqualError(t, err, "practice: Tasks.Modify: id must not be empty")
		_, err = client.Matters.Modify(ctx, firm.MatterID, unchanged[models.MatterWrite])
		require.EqualError(t, err, "practice: Matters.Modify: the write would lose members: clientRole, otherSideRole (set them, or allow the loss with WithLoss); Matters.Patch sends only the changed members")
		_, err = client.Webhooks.Modify(ctx, firm.WebhookID, func(w *models.WebhookSubscriptionWrite) error {
			w.Name, w.Key = "", models.Null[models.Secret]()
			return nil
		})
		require.EqualError(t, err, "practice: Webhooks.Modify: name must not be empty")
		server.Inject(practicetest.Fault{Operation: "updateGroup", Status: 409})
		_, err = client.Groups.Modify(ctx, firm.GroupID, unchanged[models.GroupWrite])
		require.ErrorIs(t, err, practice.ErrConflict)
		assert.Contains(t, err.Error(), "practice: Groups.Modify: status 409")
	})
}

// TestModifyWritesWhatTheServiceSentThoughTheDescriptionRefusesIt checks that a
// value from the record is not validated.
func TestModifyWritesWhatTheServiceSentThoughTheDescriptionRefusesIt(t *testing.T) {
	t.Parallel()
	const fee = `{"id": "f", "feeType": 7, "subject": "", "staff": {"id": ""}}`
	client := oneRecord(t, fee)
	_, err := client.Fees.Modify(t.Context(), "m", "f", func(fee *models.FeeWrite) error {
		fee.Subject = "new"
		return nil
	})
	require.NoError(t, err)
}
