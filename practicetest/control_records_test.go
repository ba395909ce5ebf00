package practicetest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// goodCreate returns the path and body of a valid request to an operation that
// creates a record.
func goodCreate(t *testing.T, o *description.Operation, f practicetest.Firm) (path, body string) {
	t.Helper()
	op, known := operations.ByID(o.ID)
	require.True(t, known, o.ID)
	arguments := op.Arguments(f)
	path = o.Path
	for i := range o.PathParameters {
		path = strings.Replace(path, "{"+o.PathParameters[i].Name+"}", fmt.Sprint(arguments[i]), 1)
	}
	text, err := codec.AppendRequest(nil, arguments[len(o.PathParameters)], models.Wire)
	require.NoError(t, err)
	return path, string(text)
}

// add adds a record with a command and returns its id.
func add(t *testing.T, s *practicetest.Server, path, record string) string {
	t.Helper()
	return command(t, s, "POST", "/records", fmt.Sprintf(`{"path":%q,"record":%s}`, path, record)).want(201).text("id")
}

// TestARecordOfEveryOperationIsAddedByACommand adds a record for each method of
// Server that performs a create operation, with the body of a valid request.
func TestARecordOfEveryOperationIsAddedByACommand(t *testing.T) {
	t.Parallel()
	document := describedAPI(t)
	adds, _ := recordMethods()
	s := controlled(t)
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.HTTPMethod != "POST" || o.Body == nil || o.Body.Type.Ref == nil || adds[o.Body.Type.Ref.GoName].Name == "" || o.ID == "sendPortalMessage" {
				continue
			}
			path, body := goodCreate(t, o, s.Firm())
			before := len(s.Changes())
			id := add(t, s, path, body)
			assert.NotEmpty(t, id, o.ID)
			if made := s.Changes()[before:]; assert.NotEmpty(t, made, o.ID) {
				assert.Equal(t, "Application", made[0].Source, o.ID)
			}
			delete(adds, o.Body.Type.Ref.GoName)
		}
	}
	for _, placed := range []string{
		"BankAccount", "IntakeForm", "Invoice", "LayoutDesign", "MatterType", "ReferralType", "StageSet", "Stage", "Promotion", "SubscriptionInvoice",
	} {
		assert.Contains(t, adds, placed)
		delete(adds, placed) // covered by TestARecordThatNoOperationMakesIsAddedByACommand
	}
	assert.Empty(t, adds, "no command adds these")
}

func TestARecordThatNoOperationMakesIsAddedByACommand(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	f := s.Firm()
	set := add(t, s, "/stagesets", `{"name":"Migration","stages":[{"name":"Application"}]}`)
	for path, record := range map[string]string{
		"/bankaccounts":                        `{"type":"Trust","accountType":1}`,
		"/intake/forms":                        `{"title":"Estate","active":true}`,
		"/matters/" + f.MatterID + "/invoices": `{"invoiceNumber":77,"status":1}`,
		"/layouts":                             `{"name":"Car"}`,
		"/mattertypes":                         `{"name":"Estate","location":"NSW"}`,
		"/referraltypes":                       `{"name":"Web"}`,
		"/stagesets/" + set + "/stages":        `{"name":"Decision"}`,
		"/subscriptions/promotions":            `{"name":"Spring"}`,
		"/subscriptions/" + f.SubscriptionID + "/invoices": `{"status":"Paid"}`,
	} {
		assert.NotEmpty(t, add(t, s, path, record), path)
	}
	names := []string{}
	for _, stage := range command(t, s, "GET", "/records?path=/stagesets/"+set, "").want(200).list("stages") {
		names = append(names, stage.(map[string]any)["name"].(string))
	}
	assert.Equal(t, []string{"Application", "Decision"}, names)
	assert.Equal(t, "Migration", call(t, s).get("/stagesets/"+set).want(200).text("name"))
}

func TestARecordOfACommandIsRefusedAsTheServiceRefusesIt(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	fees := "/matters/" + s.Firm().MatterID + "/fees"
	for _, tt := range []struct{ about, path, record, says string }{
		{"no list", "/nothing", `{}`, "does not contain a list of records"},
		{"a record", "/staff/" + s.Firm().StaffID, `{}`, "does not contain a list of records"},
		{"no path", "//", `{}`, "path of the API"},
		{"a misspelt member", fees, `{"subjekt":"s"}`, "subjekt"},
		{"a wrong kind", "/stagesets", `{"name":7}`, "must be a string"},
		{"an unknown member", "/stagesets", `{"nam":"n"}`, "nam"},
		{"no object", "/stagesets", `[]`, "not a JSON object"},
		{"a webhook subscription", "/webhooks", `{"name":"n"}`, "does not contain a list of records"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			a := command(t, s, "POST", "/records", fmt.Sprintf(`{"path":%q,"record":%s}`, tt.path, tt.record)).want(400)
			assert.Contains(t, a.Body, tt.says)
		})
	}
	command(t, s, "POST", "/records", `{"path":"/matters/`+s.Firm().OtherFirmMatterID+`/fees","record":{}}`).want(400)
	command(t, s, "POST", "/records", `{"path":"/stagesets/`+s.Firm().StaffID+`/stages","record":{"name":"n"}}`).want(404)
	assert.Empty(t, s.Violations(), "a command is no request")
}

// TestARecordIsReadByItsPathOrItsAddress reads records that are not visible to
// API requests yet.
func TestARecordIsReadByItsPathOrItsAddress(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	read := func(path string, status int) answer {
		return command(t, s, "GET", "/records?path="+path, "").want(status)
	}
	id := add(t, s, "/activitycodes", `{"code":"ADV"}`)
	code := read("/activitycodes/"+id, 200)
	assert.Equal(t, "ADV", code.text("code"))
	assert.Equal(t, code.Body, read(code.text("href"), 200).Body)
	assert.Equal(t, call(t, s).get("/activitycodes/"+id).want(200).Body, code.Body)

	read("/activitycodes/"+s.Firm().StaffID, 404)
	read("/matters/"+s.Firm().StaffID+"/fees/"+s.Firm().FeeID, 404)
	read("/matters/"+s.Firm().MatterID+"/fees/"+s.Firm().FeeID, 200)
	read("/matters/"+s.Firm().MatterIDs[3]+"/archive", 200)
	read("/firm", 200)
	read("/activitycodes", 400)
	command(t, s, "GET", "/records", "").want(400)
}

func TestWhatTheApplicationDoesIsDoneByCommands(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	f := s.Firm()
	event := s.EventIDs()[0]
	files := "/matters/" + f.MatterID + "/documents/files/"

	was, _ := s.Event(event)
	command(t, s, "POST", "/events/reschedule", `{"id":"`+event+`","byMilliseconds":60000}`).want(204)
	now, _ := s.Event(event)
	assert.NotEqual(t, was.StartTime, now.StartTime)
	command(t, s, "POST", "/records/delete", `{"path":"/events/`+event+`"}`).want(204)
	now, _ = s.Event(event)
	assert.True(t, now.IsDeleted.Or(false))
	command(t, s, "POST", "/events/forget", `{"id":"`+event+`"}`).want(204)
	command(t, s, "POST", "/events/forget", `{"id":"`+event+`"}`).want(404)
	assert.NotContains(t, s.EventIDs(), event)

	command(t, s, "POST", "/files/content", `{"id":"`+f.FileID+`","body":"new"}`).want(204)
	assert.JSONEq(t, `{"body":"new"}`, command(t, s, "GET", "/files/content?id="+f.FileID, "").want(200).Body)
	command(t, s, "POST", "/files/content", `{"id":"`+f.FileID+`","bodyBase64":"//4="}`).want(204)
	content, _ := s.FileContent(f.FileID)
	assert.Equal(t, []byte{0xff, 0xfe}, content)
	command(t, s, "POST", "/records/delete", `{"path":"`+files+f.FileID+`"}`).want(204)
	assert.Equal(t, "deleted", s.Changes()[len(s.Changes())-1].What)
	command(t, s, "POST", "/files/content", `{"id":"`+f.FileID+`","body":"new"}`).want(404)

	command(t, s, "POST", "/matters/stage", `{"matterId":"`+f.MatterID+`","stageId":"`+f.StageID+`"}`).want(204)
	stage, _ := s.MatterStage(f.MatterID)
	assert.Equal(t, f.StageID, stage.ID)
	command(t, s, "POST", "/matters/stage", `{"matterId":"`+f.StageID+`","stageId":"`+f.StageID+`"}`).want(404)
	for _, tt := range []struct {
		do, more string
		status   models.IntakeSubmissionStatus
	}{
		{"answer", `,"answers":[]`, models.IntakeSubmissionStatusCompleted}, {"cancel", "", models.IntakeSubmissionStatusCancelled},
	} {
		id := s.AddIntakeSubmission(f.MatterID, models.IntakeSubmissionCreate{
			FormID: f.IntakeFormID, Recipient: models.IntakeRecipientWrite{ContactID: f.ContactID, Email: "client@example.test"},
		})
		body := `{"id":"` + id + `"` + tt.more + `}`
		command(t, s, "POST", "/intake/"+tt.do, body).want(204)
		submission, _ := s.IntakeSubmission(id)
		assert.Equal(t, tt.status, submission.Status)
		assert.Contains(t, command(t, s, "POST", "/intake/"+tt.do, body).want(400).Body, string(tt.status))
	}

	reversal := command(t, s, "POST", "/transactions/reverse", `{"id":"`+f.TransactionID+`"}`).want(201).text("id")
	_, there := s.Transaction(reversal)
	assert.True(t, there)
	for _, path := range []string{"/transactions/reverse", "/cheques/present", "/requisitions/approve", "/requisitions/reject"} {
		command(t, s, "POST", path, `{"id":"`+f.TransactionID+`"}`).want(404)
		command(t, s, "POST", path, `{"id":""}`).want(400)
	}
}

// TestWhatNoOperationTellsIsToldByACommand compares the responses with the
// results of the Go methods.
func TestWhatNoOperationTellsIsToldByACommand(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithWriteDelay(0))
	f, c := s.Firm(), call(t, s)
	c.do("POST", "/matters/"+f.MatterID+"/portal/messages", `{"message":"Hello","contactId":"`+f.ContactID+`","requireMFA":true}`).want(202)
	c.with("ExternalId", "mine-1").do("POST", "/activitycodes", `{"code":"ADV"}`).want(202)
	told := func(path string, into any) {
		require.NoError(t, json.Unmarshal([]byte(command(t, s, "GET", path, "").want(200).Body), into))
	}
	var messages struct{ Value []practicetest.PortalMessage }
	told("/portal/messages", &messages)
	assert.NotEmpty(t, messages.Value)
	assert.False(t, s.PortalMessages()[0].Sent.IsZero())
	for i := range messages.Value {
		messages.Value[i].Sent = s.PortalMessages()[i].Sent
		assert.Equal(t, s.PortalMessages()[i].Text, messages.Value[i].Text)
	}
	var changes struct{ Value []practicetest.Change }
	told("/changes", &changes)
	assert.Equal(t, s.Changes(), changes.Value)
	told("/changes?last=1", &changes)
	assert.Equal(t, s.Changes()[len(s.Changes())-1:], changes.Value)
	var tasks struct{ Value []map[string]any }
	told("/portal/tasks?matterId="+f.MatterID, &tasks)
	assert.Len(t, tasks.Value, len(s.PortalTasks(f.MatterID)))
	assert.Equal(t, "Sign: costs agreement", tasks.Value[0]["task"].(map[string]any)["title"])
	var invitations struct{ Value []practicetest.Invitation }
	told("/invitations", &invitations)
	assert.Len(t, invitations.Value, len(s.Invitations()))
	id, _ := s.IDOfExternal("mine-1")
	assert.Equal(t, id, command(t, s, "GET", "/external?name=mine-1", "").want(200).text("id"))
	command(t, s, "GET", "/external?name=yours", "").want(404)
}
