package practice_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheFirmHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, err := client.Firm.Get(t.Context())
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/firm", "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/firm")), map[string]any{
			"id": f.ID, "href": f.Href, "relation": f.Relation, "method": f.Method, "self": f.Self, "versionId": f.VersionID,
			"owner": f.Owner, "name": f.Name, "status": f.Status, "productId": f.ProductID, "addOnIds": f.AddOnIDs, "email": f.Email,
			"abn": f.ABN, "acn": f.ACN, "streetAddress": f.StreetAddress, "mailingAddress": f.MailingAddress, "dxAddress": f.DXAddress,
			"phone": f.Phone, "fax": f.Fax, "logo": f.Logo, "stylingDetails": f.StylingDetails, "licenceNumbers": f.LicenceNumbers,
			"createdDate": f.CreatedDate,
		})
	})
}

func TestTheFirmIsReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		before, err := client.Firm.Get(t.Context())
		require.NoError(t, err)
		_, err = client.Firm.Update(t.Context(), models.FirmWrite{
			Name: "Young Law", Status: models.FirmStatusWrite{Status: models.FirmAccountStatusSuspended},
		})
		require.NoError(t, err)
		assert.JSONEq(t, `{"name":"Young Law","status":{"status":"Suspended"}}`, string(testkit.LastSent(t, server).Body))
		server.Settle()
		after, err := client.Firm.Get(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "Young Law", after.Name)
		assert.Equal(t, models.FirmAccountStatusSuspended, after.Status.Status)
		assert.NotEmpty(t, after.Status.StatusMessage, "the service makes one")
		assert.Empty(t, after.ProductID, "a replacement clears what it leaves out")
		assert.Equal(t, before.Logo, after.Logo, "and leaves what no request can hold")
		assert.NotEqual(t, before.VersionID, after.VersionID)
	})
}

func TestAFirmIsCreatedWithItsOwner(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		f := server.Firm()
		own := server.Client(t, testkit.ClientCredentials(server)).ForAccount(f.AccountID)
		link, err := own.Firm.Create(t.Context(), models.FirmCreate{
			Name: "Newcomer Law", ProductID: "PRD002", Staff: models.StaffMemberWrite{UserID: f.NewcomerUserID, LastName: "Newcomer"},
		})
		require.NoError(t, err)
		server.Settle()
		other := server.Client(t, testkit.ClientCredentials(server)).ForAccount(link.ID)
		made, err := other.Firm.Get(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "Newcomer Law", made.Name)
		users, err := other.Firm.ListUsers(t.Context(), practice.FirmUserListOptions{})
		require.NoError(t, err)
		require.Len(t, users.Items, 1)
		assert.Equal(t, f.NewcomerUserID, users.Items[0].UserID)
		owner, err := other.Staff.Get(t.Context(), users.Items[0].StaffID)
		require.NoError(t, err)
		assert.Equal(t, "Newcomer", owner.LastName)
		_, err = own.Users.Get(t.Context(), f.NewcomerUserID)
		require.ErrorIs(t, err, practice.ErrForbidden, "the user belongs to the new firm")
	}, practicetest.WithMultiAccount(true))
}

func TestFirmUsersTellWhichUserIsWhichStaffMember(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Firm.ListUsers(t.Context(), practice.FirmUserListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/firmusers", "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/firmusers")).([]any)
		require.Len(t, page.Items, len(wire))
		for i, u := range page.Items {
			testkit.AssertRecord(t, wire[i], map[string]any{
				"id": u.ID, "href": u.Href, "relation": u.Relation, "method": u.Method, "self": u.Self,
				"staffId": u.StaffID, "userId": u.UserID, "isFormerUser": u.IsFormerUser,
			})
		}
		assert.Len(t, page.Items, len(f.StaffIDs)-1, "one staff member was never a user")
		assert.True(t, page.Items[len(page.Items)-1].IsFormerUser.Or(false))
		for _, id := range []string{f.StaffID, f.UserID} {
			one, err := client.Firm.GetUser(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, []string{f.StaffID, f.UserID}, []string{one.StaffID, one.UserID}, "the id is that of either")
		}
	})
}

func TestAUserIsTiedToAStaffMember(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		member := f.StaffIDs[2]
		tied := func() string {
			read, err := client.Staff.Get(t.Context(), member)
			require.NoError(t, err)
			return read.UserID
		}
		require.Empty(t, tied())
		_, err := client.Firm.UpdateUser(t.Context(), member, models.FirmUserWrite{UserID: f.NewcomerUserID})
		require.NoError(t, err)
		assert.Equal(t, `{"userId":"`+f.NewcomerUserID+`"}`, string(testkit.LastSent(t, server).Body))
		server.Settle()
		assert.Equal(t, f.NewcomerUserID, tied())
		asUser := server.Client(t, testkit.ClientCredentials(server)).With(practice.WithUserID(f.NewcomerUserID))
		require.NoError(t, testkit.Discard(asUser.Firm.Get(t.Context())), "who is tied has access")

		require.NoError(t, testkit.Discard(client.Firm.UpdateUser(t.Context(), f.NewcomerUserID, models.FirmUserWrite{StaffID: member})))
		server.Settle()
		assert.Empty(t, tied(), "a body without a user ends the tie")
		_, err = asUser.Firm.Get(t.Context())
		require.ErrorIs(t, err, practice.ErrUnauthorized)
	})
}

func TestAUserWhoIsRemovedFromTheFirm(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		subscription := testkit.SubscriptionOf(models.EventTypeFirmUserUpdated.Type(), models.EventTypeUserUnregistered.Type(), models.EventTypeStaffUpdated.Type())
		subscription.EventNotificationURL = testkit.Inbox(t, server)
		require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))

		link, err := client.Firm.DeleteUser(t.Context(), f.StaffID)
		require.NoError(t, err)
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Zero(t, *link, "the response is empty")
		server.Settle()
		tie, err := client.Firm.GetUser(t.Context(), f.UserID)
		require.NoError(t, err)
		assert.True(t, tie.IsFormerUser.Or(false))
		state, there := server.FirmUser(f.StaffID)
		assert.True(t, there)
		assert.Equal(t, tie.UserID, state.UserID)
		member, err := client.Staff.Get(t.Context(), f.StaffID)
		require.NoError(t, err)
		assert.True(t, member.Former.Or(false))
		require.ErrorIs(t, testkit.Discard(client.Users.Get(t.Context(), f.UserID)), practice.ErrNotFound)

		require.NoError(t, server.Flush(t.Context()))
		ids := map[string]string{}
		for _, delivery := range server.Deliveries() {
			var notification models.Notification
			require.NoError(t, json.Unmarshal(delivery.Body, &notification))
			var payload models.FirmUser // to show that the others have an id too
			require.NoError(t, notification.Payload.Decode(&payload))
			ids[delivery.Type] = payload.ID
		}
		assert.Equal(t, map[string]string{"staff.updated": f.StaffID, "user.unregistered": f.UserID, "firmuser.updated": f.StaffID}, ids)

		link, err = client.Firm.DeleteUser(t.Context(), f.UserID)
		require.NoError(t, err)
		assert.Equal(t, 200, testkit.LastSent(t, server).Status)
		assert.Equal(t, f.UserID, link.ID, "who is gone already is answered with a link")
	})
}

func TestRefusalsOfTheFirm(t *testing.T) {
	t.Parallel()
	for name, user := range map[string]func(practicetest.Firm) string{
		"an owner who is a user of this firm":    func(f practicetest.Firm) string { return f.UserID },
		"an owner who is a user of another firm": func(f practicetest.Firm) string { return f.OtherFirmUserID },
		"an owner who is nobody":                 func(practicetest.Firm) string { return testkit.UnknownID },
	} {
		testkit.AssertRefusals(t, "Firm.Create", testkit.Refusal{Rule: name, Want: practice.ErrForbidden, Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Firm.Create(ctx, models.FirmCreate{ProductID: "PRD002", Staff: models.StaffMemberWrite{UserID: user(f)}}))
		}})
	}
	testkit.AssertRefusals(t, "Firm.Update", testkit.Refusal{
		Rule: "add-ons without a product", Want: practice.ErrBadRequest, Fields: []string{"addOnIds: is allowed only together with productId"},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Firm.Update(ctx, models.FirmWrite{AddOnIDs: []models.AddOnCode{models.AddOnCodeADD001}}))
		},
	})
	testkit.AssertRefusals(t, "Firm.GetUser",
		testkit.Refusal{Rule: "a user of no staff member", Want: practice.ErrNotFound, Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Firm.GetUser(ctx, f.NewcomerUserID))
		}},
		testkit.Refusal{Rule: "a staff member who was never a user", Want: practice.ErrNotFound, Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Firm.GetUser(ctx, f.StaffIDs[2]))
		}},
	)
	tie := func(rule string, fields []string, tie func(practicetest.Firm) (string, models.FirmUserWrite)) testkit.Refusal {
		return testkit.Refusal{Rule: rule, Want: practice.ErrBadRequest, Conflict: true, Fields: fields, Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			id, body := tie(f)
			return testkit.Discard(c.Firm.UpdateUser(ctx, id, body))
		}}
	}
	testkit.AssertRefusals(t, "Firm.UpdateUser",
		tie("the user of another staff member", []string{"userId: is already linked to a different staff member"}, func(f practicetest.Firm) (string, models.FirmUserWrite) {
			return f.StaffIDs[2], models.FirmUserWrite{UserID: f.UserID}
		}),
		tie("nobody", []string{"userId: no such user"}, func(f practicetest.Firm) (string, models.FirmUserWrite) {
			return f.StaffIDs[2], models.FirmUserWrite{UserID: testkit.UnknownID}
		}),
		tie("a former staff member", []string{"staffId: must not be a former staff member"}, func(f practicetest.Firm) (string, models.FirmUserWrite) {
			return f.StaffIDs[5], models.FirmUserWrite{UserID: f.NewcomerUserID}
		}),
		tie("a user without a staff member", []string{"staffId: the user is not linked to a staff member"}, func(f practicetest.Firm) (string, models.FirmUserWrite) {
			return f.NewcomerUserID, models.FirmUserWrite{UserID: f.NewcomerUserID}
		}),
		tie("a staff member of another firm", []string{"staffId: no such staff member"}, func(f practicetest.Firm) (string, models.FirmUserWrite) {
			return f.StaffID, models.FirmUserWrite{UserID: f.UserID, StaffID: f.OtherFirmStaffID}
		}),
	)
}
