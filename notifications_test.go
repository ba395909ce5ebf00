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

func TestANoticeHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().NotificationID
		n, err := client.Notifications.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/notifications/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/notifications/{id}", id)), map[string]any{
			"id": n.ID, "href": n.Href, "relation": n.Relation, "method": n.Method, "self": n.Self, "createdByUserId": n.CreatedByUserID,
			"createdDate": n.CreatedDate, "icon": n.Icon, "iconColor": n.IconColor, "message": n.Message, "toastyIcon": n.ToastyIcon,
			"toastyMessage": n.ToastyMessage, "isRead": n.IsRead, "hasBeenSeen": n.HasBeenSeen, "creationTimestamp": n.CreationTimestamp,
			"updatedDate": n.UpdatedDate, "isDeleted": n.IsDeleted,
		})
	})
}

func TestANoticeIsShownOnceForEachCall(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		notice := models.InAppNotificationCreate{StaffID: server.Firm().StaffID, Message: "The lease is **signed**.", ActionURI: "app://matters"}
		first, err := client.Notifications.Create(t.Context(), notice)
		require.NoError(t, err)
		second, err := client.Notifications.Create(t.Context(), notice)
		require.NoError(t, err)
		assert.JSONEq(t, `{"staffId":"`+notice.StaffID+`","message":"The lease is **signed**.","actionUri":"app://matters"}`, string(testkit.LastSent(t, server).Body))
		assert.NotEqual(t, first.ID, second.ID)
		require.ErrorIs(t, testkit.Discard(client.Notifications.Get(t.Context(), first.ID)), practice.ErrNotFound, "the write takes effect later")
		server.Settle()
		shown, there := server.Notification(first.ID)
		require.True(t, there)
		assert.Equal(t, notice.Message, shown.Message)
		assert.Equal(t, server.Credentials().UserID, shown.CreatedByUserID)
		assert.False(t, shown.IsRead.Or(true))
	})
}

func TestRefusalsOfNotifications(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Notifications.Create", testkit.Refusal{
		Rule: "a staff member of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"staffId: no such staff member"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Notifications.Create(ctx, models.InAppNotificationCreate{StaffID: f.OtherFirmStaffID}))
		},
	})
}
