package practice_test

import (
	"context"
	"fmt"
	"log"

	"github.com/practicesdk/practice-go/models"
)

// A group is given access to a matter by a policy of its own.
func ExampleGroupsService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	link, err := client.Groups.Create(ctx, models.GroupCreate{Name: "Conveyancing", PrincipalIDs: []string{firm.UserID}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Policies.Create(ctx, models.PolicyWrite{
		PrincipalID: link.TargetID(),
		Rules: []models.PolicyRuleWrite{
			{ResourceID: "matters/" + firm.MatterID, Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(1))},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // the embedded service makes the changes that it has accepted

	// The list of members is always the whole one.
	group, err := client.Groups.Get(ctx, link.TargetID())
	if err != nil {
		log.Fatal(err)
	}
	members := append(group.PrincipalIDs, firm.GroupID)
	if _, err := client.Groups.Update(ctx, group.ID, models.GroupWrite{PrincipalIDs: members}); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	page, err := client.Groups.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range page.Items {
		fmt.Println(group.Name, len(group.PrincipalIDs))
	}

	// Output:
	// Lawyers 2
	// Office 1
	// Everybody 2
	// Conveyancing 2
}

// An update replaces all rules of a policy: send those that are to stay, too.
func ExamplePoliciesService_Update() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	policy, err := client.Policies.Get(ctx, firm.PolicyReference)
	if err != nil {
		log.Fatal(err)
	}
	write := models.PolicyWrite{ResourceID: "matters/" + policy.ResourceID}
	for _, rule := range policy.Rules {
		write.Rules = append(write.Rules, models.PolicyRuleWrite{
			PrincipalID: rule.PrincipalID, ResourceID: rule.ResourceID, Operation: rule.Operation, Type: rule.Type,
		})
	}
	write.Rules = append(write.Rules, models.PolicyRuleWrite{
		PrincipalID: firm.GroupID, ResourceID: "matters/" + firm.MatterID,
		Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(1)),
	})
	if _, err := client.Policies.Update(ctx, firm.PolicyReference, write); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	policy, err = client.Policies.Get(ctx, firm.PolicyReference)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(policy.Rules), "rules, the last for a group:", policy.Rules[2].PrincipalID == firm.GroupID)

	for group, err := range client.Groups.All(ctx) { // and a group that is not needed
		if err != nil {
			log.Fatal(err)
		}
		if group.Name == "Office" {
			if _, err := client.Groups.Delete(ctx, group.ID); err != nil {
				log.Fatal(err)
			}
		}
	}

	// Output: 3 rules, the last for a group: true
}
