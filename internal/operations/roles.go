package operations

import "github.com/practicesdk/practice-go/models"

func roles(f Firm) rows {
	witness := models.RelationshipWrite{
		Name: "Witness", DisplayName: "Witness", ContactID: "MyFirm", RepresentativeIDs: []string{f.ContactID}, IsMatterItemRequired: models.Some(false),
	}
	return rows{
		"addMatterRole": {models.RoleWrite{
			Name: "Buyer", DisplayName: "The buyer", Description: "Buyer", ContactID: f.ContactID, RepresentativeIDs: []string{f.RelatedContactID},
			Relationships: []models.RelationshipWrite{witness},
		}},
		"updateMatterRole": {models.RoleWrite{
			Name: "Client", DisplayName: "The client", ContactID: f.ContactID, RepresentativeIDs: []string{f.RelatedContactID},
			Relationships: []models.RelationshipWrite{witness},
		}},
		"addRelationship":    {witness},
		"updateRelationship": {witness},
	}
}
