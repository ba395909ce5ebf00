package conformance_test

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func webhooks() map[string]calls {
	subscription := func(key models.Opt[models.Secret]) models.WebhookWrite {
		return models.WebhookWrite{
			Name: "Matters", EventTypes: []models.EventType{"matter.updated", "error"},
			EventNotificationURL: "https://hooks.example.test/in", Key: key,
		}
	}
	secret := models.Some(models.NewSecret("k-0123456789"))
	return map[string]calls{
		"listWebhookTypes": {minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return discard(c.Webhooks.ListTypes(ctx))
		}},
		"listWebhooks": {
			minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Webhooks.List(ctx, practice.WebhookListOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Webhooks.List(ctx, practice.WebhookListOptions{Offset: practice.MaxOffset, Limit: practice.MaxPageSize}))
			},
		},
		"getWebhook": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Webhooks.Get(ctx, f.WebhookID))
		}},
		"createWebhook": {
			minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Webhooks.Create(ctx, subscription(models.Opt[models.Secret]{})))
			},
			full: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Webhooks.Create(ctx, subscription(secret)))
			},
		},
		"updateWebhook": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Webhooks.Update(ctx, f.WebhookID, subscription(models.Null[models.Secret]())))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Webhooks.Update(ctx, f.WebhookID, subscription(secret)))
			},
		},
		"deleteWebhook": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return c.Webhooks.Delete(ctx, f.WebhookID)
		}},
	}
}
