package practice_test

import (
	"context"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// operationRow is one operation of the interface as the tests of all
// operations see it. A new operation adds its row here.
type operationRow struct {
	name   string // of the method
	id     string // operationId of api/openapi.yaml
	class  string // read, idempotent or create
	call   func(context.Context, *practice.Client, practicetest.Firm, ...practice.CallOption) error
	refuse map[string]func(context.Context, *practice.Client, practicetest.Firm) error // by the name of the bad argument
}

const (
	read       = "read"
	idempotent = "idempotent"
	create     = "create"
)

// badIDs are refused as an identifier of any operation.
var badIDs = []string{"", ".", "..", "a/b", `a\b`, "a\x00b", "a\nb", "a\x7fb", "\xff"}

// refusesID calls with every bad identifier in one place. The first error that
// is not a refusal, or the last refusal, is returned.
func refusesID(call func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error, more ...string) func(context.Context, *practice.Client, practicetest.Firm) error {
	return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
		var err error
		for _, bad := range append(more, badIDs...) {
			if err = call(ctx, c, f, bad); !isArgumentError(err) {
				return err
			}
		}
		return err
	}
}

func discard[T any](_ T, err error) error { return err }

var someTime = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

func subscriptionOf(types ...models.EventType) models.WebhookWrite {
	return models.WebhookWrite{
		Name: "Matters", EventTypes: types, EventNotificationURL: "https://hooks.example.test/in",
		Key: models.Some(models.NewSecret("k-0123456789")),
	}
}

var operationTable = []operationRow{
	{
		name: "BankAccounts.List", id: "listBankAccounts", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: models.BankAccountTrust, MatterID: f.MatterID}, o...))
		},
	},
	{
		name: "Documents.ListRootFolder", id: "getRootFolder", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.ListRootFolder(ctx, f.MatterID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Documents.ListRootFolder(ctx, bad))
			}),
		},
	},
	{
		name: "Documents.ListFolder", id: "getFolder", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.ListFolder(ctx, f.MatterID, f.FolderID, practice.FolderListOptions{Limit: 5}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.ListFolder(ctx, bad, f.FolderID, practice.FolderListOptions{}))
			}),
			"folderId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.ListFolder(ctx, f.MatterID, bad, practice.FolderListOptions{}))
			}),
			"offset": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.ListFolder(ctx, f.MatterID, f.FolderID, practice.FolderListOptions{Offset: -1}))
			},
			"limit": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.ListFolder(ctx, f.MatterID, f.FolderID, practice.FolderListOptions{Limit: 501}))
			},
		},
	},
	{
		name: "Documents.CreateFolder", id: "createFolder", class: create,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{Name: "Letters", ParentFolderID: f.FolderID}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Documents.CreateFolder(ctx, bad, models.FolderCreate{Name: "x"}))
			}),
			"name": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				if err := discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{})); !isArgumentError(err) {
					return err
				}
				return discard(c.Documents.CreateFolder(ctx, f.MatterID, models.FolderCreate{Name: strings.Repeat("ä", 257)}))
			},
		},
	},
	{
		name: "Documents.RestoreFolder", id: "patchFolder", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.RestoreFolder(ctx, f.MatterID, f.FolderID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.RestoreFolder(ctx, bad, f.FolderID))
			}),
			"folderId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.RestoreFolder(ctx, f.MatterID, bad))
			}),
		},
	},
	{
		name: "Documents.CreateFile", id: "createFile", class: create,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.CreateFile(ctx, f.MatterID, models.FileCreate{FileName: "letter.docx", FolderID: f.FolderID, DateCreated: models.DateTimeOf(someTime)}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Documents.CreateFile(ctx, bad, models.FileCreate{FileName: "x"}))
			}),
			"fileName": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Documents.CreateFile(ctx, f.MatterID, models.FileCreate{}))
			},
		},
	},
	{
		name: "Documents.GetUploadURL", id: "getFileUpload", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.GetUploadURL(ctx, f.MatterID, f.FileID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.GetUploadURL(ctx, bad, f.FileID))
			}),
			"fileId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.GetUploadURL(ctx, f.MatterID, bad))
			}),
		},
	},
	{
		name: "Documents.GetDownloadURL", id: "getFileDownload", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Documents.GetDownloadURL(ctx, f.MatterID, f.FileID, practice.DownloadURLOptions{}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.GetDownloadURL(ctx, bad, f.FileID, practice.DownloadURLOptions{}))
			}),
			"fileId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Documents.GetDownloadURL(ctx, f.MatterID, bad, practice.DownloadURLOptions{}))
			}),
		},
	},
	{
		name: "Policies.Get", id: "getPolicy", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Policies.Get(ctx, f.PolicyReference, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"reference": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Policies.Get(ctx, bad))
			}),
		},
	},
	{
		name: "Fees.Patch", id: "patchFee", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("Advice")}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Fees.Patch(ctx, bad, f.FeeID, models.FeePatch{}))
			}),
			"id": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, bad, models.FeePatch{}))
			}),
			"subject": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				if err := discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Null[string]()})); !isArgumentError(err) {
					return err
				}
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("")}))
			},
			"feeDate": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{FeeDate: models.Some(models.Date{})}))
			},
			"rate": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Rate: models.Some(models.Decimal{})}))
			},
			"tax": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{Tax: models.Some(models.Decimal{})}))
			},
			"feeType": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{FeeType: models.Some(models.FeeType(2))}))
			},
		},
	},
	{
		name: "Expenses.Get", id: "getExpense", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Expenses.Get(ctx, f.MatterID, f.ExpenseID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Expenses.Get(ctx, bad, f.ExpenseID))
			}),
			"id": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Expenses.Get(ctx, f.MatterID, bad))
			}),
		},
	},
	{
		name: "Contacts.ListRelations", id: "listContactRelations", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Contacts.ListRelations(ctx, f.ContactID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"contactId": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Contacts.ListRelations(ctx, bad))
			}),
		},
	},
	{
		name: "Contacts.UpdateRelation", id: "updateContactRelation", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.RelatedContactID, models.RelationWrite{BusinessRole: models.Some("Bookkeeper")}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"contactId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Contacts.UpdateRelation(ctx, bad, f.RelatedContactID, models.RelationWrite{}))
			}),
			"relatedContactId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, bad, models.RelationWrite{}))
			}, "MyFirm"),
			"relatedContactId of the body": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.RelatedContactID, models.RelationWrite{RelatedContactID: f.ContactID}))
			},
		},
	},
	{
		name: "Contacts.AddTags", id: "addContactTags", class: create,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Contacts.AddTags(ctx, f.ContactID, []string{"VIP"}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Contacts.AddTags(ctx, bad, []string{"VIP"}))
			}),
			"tags": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.AddTags(ctx, f.ContactID, []string{"VIP", ""}))
			},
		},
	},
	{
		name: "Contacts.RemoveTag", id: "removeContactTags", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Contacts.RemoveTag(ctx, f.ContactID, f.TagID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Contacts.RemoveTag(ctx, bad, f.TagID))
			}),
			"tagId, which would reach the bulk delete when empty": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Contacts.RemoveTag(ctx, f.ContactID, bad))
			}),
		},
	},
	{
		name: "Contacts.RemoveTags", id: "removeContactTagsBulk", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Contacts.RemoveTags(ctx, f.ContactID, []string{f.TagName}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Contacts.RemoveTags(ctx, bad, []string{f.TagName}))
			}),
			"tags": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.RemoveTags(ctx, f.ContactID, nil))
			},
		},
	},
	{
		name: "Staff.Get", id: "getStaff", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Staff.Get(ctx, f.StaffID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Staff.Get(ctx, bad))
			}),
		},
	},
	{
		name: "Staff.Delete", id: "deleteStaff", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Staff.Delete(ctx, f.StaffIDs[len(f.StaffIDs)-1], o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Staff.Delete(ctx, bad))
			}),
		},
	},
	{
		name: "Events.List", id: "listEvents", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Events.List(ctx, practice.EventListOptions{
				Offset: 1, Limit: 5, UpdatedSince: someTime, MatterID: f.MatterID, ExcludeDeleted: true, From: someTime, To: someTime.AddDate(1, 0, 0),
			}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"Offset": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{Offset: -1}))
			},
			"Limit": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{Limit: 501}))
			},
			"To": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{From: someTime, To: someTime.Add(-time.Hour)}))
			},
			"UpdatedSince": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{UpdatedSince: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}))
			},
			"From": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{From: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}))
			},
		},
	},
	{
		name: "Portal.SendMessage", id: "sendPortalMessage", class: create,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{Message: "Please sign.", ContactID: f.ContactID, RequireMFA: true}, o...)
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return c.Portal.SendMessage(ctx, bad, models.PortalMessage{Message: "x", ContactID: f.ContactID})
			}),
			"message": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{ContactID: f.ContactID})
			},
			"contactId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{Message: "x", ContactID: bad})
			}, "MyFirm"),
		},
	},
	{
		name: "Roles.GetRelationships", id: "getMatterRelationships", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Roles.GetRelationships(ctx, f.MatterID, f.RoleID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"matterId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Roles.GetRelationships(ctx, bad, f.RoleID))
			}, "not-a-uuid"),
			"roleId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Roles.GetRelationships(ctx, f.MatterID, bad))
			}, "{"+"00000000-0000-0000-0000-000000000000}"),
		},
	},
	{
		name: "Subscriptions.Get", id: "getSubscription", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Subscriptions.Get(ctx, f.SubscriptionID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Subscriptions.Get(ctx, bad))
			}, "promotions", "Promotions"),
		},
	},
	{
		name: "Subscriptions.ListPromotions", id: "listPromotions", class: read,
		call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Subscriptions.ListPromotions(ctx, practice.PromotionListOptions{Offset: 1, Limit: 5}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"Offset": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Subscriptions.ListPromotions(ctx, practice.PromotionListOptions{Offset: -1}))
			},
			"Limit": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Subscriptions.ListPromotions(ctx, practice.PromotionListOptions{Limit: -1}))
			},
		},
	},
	{
		name: "Subscriptions.GetPaymentMethod", id: "getPaymentMethod", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Subscriptions.GetPaymentMethod(ctx, f.SubscriptionID, f.PaymentMethodID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"subscriptionId": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Subscriptions.GetPaymentMethod(ctx, bad, f.PaymentMethodID))
			}),
			"id": refusesID(func(ctx context.Context, c *practice.Client, f practicetest.Firm, bad string) error {
				return discard(c.Subscriptions.GetPaymentMethod(ctx, f.SubscriptionID, bad))
			}, "not-a-uuid"),
		},
	},
	{
		name: "Webhooks.ListTypes", id: "listWebhookTypes", class: read,
		call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Webhooks.ListTypes(ctx, o...))
		},
	},
	{
		name: "Webhooks.List", id: "listWebhooks", class: read,
		call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Webhooks.List(ctx, practice.WebhookListOptions{Limit: 5}, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"Limit": func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Webhooks.List(ctx, practice.WebhookListOptions{Limit: 501}))
			},
		},
	},
	{
		name: "Webhooks.Get", id: "getWebhook", class: read,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Webhooks.Get(ctx, f.WebhookID, o...))
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return discard(c.Webhooks.Get(ctx, bad))
			}, "types"),
		},
	},
	{
		name: "Webhooks.Create", id: "createWebhook", class: create,
		call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Webhooks.Create(ctx, subscriptionOf("matter.updated", "error"), o...))
		},
		refuse: refusesSubscription(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, w models.WebhookWrite) error {
			return discard(c.Webhooks.Create(ctx, w))
		}),
	},
	{
		name: "Webhooks.Update", id: "updateWebhook", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return discard(c.Webhooks.Update(ctx, f.WebhookID, subscriptionOf("matter.updated"), o...))
		},
		refuse: refusesSubscription(func(ctx context.Context, c *practice.Client, f practicetest.Firm, w models.WebhookWrite) error {
			return discard(c.Webhooks.Update(ctx, f.WebhookID, w))
		}),
	},
	{
		name: "Webhooks.Delete", id: "deleteWebhook", class: idempotent,
		call: func(ctx context.Context, c *practice.Client, f practicetest.Firm, o ...practice.CallOption) error {
			return c.Webhooks.Delete(ctx, f.WebhookID, o...)
		},
		refuse: map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
			"id": refusesID(func(ctx context.Context, c *practice.Client, _ practicetest.Firm, bad string) error {
				return c.Webhooks.Delete(ctx, bad)
			}, "types"),
		},
	},
}

func refusesSubscription(call func(context.Context, *practice.Client, practicetest.Firm, models.WebhookWrite) error) map[string]func(context.Context, *practice.Client, practicetest.Firm) error {
	with := func(change func(*models.WebhookWrite)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			w := subscriptionOf("matter.updated")
			change(&w)
			return call(ctx, c, f, w)
		}
	}
	return map[string]func(context.Context, *practice.Client, practicetest.Firm) error{
		"name":                 with(func(w *models.WebhookWrite) { w.Name = "" }),
		"eventTypes":           with(func(w *models.WebhookWrite) { w.EventTypes = nil }),
		"eventTypes[1]":        with(func(w *models.WebhookWrite) { w.EventTypes = append(w.EventTypes, "") }),
		"eventNotificationUrl": with(func(w *models.WebhookWrite) { w.EventNotificationURL = "hooks.example.test/in" }),
		"key":                  with(func(w *models.WebhookWrite) { w.Key = models.Some(models.NewSecret("")) }),
	}
}
