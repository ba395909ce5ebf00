package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func people(f Firm) rows {
	person := models.ContactWrite{Person: models.PersonWrite{FirstName: "Avery", LastName: "Example", Email: "avery@example.test"}}
	return rows{
		"listContacts": {practice.ContactListOptions{
			Search: []string{"a", "e"}, Sort: models.ContactSortLastUpdated,
			Type: []models.ContactKind{
				models.ContactKindPerson, models.ContactKindOrganisation, models.ContactKindTrust, models.ContactKindGroupOfPeople,
			},
			Fields: []models.ContactField{
				models.ContactFieldPassportDetails, models.ContactFieldDeathDetails, models.ContactFieldCitizenshipDetails,
				models.ContactFieldUtbmsDetails, models.ContactFieldTags, models.ContactFieldExecutionOptions, models.ContactFieldVoiDetails,
			},
		}},
		"createContact": {person},
		"batchContacts": {[]string{f.ContactID, f.RelatedContactID}},
		"updateContact": {person},
		// The way back of a relation is new.
		"createContactRelation": {f.RelatedContactID, models.RelationWrite{RelatedContactID: f.ContactID, BusinessRole: models.Some("Spouse")}},
		// The way back of a relation is written.
		"deleteContactRelation": {f.RelatedContactID, f.ContactID},
		"updateContactRelation": {f.RelatedContactID, f.ContactID, models.RelationWrite{RelatedContactID: f.ContactID, BusinessRole: models.Some("Bookkeeper")}},
	}
}

// contactTags returns the operations on the tags of contacts.
func contactTags(f Firm) rows {
	return rows{
		"addContactTags":        {[]string{"VIP", "Reviewed"}},
		"removeContactTagsBulk": {[]string{f.TagName}},
	}
}
