package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A layout design says which facts a layout item of a matter holds. A patch changes
// only the values that it names.
func ExampleLayoutsService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	for design, err := range client.Layouts.AllDesigns(ctx, practice.ListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		if design.Name != "Property details" {
			continue
		}
		whole, err := client.Layouts.GetDesign(ctx, design.ID, practice.LayoutDesignOptions{State: "IL"})
		if err != nil {
			log.Fatal(err)
		}
		for _, field := range whole.Fields {
			describeField(field)
		}
	}

	_, err := client.Layouts.Patch(ctx, firm.MatterID, firm.LayoutItemID, models.LayoutItemPatch{
		Values: models.Some([]models.LayoutValueWrite{{Key: models.Some("Lots[0]/Use"), Value: models.Some("Farm")}}),
	}, practice.LayoutWriteOptions{})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // the embedded service makes the changes that it has accepted
	item, err := client.Layouts.Get(ctx, firm.MatterID, firm.LayoutItemID)
	if err != nil {
		log.Fatal(err)
	}
	for _, value := range item.Values {
		describeValue(value)
	}

	// Output:
	// Number Lots[]/Number []
	// Combobox Lots[]/Use [Residence Commercial Farm]
	// Combobox Title [Freehold Leasehold Condominium]
	// Date Settlement []
	// Checkbox Fixtures []
	// Role Agent []
	// Role Witness []
	// Lots[0]/Number 12
	// Lots[0]/Use Farm
	// Title Freehold
	// Fixtures With the curtains
}

func describeField(field models.LayoutDesignField) {
	fmt.Println(field.Type, field.Name, field.PossibleValues)
}

func describeValue(value models.LayoutValue) { fmt.Println(value.Key, value.Value) }

// A contact in a field of a layout item is a role of the matter.
func ExampleLayoutsService_AddContact() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	link, err := client.Layouts.Create(ctx, firm.MatterID, models.LayoutItemWrite{
		LayoutDesignID: firm.LayoutDesignID,
		Events:         []models.LayoutEventWrite{{ID: models.Some("settlement"), AppointmentID: models.Some("appointment-1")}},
	}, practice.LayoutWriteOptions{SkipFieldValidation: true}) // a migration takes what was there
	if err != nil {
		log.Fatal(err)
	}
	itemID := link.TargetID()
	if _, err := practice.Await(ctx, practice.ReadLink[models.LayoutItem](client, link), practice.Exists()); err != nil {
		log.Fatal(err)
	}

	agent := models.LayoutContactWrite{Key: "Agent", ContactID: firm.ContactID}
	if err := client.Layouts.AddContact(ctx, firm.MatterID, itemID, agent); err != nil {
		log.Fatal(err)
	}
	server.Settle() // the embedded service makes the changes that it has accepted
	page, err := client.Layouts.ListContacts(ctx, firm.MatterID, itemID)
	if err != nil {
		log.Fatal(err)
	}
	for _, contact := range page.Items {
		role, err := client.Roles.Get(ctx, firm.MatterID, contact.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(contact.Key, "is the role", role.Name)
	}

	if err := client.Layouts.RemoveContact(ctx, firm.MatterID, itemID, "Agent"); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	_, err = client.Layouts.ListContacts(ctx, firm.MatterID, itemID)
	fmt.Println("no contacts:", errors.Is(err, practice.ErrNotFound))
	if err := client.Layouts.Delete(ctx, firm.MatterID, itemID); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	left, err := client.Layouts.List(ctx, firm.MatterID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("layouts:", len(left.Items))

	// Output:
	// Agent is the role Agent
	// no contacts: true
	// layouts: 1
}

// An event of layouts carries some layout items of a matter.
func Example_layoutsOfAnEvent() {
	text := `{"type":"layoutmatter.updated","timestamp":1,"payload":{"id":"m-1","items":[{"id":"l-1","name":"Lease"}]}}`
	var notification models.Notification
	if err := json.Unmarshal([]byte(text), &notification); err != nil {
		log.Fatal(err)
	}
	var layouts models.MatterLayouts
	if err := notification.Payload.Decode(&layouts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(layouts.ID, layouts.Items[0].Name)
	// Output: m-1 Lease
}
