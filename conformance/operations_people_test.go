package conformance_test

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func people() map[string]calls {
	return map[string]calls{
		"getPolicy": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Policies.Get(ctx, f.PolicyReference))
		}},
		"getStaff": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Staff.Get(ctx, f.StaffID))
		}},
		"deleteStaff": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Staff.Delete(ctx, f.StaffID))
		}},
		"getMatterRelationships": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Roles.GetRelationships(ctx, f.MatterID, f.RoleID))
		}},
		"listContactRelations": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Contacts.ListRelations(ctx, f.ContactID))
		}},
		"updateContactRelation": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.RelatedContactID, models.RelationWrite{BusinessRole: models.Null[string]()}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.RelatedContactID, models.RelationWrite{
					RelatedContactID: f.RelatedContactID, BusinessRole: models.Some("Bookkeeper"),
				}))
			},
		},
		"addContactTags": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.AddTags(ctx, f.ContactID, nil))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Contacts.AddTags(ctx, f.ContactID, []string{"VIP", "Übersee"}))
			},
		},
		"removeContactTags": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Contacts.RemoveTag(ctx, f.ContactID, f.TagID))
		}},
		"removeContactTagsBulk": {minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Contacts.RemoveTags(ctx, f.ContactID, []string{f.TagName}))
		}},
		"sendPortalMessage": {
			minimal: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{Message: ".", ContactID: f.ContactID})
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{Message: "Please sign.", ContactID: f.ContactID, RequireMFA: true})
			},
		},
	}
}

func calendar() map[string]calls {
	return map[string]calls{
		"listEvents": {
			minimal: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{}))
			},
			full: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return discard(c.Events.List(ctx, practice.EventListOptions{
					Offset: 1, Limit: practice.MaxPageSize, UpdatedSince: from, MatterID: f.MatterID, ExcludeDeleted: true, From: from, To: to,
				}))
			},
		},
	}
}
