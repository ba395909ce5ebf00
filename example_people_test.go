package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A company is created with its director, who is then found among its
// directors.
func ExampleContactsService() {
	server := startService()
	defer stopService(server)
	ctx, client := context.Background(), clientOf(server)
	must := func(link *models.Link, err error) string {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // let the accepted writes take effect
		return link.TargetID()
	}

	director := must(client.Contacts.Create(ctx, models.ContactWrite{
		Person: models.PersonWrite{FirstName: "Kim", LastName: "Example", Email: "kim@example.test"},
	}))
	company := must(client.Contacts.Create(ctx, models.ContactWrite{
		Company: models.CompanyWrite{Name: "Example Foundry LLC", DirectorIDs: []string{director}},
	}))
	must(client.Contacts.CreateRelation(ctx, director, models.RelationWrite{RelatedContactID: company, BusinessRole: models.Some("Director")}))
	must(client.Contacts.AddTags(ctx, company, []string{"VIP"}))

	// The body has ids where the record has links. Modify converts between
	// them.
	must(client.Contacts.Modify(ctx, company, func(c *models.ContactWrite) error {
		c.Company.Website = "https://foundry.example.test"
		return nil
	}))
	contact, err := client.Contacts.Get(ctx, company)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contact.Kind(), contact.Company.Name, contact.Company.Website)
	people, err := client.Contacts.GetMany(ctx, []string{contact.Company.Directors[0].TargetID()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("directed by", people.Items[0].Person.FirstName)
	relation, err := client.Contacts.GetRelation(ctx, director, company)
	if err != nil {
		log.Fatal(err)
	}
	tags, err := client.Contacts.ListTags(ctx, relation.TargetID(), practice.ContactTagListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tags.Items[0].Name)

	must(client.Contacts.DeleteRelation(ctx, director, company))
	must(client.Contacts.Delete(ctx, director))
	must(client.Contacts.Update(ctx, director, models.ContactWrite{ // undeletes the contact
		Person: models.PersonWrite{FirstName: "Kim", LastName: "Example"}, IsDeleted: models.Some(false),
	}))

	// Output:
	// Organisation Example Foundry LLC https://foundry.example.test
	// directed by Kim
	// VIP
}

// Lists contain tags and some details only on request: a missing member does
// not mean an empty one.
func ExampleContactsService_All() {
	server := startService()
	defer stopService(server)
	ctx, client := context.Background(), clientOf(server)
	server.AddContact(models.ContactWrite{Trust: models.TrustWrite{Name: "Example Family Trust"}})

	options := practice.ContactListOptions{
		ExcludeDeleted: true,
		Type:           []models.ContactKind{models.ContactKindOrganisation, models.ContactKindTrust},
		Sort:           models.ContactSortLastUpdated,
		Fields:         []models.ContactField{models.ContactFieldTags},
	}
	for contact, err := range client.Contacts.All(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(contact.Company.Name+contact.Trust.Name, len(contact.Tags))
	}

	page, err := client.Contacts.List(ctx, practice.ContactListOptions{Search: []string{"family trust"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].Kind())
	// Output:
	// Harbour Bakery LLC 3
	// Harbour Trust 1
	// Example Family Trust 0
	// Trust
}

// A group gets access to a matter through a policy.
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
	server.Settle() // let the accepted writes take effect

	// The list of members is replaced as a whole.
	group, err := client.Groups.Get(ctx, link.TargetID())
	if err != nil {
		log.Fatal(err)
	}
	members := append(group.PrincipalIDs, firm.GroupID)
	if _, err := client.Groups.Update(ctx, group.ID, models.GroupWrite{PrincipalIDs: members}); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	page, err := client.Groups.List(ctx, practice.GroupListOptions{})
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

// An update replaces all rules of a policy, so the body must also contain the
// unchanged ones.
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

	for group, err := range client.Groups.All(ctx, practice.GroupListOptions{}) { // take a group that is not in the policy yet
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

// Lists of staff contain rates only on request: a missing rate is not zero.
func ExampleStaffService_All() {
	server := startService()
	defer stopService(server)
	ctx, client := context.Background(), clientOf(server)
	id := server.AddStaffMember(models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test"})

	current, rated := 0, 0
	options := practice.StaffListOptions{Fields: []models.StaffField{models.StaffFieldRate}}
	for member, err := range client.Staff.All(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		if !member.Former.Or(false) {
			current++
		}
		if member.Rate.IsPresent() {
			rated++
		}
	}
	fmt.Println(current, "people,", rated, "with a rate")

	// A replacement clears the members that the body leaves out.
	_, err := client.Staff.Update(ctx, id, models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test", Role: "Lawyer"})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // let the accepted writes take effect
	page, err := client.Staff.List(ctx, practice.StaffListOptions{Search: []string{"ada@firm"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].FirstName, page.Items[0].Role)

	link, err := client.Staff.Create(ctx, models.StaffMemberWrite{FirstName: "Bo", LastName: "Example"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created, soon to be seen:", link.TargetID() != "")

	// Output:
	// 6 people, 5 with a rate
	// Ada Lawyer
	// created, soon to be seen: true
}
