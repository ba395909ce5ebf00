package operations

import "github.com/practicesdk/practice-go/models"

func roles() []Operation {
	witness := func(f Firm) models.RelationshipWrite {
		return models.RelationshipWrite{
			Name: "Witness", DisplayName: "Witness", ContactID: "MyFirm", RepresentativeIDs: []string{f.ContactID}, IsMatterItemRequired: models.Some(false),
		}
	}
	return []Operation{
		{"Roles.GetForMatter", "listMatterRoles", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Roles.Create", "addMatterRole", func(f Firm) []any {
			return []any{f.MatterID, models.RoleWrite{
				Name: "Buyer", DisplayName: "The buyer", Description: "Buyer", ContactID: f.ContactID, RepresentativeIDs: []string{f.RelatedContactID},
				Relationships: []models.RelationshipWrite{witness(f)},
			}}
		}},
		{"Roles.Get", "getMatterRole", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID}
		}},
		{"Roles.Update", "updateMatterRole", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID, models.RoleWrite{
				Name: "Client", DisplayName: "The client", ContactID: f.ContactID, RepresentativeIDs: []string{f.RelatedContactID},
				Relationships: []models.RelationshipWrite{witness(f)},
			}}
		}},
		{"Roles.Delete", "deleteMatterRole", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID}
		}},
		{"Roles.GetRelationships", "getMatterRelationships", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID}
		}},
		{"Roles.AddRelationship", "addRelationship", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID, witness(f)}
		}},
		{"Roles.GetRelationship", "getRelationship", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID, f.RelationshipID}
		}},
		{"Roles.UpdateRelationship", "updateRelationship", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID, f.RelationshipID, witness(f)}
		}},
		{"Roles.DeleteRelationship", "deleteRelationship", func(f Firm) []any {
			return []any{f.MatterID, f.RoleID, f.RelationshipID}
		}},
	}
}
