package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A company is added with its director, who is found again among its contacts.
func ExampleContactsService() {
	server := startService()
	defer stopService(server)
	ctx, client := context.Background(), clientOf(server)
	must := func(link *models.Link, err error) string {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // the embedded service makes the changes that it has accepted
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

	// The body has ids, the record links. Modify converts one into the other.
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
	tags, err := client.Contacts.ListTags(ctx, relation.TargetID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tags.Items[0].Name)

	must(client.Contacts.DeleteRelation(ctx, director, company))
	must(client.Contacts.Delete(ctx, director))
	must(client.Contacts.Update(ctx, director, models.ContactWrite{ // restores the contact
		Person: models.PersonWrite{FirstName: "Kim", LastName: "Example"}, IsDeleted: models.Some(false),
	}))

	// Output:
	// Organisation Example Foundry LLC https://foundry.example.test
	// directed by Kim
	// VIP
}

// Lists have tags and some details only when they are asked for: missing is not empty.
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
