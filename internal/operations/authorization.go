package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// authorization returns the operations on groups of users and on policies.
func authorization() []Operation {
	rules := func(f Firm) []models.PolicyRuleWrite {
		return []models.PolicyRuleWrite{{
			PrincipalID: f.UserID, ResourceID: "matters/" + f.MatterID, Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(1)),
		}}
	}
	return []Operation{
		{"Groups.List", "listGroups", func(Firm) []any {
			return []any{practice.GroupListOptions{}}
		}},
		{"Groups.Create", "createGroup", func(f Firm) []any {
			return []any{models.GroupCreate{Name: "Conveyancing", PrincipalIDs: []string{f.UserID}}}
		}},
		{"Groups.Get", "getGroup", func(f Firm) []any {
			return []any{f.GroupID}
		}},
		{"Groups.Update", "updateGroup", func(f Firm) []any {
			return []any{f.GroupID, models.GroupWrite{PrincipalIDs: []string{f.UserID}}}
		}},
		{"Groups.Delete", "deleteGroup", func(f Firm) []any {
			return []any{f.GroupID}
		}},
		{"Policies.Get", "getPolicy", func(f Firm) []any {
			return []any{f.PolicyReference}
		}},
		{"Policies.Create", "createPolicy", func(f Firm) []any {
			return []any{models.PolicyWrite{PrincipalID: f.GroupID, Rules: rules(f)}}
		}},
		{"Policies.Update", "updatePolicy", func(f Firm) []any {
			return []any{f.PolicyReference, models.PolicyWrite{ResourceID: "matters/" + f.PolicyReference, Rules: rules(f)}}
		}},
	}
}
