package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// inbox receives notifications at a callback address.
type inbox struct {
	mu       sync.Mutex
	received []notification
}

// notification is a request to the callback address.
type notification struct {
	request *http.Request
	body    []byte
}

func (i *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.received = append(i.received, notification{r.Clone(r.Context()), body})
}

// payloads maps event types to the schemas of their payloads; other types have
// the record that changed.
var payloads = map[string]string{
	"matter.updated": "MatterUpdatedPayload", "error": "ErrorPayload", "staff.updated": "Staff", "event.updated": "Event",
}

func (d *document) callback(t *testing.T) *routers.Route {
	t.Helper()
	callbacks := d.endpoints()["createWebhook"].Callbacks
	require.Len(t, callbacks, 1)
	item := callbacks["notification"].Value.Value("{$request.body#/eventNotificationUrl}")
	require.NotNil(t, item)
	require.Equal(t, "onNotification", item.Post.OperationID)
	return &routers.Route{Spec: d.T, Path: "/", PathItem: item, Method: http.MethodPost, Operation: item.Post}
}

// judgeNotification validates a request to a callback URL against the document.
func (d *document) judgeNotification(route *routers.Route, n notification) error {
	input := &openapi3filter.RequestValidationInput{Request: n.request, Route: route, Options: validation()}
	input.Request.Body, input.Request.ContentLength = io.NopCloser(bytes.NewReader(n.body)), int64(len(n.body))
	faults := []error{openapi3filter.ValidateRequest(n.request.Context(), input)}
	form := route.Operation.RequestBody.Value.Content[plainType].Schema
	members, err := findMembers(form, n.body, "onNotification")
	return errors.Join(append(faults, unknownMembers(members, err)...)...)
}

func TestNotificationsKeepToTheDocument(t *testing.T) {
	t.Parallel()
	server := service(t, practicetest.WithWebhookChaos(0.2, 0.2))
	described := load(t, server.BaseURL())
	route := described.callback(t)
	signed, plain := &inbox{}, &inbox{}
	client := server.Client(t)
	types, err := client.Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})
	require.NoError(t, err)
	require.Len(t, types, 43)
	subscribe(t, server, client, signed, types, models.Some(models.NewSecret("k-0123456789")))
	subscribe(t, server, client, plain, types, models.Opt[models.Secret]{})

	provoke(t, server, client, types)
	require.NoError(t, server.Flush(t.Context()))

	for name, box := range map[string]*inbox{"signed": signed, "plain": plain} {
		seen, members := map[string]bool{}, map[string]bool{}
		for _, n := range box.received {
			require.NoError(t, described.judgeNotification(route, n), "%s", n.body)
			assert.NotEmpty(t, n.request.Header.Get("RequestId"))
			assert.Equal(t, name == "signed", n.request.Header.Get("Signature") != "", "Signature")
			assert.Equal(t, name == "signed", n.request.Header.Get("Timestamp") != "", "Timestamp")
			var body struct {
				Type    string
				Payload json.RawMessage
			}
			require.NoError(t, json.Unmarshal(n.body, &body))
			seen[body.Type] = true
			if schema := payloads[body.Type]; schema != "" {
				require.NoError(t, described.matches(schema, body.Payload), "%s", body.Payload)
			}
			found, err := findMembers(described.Components.Schemas["Notification"], n.body, "")
			require.NoError(t, err)
			for _, member := range found {
				members["Notification."+member.name[1:]] = true
			}
		}
		for _, eventType := range types {
			assert.True(t, seen[string(eventType)], "%s was not delivered", eventType)
		}
		for _, member := range describedMembers(described.Components.Schemas["Notification"], "Notification") {
			assert.True(t, members[member], "no notification had %s", member)
		}
	}
}

func subscribe(t *testing.T, server *practicetest.Server, client *practice.Client, box *inbox, types []models.EventType, key models.Opt[models.Secret]) {
	t.Helper()
	address, err := server.Mount(box)
	require.NoError(t, err)
	require.NoError(t, discard(client.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
		Name: "All", EventTypes: types, EventNotificationURL: address + "/in", Key: key,
	})))
}

// provoke causes an event of every type, first those that the service sends by
// itself.
func provoke(t *testing.T, server *practicetest.Server, client *practice.Client, types []models.EventType) {
	t.Helper()
	firm := server.Firm()
	writes := operationCalls(t)
	for _, id := range []string{"createFolder", "createFile", "patchFee", "updateContactRelation", "addContactTags", "removeContactTagsBulk"} {
		require.NoError(t, writes[id].full(t.Context(), client, firm), id)
	}
	server.FailWrite("patchFee", "The invoice is final")
	require.NoError(t, writes["patchFee"].full(t.Context(), client, firm))
	require.True(t, server.RescheduleEvent(server.EventIDs()[0], 0))
	require.NoError(t, discard(client.Staff.Delete(t.Context(), firm.StaffIDs[len(firm.StaffIDs)-2])))
	for i, eventType := range types {
		e := practicetest.Event{Type: string(eventType), RequestID: "request-" + strconv.Itoa(i), UserID: firm.UserID}
		switch eventType {
		case "matter.updated":
			e.Payload = json.RawMessage(`{"id":"` + firm.MatterID + `","externalSystemId":null,"number":"100482","title":"Sale",` +
				`"matterType":{"id":"1_IL","rel":"MatterTypes"},"clients":[{"id":"` + firm.ContactID + `","rel":"Contacts"}],"description":"","status":"Open"}`)
		case "error", "staff.updated", "event.updated":
			continue // caused above, with a payload of the service
		}
		server.Emit(e)
	}
}
