package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAPortalMessageIsSent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		message models.PortalMessage
		body    string // C is replaced by the id of the contact
	}{
		{"with a second factor", models.PortalMessage{Message: "Please sign ✍ & return.\n<The firm>", RequireMFA: true},
			`{"message":"Please sign ✍ & return.\n<The firm>","contactId":"C","requireMFA":true}`},
		{"without one", models.PortalMessage{Message: "?"}, `{"message":"?","contactId":"C","requireMFA":false}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				test.message.ContactID = f.ContactID
				_, err := client.Portal.SendMessage(t.Context(), f.MatterID, test.message, practice.WithRequestID("message-1"))
				require.NoError(t, err)
				testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/portal/messages", "")
				assert.Equal(t, testkit.WithID(test.body, "C", f.ContactID), string(testkit.LastSent(t, server).Body))
				assert.Equal(t, 202, testkit.LastSent(t, server).Status)
				assert.Empty(t, server.PortalMessages(), "the write is only queued")

				server.Settle()
				require.Len(t, server.PortalMessages(), 1)
				sent := server.PortalMessages()[0]
				got := models.PortalMessage{Message: sent.Text, ContactID: sent.ContactID, RequireMFA: sent.RequireMFA}
				assert.Equal(t, test.message, got)
				assert.Equal(t, f.MatterID, sent.MatterID)
				assert.Equal(t, "message-1", sent.RequestID)
				assert.Equal(t, server.Credentials().UserID, sent.UserID, "the user of the token")
			})
		})
	}
}

func TestWhoSendsAPortalMessage(t *testing.T) {
	t.Parallel()
	type optionOf = func(*practicetest.Server) practice.Option
	user := func(i int) optionOf {
		return func(s *practicetest.Server) practice.Option { return practice.WithUserID(usersOf(s)[i]) }
	}
	nobody := func(*practicetest.Server) practice.Option { return practice.WithUserID("") }
	for _, test := range []struct {
		name         string
		grant        func(*practicetest.Server) practice.ClientOption // nil: the user's own token
		with         []optionOf
		call         []optionOf
		from         int // index into the list of users
		refused      bool
		unauthorised bool
	}{
		{name: "client credentials need a user", grant: testkit.ClientCredentials, refused: true},
		{name: "an empty user is none", grant: testkit.ClientCredentials, with: []optionOf{user(1)},
			call: []optionOf{nobody}, refused: true},
		{name: "the client's user", grant: testkit.ClientCredentials, with: []optionOf{user(1)}, from: 1},
		{name: "the call's user", grant: testkit.ClientCredentials, call: []optionOf{user(0)}, from: 0},
		{name: "the later one of two clients", grant: testkit.ClientCredentials, with: []optionOf{user(1), user(0)}, from: 0},
		{name: "the call's over the client's", grant: testkit.ClientCredentials, with: []optionOf{user(0)},
			call: []optionOf{user(0), user(1)}, from: 1},
		{name: "a user of another firm", grant: testkit.ClientCredentials, call: []optionOf{user(2)}, unauthorised: true},
		{name: "a refresh token needs none", grant: testkit.RefreshToken, from: 0},
		{name: "a user's own token needs none", from: 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				if test.grant != nil {
					client = server.Client(t, test.grant(server))
				}
				for _, option := range test.with {
					client = client.With(option(server))
				}
				var opts []practice.CallOption
				for _, option := range test.call {
					opts = append(opts, option(server))
				}
				_, err := client.Portal.SendMessage(t.Context(), f.MatterID, models.PortalMessage{Message: "Hello", ContactID: f.ContactID}, opts...)
				switch {
				case test.refused:
					require.True(t, testkit.IsArgumentError(err), "%v", err)
					assert.ErrorContains(t, err, "UserId")
					assert.Empty(t, server.Requests(), "not even a token is asked for")
				case test.unauthorised:
					require.ErrorIs(t, err, practice.ErrUnauthorized)
				default:
					require.NoError(t, err)
					server.Settle()
					require.Len(t, server.PortalMessages(), 1)
					assert.Equal(t, usersOf(server)[test.from], server.PortalMessages()[0].UserID)
				}
			})
		})
	}
}

// usersOf returns the user of the token, another user of the firm, and a user
// of another firm.
func usersOf(s *practicetest.Server) []string {
	return []string{s.Credentials().UserID, s.Firm().UserID, s.Firm().OtherFirmUserID}
}

func TestATaskOnThePortalIsGivenAndChanged(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, ctx := server.Firm(), t.Context()
		before := server.PortalTasks(f.MatterID)
		task := models.PortalTaskCreate{
			ContactID: f.ContactID, ExternalUserID: "user-9", Title: "Sign: lease", URL: "https://sign.example.test/9", RequireMFA: models.Some(true),
		}
		_, err := client.Portal.CreateTask(ctx, f.MatterID, task)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/portal/tasks", "")
		assert.Len(t, server.PortalTasks(f.MatterID), len(before), "the write is only queued")
		server.Settle()
		given := server.PortalTasks(f.MatterID)[len(before)]
		assert.Equal(t, practicetest.PortalTask{ID: given.ID, MatterID: f.MatterID, Task: task}, given)

		_, err = client.Portal.PatchTask(ctx, f.MatterID, given.ID, models.PortalTaskPatch{
			Title: models.Some("Sign: deed"), Completed: models.Some(true),
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/portal/tasks/"+given.ID, "")
		assert.JSONEq(t, `{"title":"Sign: deed","completed":true}`, string(testkit.LastSent(t, server).Body))
		server.Settle()
		now := server.PortalTasks(f.MatterID)[len(before)]
		assert.Equal(t, []any{"Sign: deed", "user-9", true, false, false}, []any{now.Task.Title, now.Task.ExternalUserID, now.Completed, now.Cancelled, now.Expired})
		added := server.AddPortalTask(f.MatterID, task)
		assert.Equal(t, added, server.PortalTasks(f.MatterID)[len(before)+1].ID)
	})
}

func TestRefusalsOfPortalTasks(t *testing.T) {
	t.Parallel()
	task := models.PortalTaskCreate{ExternalUserID: "user-9", Title: "Sign", URL: "https://sign.example.test/9"}
	testkit.AssertRefusals(t, "Portal.CreateTask",
		testkit.Refusal{
			Rule: "a contact of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"contactId: no such contact"},
			Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				of := task
				of.ContactID = f.OtherFirmContactID
				_, err := c.Portal.CreateTask(ctx, f.MatterID, of)
				return err
			},
		},
	)
}

func TestAWriteWithoutAPublishedAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer practicetest.Fault
		want   models.Link
	}{
		"returns the link that comes":         {practicetest.Fault{ContentType: "application/json", Body: `{"id":"task-1"}`}, models.Link{ID: "task-1"}},
		"returns it behind a byte order mark": {practicetest.Fault{ContentType: "application/json", Body: "\ufeff \n{\"id\":\"task-1\"}"}, models.Link{ID: "task-1"}},
		"needs none":                          {practicetest.Fault{ContentType: "application/json", Body: "null"}, models.Link{}},
		"does not read what is no record":     {practicetest.Fault{ContentType: "text/plain", Body: "accepted"}, models.Link{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := practicetest.New(t)
			test.answer.Operation, test.answer.Kind, test.answer.Status = "createPortalTask", practicetest.FaultStatus, 202
			server.Inject(test.answer)
			link, err := server.Client(t).Portal.CreateTask(t.Context(), server.Firm().MatterID, models.PortalTaskCreate{ExternalUserID: "user-9", Title: "Sign", URL: "https://sign.example.test/9"})
			require.NoError(t, err)
			assert.Equal(t, &test.want, link)
		})
	}
}
