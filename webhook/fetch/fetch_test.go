package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const clientID, key = "client0001", "k-0123456789"

func newReceiver(t *testing.T, options ...webhook.Option) *webhook.Receiver {
	t.Helper()
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), options...)
	require.NoError(t, err)
	return receiver
}

// deliver sends an event with a payload to a receiver and returns the status of
// the response.
func deliver(t *testing.T, receiver http.Handler, eventType models.EventType, payload string) int {
	t.Helper()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	body, err := json.Marshal(map[string]any{
		"accountId": "a", "type": eventType, "timestamp": int64(638912345678901234), "payload": json.RawMessage(payload),
	})
	require.NoError(t, err)
	req := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewReader(body))
	require.NoError(t, signer.Sign(req.Header, time.Now(), "request-1"))
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, req)
	return w.Code
}

// reads checks that the handlers of all event types of an area receive the
// record at path, if it is their payload type.
func reads[R any](path, matterID string) func(*testing.T, *practice.Client, models.EventType) {
	return func(t *testing.T, client *practice.Client, eventType models.EventType) {
		t.Helper()
		var payload json.RawMessage
		var want R
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: path}, &payload))
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: path}, &want))
		receiver := newReceiver(t)
		var got *fetch.Event[R]
		fetch.On(receiver, fetch.From(client), eventType.Raw(), func(_ context.Context, e *fetch.Event[R]) error {
			got = e
			return nil
		})
		require.Equal(t, 200, deliver(t, receiver, eventType, string(payload)), eventType)
		require.NotNil(t, got, eventType)
		require.False(t, got.Gone())
		assert.Equal(t, want, *got.Record)
		assert.Equal(t, matterID, got.MatterID)
		assert.Equal(t, got.Notification.ResourceID(), got.ID)
	}
}

// areas returns the checks by area of the event type.
func areas(f practicetest.Firm) map[string]func(*testing.T, *practice.Client, models.EventType) {
	m := f.MatterID
	return map[string]func(*testing.T, *practice.Client, models.EventType){
		"activitycode":         reads[models.ActivityCode]("/activitycodes/"+f.ActivityCodeID, ""),
		"archive":              reads[models.MatterArchive]("/matters/"+m+"/archive", m),
		"billingconfiguration": reads[models.BillingConfiguration]("/matters/"+m+"/billingconfiguration", m),
		"contact":              reads[models.Contact]("/contacts/"+f.ContactID, ""),
		"event":                reads[models.CalendarEvent]("/events/"+f.EventID, ""),
		"expense":              reads[models.Expense]("/matters/"+m+"/expenses/"+f.ExpenseID, m),
		"fee":                  reads[models.Fee]("/matters/"+m+"/fees/"+f.FeeID, m),
		"firm":                 reads[models.Firm]("/firm", ""),
		"firmuser":             reads[models.FirmUser]("/firmusers/"+f.StaffID, ""),
		"invoice":              reads[models.Invoice]("/matters/"+m+"/invoices/"+f.InvoiceID, m),
		"layoutdesign":         reads[models.LayoutDesign]("/layouts/"+f.LayoutDesignID, ""),
		"matter":               reads[models.Matter]("/matters/"+m, ""),
		"matteritems":          reads[models.MatterItems]("/matters/"+m+"/items", m),
		"matterstage":          reads[models.MatterStage]("/matters/"+m+"/stages", m),
		"mattertype":           reads[models.MatterType]("/mattertypes/"+f.MatterTypeID, ""),
		"memo":                 reads[models.Memo]("/matters/"+m+"/memos/"+f.MemoID, m),
		"roles":                reads[models.MatterRoles]("/matters/"+m+"/roles", m),
		"staff":                reads[models.StaffMember]("/staff/"+f.StaffID, ""),
		"stageset":             reads[models.StageSet]("/stagesets/"+f.StageSetID, ""),
		"task":                 reads[models.Task]("/tasks/"+f.TaskID, ""),
		"user":                 reads[models.User]("/users/"+f.UserID, ""),
	}
}

func TestHandlersGetTheRecordOfTheirEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, handlersGetTheRecordOfTheirEvent)
}

func handlersGetTheRecordOfTheirEvent(t *testing.T) {
	server := practicetest.New(t)
	client := server.Client(t)
	checks, without := areas(server.Firm()), []string{}
	for _, eventType := range models.EventTypes() {
		area, _, _ := strings.Cut(string(eventType), ".")
		if check, ok := checks[area]; ok {
			check(t, client, eventType)
			assert.True(t, fetch.Readable(eventType))
			continue
		}
		assert.False(t, fetch.Readable(eventType), "%s needs a row in the test", eventType)
		without = append(without, string(eventType))
	}
	assert.Equal(t, []string{"error", "files.updated", "layoutmatter.created", "layoutmatter.updated"}, slices.Sorted(slices.Values(without)),
		"event types whose record no operation reads")
}

func TestTheRecordIsTheOneOfTheServiceAndNotThePayload(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	receiver := newReceiver(t)
	var got *fetch.Event[models.Matter]
	fetch.On(receiver, fetch.From(server.Client(t)), models.EventTypeMatterUpdated, func(_ context.Context, e *fetch.Event[models.Matter]) error {
		got = e
		return nil
	})
	require.Equal(t, 200, deliver(t, receiver, "matter.updated", `{"id":"`+server.Firm().MatterID+`","number":"forged","clients":7}`))
	assert.Equal(t, "10001", got.Record.Number)
}

func TestARecordThatIsGoneIsToldApart(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	receiver := newReceiver(t)
	var got *fetch.Event[models.Memo]
	fetch.On(receiver, fetch.From(server.Client(t)), models.EventTypeMemoDeleted, func(_ context.Context, e *fetch.Event[models.Memo]) error {
		got = e
		return nil
	})
	const gone = "13eecfca-5699-5001-9310-202aba8df9ff"
	require.Equal(t, 200, deliver(t, receiver, "memo.deleted", `{"id":"`+gone+`","matterId":"`+server.Firm().MatterID+`"}`))
	require.NotNil(t, got)
	assert.True(t, got.Gone())
	assert.Equal(t, gone, got.ID)
	assert.Equal(t, server.Firm().MatterID, got.MatterID)
}

// A failed read does not mean that the record is gone: the event must be
// delivered again.
func TestAFailedReadIsAFailedHandler(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	server.Inject(practicetest.Fault{Operation: "getContact", Kind: practicetest.FaultStatus, Status: 503})
	var reported error
	receiver := newReceiver(t, webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { reported = err }))
	fetch.On(receiver, fetch.From(server.Client(t, practice.WithRetries(0))), models.EventTypeContactUpdated,
		func(context.Context, *fetch.Event[models.Contact]) error { panic("it was called") })
	assert.Equal(t, 500, deliver(t, receiver, "contact.updated", `{"id":"`+server.Firm().ContactID+`"}`))
	failure, ok := errors.AsType[*practice.Error](reported)
	require.True(t, ok, "%v", reported)
	assert.Equal(t, 503, failure.StatusCode)
}

func TestAPayloadThatNamesNoRecordIsNeverRight(t *testing.T) {
	t.Parallel()
	client := practicetest.New(t).Client(t)
	for name, test := range map[string]struct{ eventType, payload string }{
		"no payload":         {"contact.updated", `null`},
		"no id":              {"contact.updated", `{"person":{}}`},
		"an id of no path":   {"contact.updated", `{"id":".."}`},
		"no matter":          {"fee.updated", `{"id":"1"}`},
		"a matter of no use": {"fee.updated", `{"id":"1","matter":7,"matterId":{},"self":[],"href":"/matters/%zz/"}`},
		"no object":          {"roles.updated", `[1]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reported error
			receiver := newReceiver(t, webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { reported = err }))
			fetch.On(receiver, fetch.From(client), models.EventTypeContactUpdated, func(context.Context, *fetch.Event[models.Contact]) error { return nil })
			fetch.On(receiver, fetch.From(client), models.EventTypeFeeUpdated, func(context.Context, *fetch.Event[models.Fee]) error { return nil })
			fetch.On(receiver, fetch.From(client), models.EventTypeRolesUpdated, func(context.Context, *fetch.Event[models.MatterRoles]) error { return nil })
			assert.Equal(t, 200, deliver(t, receiver, models.EventType(test.eventType), test.payload), "nothing would change by sending it again")
			require.ErrorIs(t, reported, fetch.ErrNoRecordID)
		})
	}
}

func TestTheMatterOfARecordIsFoundInEveryForm(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client, f := server.Client(t), server.Firm()
	for name, payload := range map[string]string{
		"a link":              `"matter":{"id":"` + f.MatterID + `"}`,
		"an address":          `"matter":{"href":"https://x.example.test/matters/` + f.MatterID + `"}`,
		"an id":               `"matterId":"` + f.MatterID + `"`,
		"in its own address":  `"self":{"href":"https://x.example.test/v1/matters/` + f.MatterID + `/fees/1"}`,
		"in the old address":  `"href":"/matters/` + f.MatterID + `/fees/1"`,
		"the first that fits": `"matter":null,"matterId":"` + f.MatterID + `","href":"/matters/other/fees/1"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := newReceiver(t)
			called := false
			fetch.On(receiver, fetch.From(client), models.EventTypeFeeUpdated, func(_ context.Context, e *fetch.Event[models.Fee]) error {
				called = !e.Gone() && e.MatterID == f.MatterID
				return nil
			})
			require.Equal(t, 200, deliver(t, receiver, "fee.updated", `{"id":"`+f.FeeID+`",`+payload+`}`))
			assert.True(t, called)
		})
	}
}

func TestTheClientIsThatOfTheAccount(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	receiver := newReceiver(t)
	unknown := errors.New("not an account of ours")
	var asked []string
	fetch.On(receiver, fetch.ByAccount(func(_ context.Context, accountID string) (*practice.Client, error) {
		if asked = append(asked, accountID); len(asked) > 1 {
			return nil, webhook.Permanent(unknown)
		}
		return client, nil
	}), models.EventTypeContactUpdated, func(context.Context, *fetch.Event[models.Contact]) error { return nil })
	for range 2 {
		require.Equal(t, 200, deliver(t, receiver, "contact.updated", `{"id":"`+server.Firm().ContactID+`"}`))
	}
	assert.Equal(t, []string{"a", "a"}, asked)
	assert.Equal(t, uint64(1), receiver.Stats().Failed)
}

func TestAHandlerThatCanNeverBeCalledPanics(t *testing.T) {
	t.Parallel()
	receiver, clients := newReceiver(t), fetch.From(new(practice.Client))
	ignore := func(context.Context, *fetch.Event[models.Contact]) error { return nil }
	assert.PanicsWithValue(t, `fetch: no operation reads the record of the event type "files.updated"`, func() {
		fetch.On(receiver, clients, models.EventTypeFilesUpdated, ignore)
	})
	assert.PanicsWithValue(t, `fetch: the record of the event type "fee.updated" is of type models.Fee`, func() {
		fetch.On(receiver, clients, models.EventTypeFeeUpdated, ignore)
	})
	assert.Panics(t, func() { fetch.On(receiver, nil, models.EventTypeContactUpdated, ignore) })
	assert.Panics(t, func() { fetch.On(receiver, fetch.From(nil), models.EventTypeContactUpdated, ignore) })
	assert.Panics(t, func() { fetch.On(receiver, fetch.ByAccount(nil), models.EventTypeContactUpdated, ignore) })
	assert.Panics(t, func() { fetch.On[models.Contact](receiver, clients, models.EventTypeContactUpdated, nil) })
}

func TestAnAccountWithoutAClientIsAnErrorOfTheHandler(t *testing.T) {
	t.Parallel()
	var reported error
	receiver := newReceiver(t, webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { reported = err }))
	fetch.On(receiver, fetch.ByAccount(func(context.Context, string) (*practice.Client, error) { return nil, nil }), //nolint:nilnil // the mistake under test
		models.EventTypeContactUpdated, func(context.Context, *fetch.Event[models.Contact]) error { return nil })
	require.Equal(t, 500, deliver(t, receiver, "contact.updated", `{"id":"5c1f0d6e-8f0b-4c53-9d1c-6b0f3a7d2e11"}`))
	assert.ErrorContains(t, reported, `no client for the account "a"`)
}
