package operations

import "github.com/practicesdk/practice-go/models"

func people() []Operation {
	return []Operation{
		{"Contacts.ListRelations", "listContactRelations", func(f Firm) []any {
			return []any{f.ContactID}
		}},
		{"Contacts.UpdateRelation", "updateContactRelation", func(f Firm) []any {
			return []any{f.ContactID, f.RelatedContactID, models.RelationWrite{BusinessRole: models.Some("Bookkeeper")}}
		}},
		{"Contacts.AddTags", "addContactTags", func(f Firm) []any {
			return []any{f.ContactID, []string{"VIP", "Reviewed"}}
		}},
		{"Contacts.RemoveTag", "removeContactTags", func(f Firm) []any {
			return []any{f.ContactID, f.TagID}
		}},
		{"Contacts.RemoveTags", "removeContactTagsBulk", func(f Firm) []any {
			return []any{f.ContactID, []string{f.TagName}}
		}},
		{"Portal.SendMessage", "sendPortalMessage", func(f Firm) []any {
			return []any{f.MatterID, models.PortalMessage{Message: "This is a test message.", ContactID: f.ContactID, RequireMFA: true}}
		}},
	}
}
