package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	webhooksListTypes = operation{"Webhooks.ListTypes", http.MethodGet, "/webhooks/types", transport.Read}
	webhooksGet       = operation{"Webhooks.Get", http.MethodGet, "/webhooks/{id}", transport.Read}
	webhooksCreate    = operation{"Webhooks.Create", http.MethodPost, "/webhooks", transport.Create}
	webhooksUpdate    = operation{"Webhooks.Update", http.MethodPut, "/webhooks/{id}", transport.IdempotentWrite}
	webhooksDelete    = operation{"Webhooks.Delete", http.MethodDelete, "/webhooks/{id}", transport.IdempotentWrite}
	webhooksNotify    = operation{"Webhooks.Notify", http.MethodPost, "/webhooks/{id}/notify", transport.Create}
)

func webhooksList() *list[models.WebhookSubscription] {
	return paged("Webhooks.List", "Webhooks.All", "/webhooks", func(w *models.WebhookSubscription) string { return w.ID })
}

// WebhooksService manages the subscriptions to notifications. Package webhook
// receives them.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/webhooks.md
type WebhooksService service

// EventTypeListOptions is empty: the service has no options for this list.
type EventTypeListOptions struct{}

// ListTypes returns the names of all event types that the service knows.
//   - API: GET /webhooks/types
func (s *WebhooksService) ListTypes(ctx context.Context, options EventTypeListOptions, opts ...CallOption) ([]models.EventType, error) {
	page, err := listUnpaged[models.EventType](s.client.call(ctx, webhooksListTypes, opts), noOptions(options))
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// WebhookSubscriptionListOptions choose the page of a list of subscriptions to
// notifications.
type WebhookSubscriptionListOptions struct{ ListOptions }

// List returns one page of the subscriptions that this client created. Their
// keys are not in it.
//   - API: GET /webhooks
func (s *WebhooksService) List(ctx context.Context, options WebhookSubscriptionListOptions, opts ...CallOption) (*Page[models.WebhookSubscription], error) {
	return webhooksList().page(ctx, s.client, options, opts)
}

// All yields all the subscriptions that this client created. It reads Limit
// records per page from Offset.
//   - API: GET /webhooks
func (s *WebhooksService) All(ctx context.Context, options WebhookSubscriptionListOptions, opts ...CallOption) iter.Seq2[models.WebhookSubscription, error] {
	return webhooksList().walk(ctx, s.client, options, opts)
}

// Get returns a webhook subscription.
//   - API: GET /webhooks/{id}
func (s *WebhooksService) Get(ctx context.Context, id string, opts ...CallOption) (*models.WebhookSubscription, error) {
	return send[models.WebhookSubscription](s.client.call(ctx, webhooksGet, opts).at(id))
}

// Create subscribes an address to event types. List the existing subscriptions
// first: one per firm is recommended. A client of the system account may
// subscribe to system event types only. The key is shown only in this answer.
//   - API: POST /webhooks
func (s *WebhooksService) Create(ctx context.Context, subscription models.WebhookSubscriptionWrite, opts ...CallOption) (*models.WebhookSubscription, error) {
	return send[models.WebhookSubscription](s.client.call(ctx, webhooksCreate, opts).with(&subscription))
}

// Update replaces a subscription. The key must be a value or null, because the
// service does not document the effect of omitting it.
//   - API: PUT /webhooks/{id}
func (s *WebhooksService) Update(ctx context.Context, id string, subscription models.WebhookSubscriptionWrite, opts ...CallOption) (*models.WebhookSubscription, error) {
	return send[models.WebhookSubscription](s.client.call(ctx, webhooksUpdate, opts).at(id).with(&subscription))
}

// Delete removes a subscription. No more notifications are sent for it. The
// link may be zero: whether the answer has one is not documented.
//   - API: DELETE /webhooks/{id}
func (s *WebhooksService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, webhooksDelete, opts).at(id))
}

// Notify sends a test notification to the address of a subscription. Its type
// is noop, whatever types the subscription has; the list of types does not have
// it. The client never repeats it after a lost answer; the notification itself
// proves that it was sent. The link may be zero: whether the answer has one is
// not documented.
//   - API: POST /webhooks/{id}/notify
func (s *WebhooksService) Notify(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, webhooksNotify, opts).at(id))
}

// Modify reads a webhook subscription, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data. Key cannot be read back: set it, or allow its loss
// by WithLoss("key"). Its loss is sent as null. Ensure of package
// webhook/subscribe changes a subscription with its key.
//   - API: PUT /webhooks/{id}
func (s *WebhooksService) Modify(ctx context.Context, id string, change func(*models.WebhookSubscriptionWrite) error, opts ...CallOption) (*models.WebhookSubscription, error) {
	return modify(ctx, modification[models.WebhookSubscriptionWrite, models.WebhookSubscription]{
		s.client, "Webhooks.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}
