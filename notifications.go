package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	notificationsGet    = operation{"Notifications.Get", http.MethodGet, "/notifications/{id}", transport.Read}
	notificationsCreate = operation{"Notifications.Create", http.MethodPost, "/notifications", transport.Create}
)

// NotificationsService shows notices to staff in the service's application. For
// webhook notifications see [WebhooksService].
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/notifications.md
type NotificationsService service

// Get returns a notice that was shown to a staff member.
//   - API: GET /notifications/{id}
func (s *NotificationsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.InAppNotification, error) {
	return send[models.InAppNotification](s.client.call(ctx, notificationsGet, opts).at(id))
}

// Create shows a notice to a staff member. Calling it twice shows it twice.
//   - API: POST /notifications, asynchronous
func (s *NotificationsService) Create(ctx context.Context, notice models.InAppNotificationCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, notificationsCreate, opts).with(&notice))
}
