package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func webhooks(Firm) rows {
	subscription := models.WebhookSubscriptionWrite{
		Name: "Matters", EventTypes: []models.EventType{"matter.updated", "error"},
		EventNotificationURL: "https://hooks.example.test/in", Key: models.Some(models.NewSecret("k-0123456789")),
	}
	return rows{
		"listWebhooks":  {practice.WebhookSubscriptionListOptions{ListOptions: practice.ListOptions{Limit: 5}}},
		"createWebhook": {subscription},
		"updateWebhook": {subscription},
	}
}
