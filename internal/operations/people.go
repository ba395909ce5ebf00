package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func people() []Operation {
	person := models.ContactWrite{Person: models.PersonWrite{FirstName: "Avery", LastName: "Example", Email: "avery@example.test"}}
	return []Operation{
		{"Contacts.List", "listContacts", func(Firm) []any {
			return []any{practice.ContactListOptions{
				Search: []string{"a", "e"}, Sort: models.ContactSortLastUpdated,
				Type: []models.ContactKind{
					models.ContactKindPerson, models.ContactKindOrganisation, models.ContactKindTrust, models.ContactKindGroupOfPeople,
				},
				Fields: []models.ContactField{
					models.ContactFieldPassportDetails, models.ContactFieldDeathDetails, models.ContactFieldCitizenshipDetails,
					models.ContactFieldUtbmsDetails, models.ContactFieldTags, models.ContactFieldExecutionOptions, models.ContactFieldVoiDetails,
				},
			}}
		}},
		{"Contacts.Create", "createContact", func(Firm) []any {
			return []any{person}
		}},
		{"Contacts.Get", "getContact", func(f Firm) []any {
			return []any{f.ContactID}
		}},
		{"Contacts.GetMany", "batchContacts", func(f Firm) []any {
			return []any{[]string{f.ContactID, f.RelatedContactID}}
		}},
		{"Contacts.Update", "updateContact", func(f Firm) []any {
			return []any{f.ContactID, person}
		}},
		{"Contacts.Delete", "deleteContact", func(f Firm) []any {
			return []any{f.ContactID}
		}},
		{"Contacts.CreateRelation", "createContactRelation", func(f Firm) []any {
			return []any{f.RelatedContactID, models.RelationWrite{RelatedContactID: f.ContactID, BusinessRole: models.Some("Spouse")}}
		}},
		{"Contacts.GetRelation", "getContactRelation", func(f Firm) []any {
			return []any{f.ContactID, f.RelatedContactID}
		}},
		{"Contacts.DeleteRelation", "deleteContactRelation", func(f Firm) []any {
			return []any{f.RelatedContactID, f.ContactID}
		}},
		{"Contacts.ListRelations", "listContactRelations", func(f Firm) []any {
			return []any{f.ContactID, practice.ContactRelationListOptions{}}
		}},
		{"Contacts.UpdateRelation", "updateContactRelation", func(f Firm) []any {
			return []any{f.RelatedContactID, f.ContactID, models.RelationWrite{RelatedContactID: f.ContactID, BusinessRole: models.Some("Bookkeeper")}}
		}},
	}
}

// contactTags returns the operations on the tags of contacts.
func contactTags() []Operation {
	return []Operation{
		{"Contacts.ListTags", "listContactTags", func(f Firm) []any {
			return []any{f.ContactID, practice.ContactTagListOptions{}}
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
	}
}
