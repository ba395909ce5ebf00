package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	portalSendMessage = operation{"Portal.SendMessage", http.MethodPost, "/matters/{matterId}/portal/messages", transport.Create}
	portalCreateTask  = operation{"Portal.CreateTask", http.MethodPost, "/matters/{matterId}/portal/tasks", transport.Create}
	portalPatchTask   = operation{"Portal.PatchTask", http.MethodPatch, "/matters/{matterId}/portal/tasks/{taskId}", transport.Create}
)

// PortalService sends messages to clients on the client portal, and assigns
// tasks to them.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/portal.md
type PortalService service

// SendMessage sends a message to a contact on the client portal. Under client
// credentials, WithUserID must name the lawyer who sends it. The link may be
// zero: whether the answer has one is not documented.
//   - API: POST /matters/{matterId}/portal/messages, asynchronous
func (s *PortalService) SendMessage(ctx context.Context, matterID string, message models.PortalMessage, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, portalSendMessage, opts).at(matterID).with(&message))
}

// CreateTask gives a contact a task on the client portal. No operation lists
// tasks, and the service probably does not return the id of the task, so the
// application must know it. The link may be zero: whether the answer has one is
// not documented.
//   - API: POST /matters/{matterId}/portal/tasks, asynchronous
func (s *PortalService) CreateTask(ctx context.Context, matterID string, task models.PortalTaskCreate, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, portalCreateTask, opts).at(matterID).with(&task))
}

// PatchTask changes a task, or completes, cancels or expires it; send one of
// the three at a time. The contact is notified, so the client never repeats a
// call that may have been executed. The link may be zero: whether the answer
// has one is not documented.
//   - API: PATCH /matters/{matterId}/portal/tasks/{taskId}, asynchronous
func (s *PortalService) PatchTask(ctx context.Context, matterID, taskID string, task models.PortalTaskPatch, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, portalPatchTask, opts).at(matterID, taskID).with(&task))
}
