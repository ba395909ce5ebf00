package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func webhooks() []Operation {
	subscription := models.WebhookSubscriptionWrite{
		Name: "Matters", EventTypes: []models.EventType{"matter.updated", "error"},
		EventNotificationURL: "https://hooks.example.test/in", Key: models.Some(models.NewSecret("k-0123456789")),
	}
	return []Operation{
		{"Webhooks.ListTypes", "listWebhookTypes", func(Firm) []any {
			return []any{practice.EventTypeListOptions{}}
		}},
		{"Webhooks.List", "listWebhooks", func(Firm) []any {
			return []any{practice.WebhookSubscriptionListOptions{ListOptions: practice.ListOptions{Limit: 5}}}
		}},
		{"Webhooks.Get", "getWebhook", func(f Firm) []any {
			return []any{f.WebhookID}
		}},
		{"Webhooks.Create", "createWebhook", func(Firm) []any {
			return []any{subscription}
		}},
		{"Webhooks.Update", "updateWebhook", func(f Firm) []any {
			return []any{f.WebhookID, subscription}
		}},
		{"Webhooks.Delete", "deleteWebhook", func(f Firm) []any {
			return []any{f.WebhookID}
		}},
		{"Webhooks.Notify", "notifyWebhook", func(f Firm) []any {
			return []any{f.WebhookID}
		}},
	}
}
