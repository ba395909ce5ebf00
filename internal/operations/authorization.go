package operations

import "github.com/practicesdk/practice-go/models"

// authorization returns the operations on groups of users and on policies.
func authorization(f Firm) rows {
	rules := []models.PolicyRuleWrite{{
		PrincipalID: f.UserID, ResourceID: "matters/" + f.MatterID, Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(1)),
	}}
	return rows{
		"createGroup":  {models.GroupCreate{Name: "Conveyancing", PrincipalIDs: []string{f.UserID}}},
		"updateGroup":  {models.GroupWrite{PrincipalIDs: []string{f.UserID}}},
		"createPolicy": {models.PolicyWrite{PrincipalID: f.GroupID, Rules: rules}},
		"updatePolicy": {models.PolicyWrite{ResourceID: "matters/" + f.PolicyReference, Rules: rules}},
	}
}
