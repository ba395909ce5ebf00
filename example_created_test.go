package practice_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// After a create whose response was lost, FindCreated looks for the record. Each
// kind is recognised by members of its own.
func ExampleContactsService_FindCreated() {
	server := startService()
	defer stopService(server)
	ctx, client, matterID := context.Background(), clientOf(server), server.Firm().MatterID
	server.AddContact(models.ContactWrite{ExternalSystemID: "crm-4711", Person: models.PersonWrite{FirstName: "Kim", LastName: "Example"}})
	found := func(kind string, records int, err error) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(kind, records)
	}

	since := time.Now().Add(-5 * time.Minute) // clocks differ
	people, err := client.Contacts.FindCreated(ctx, models.ContactWrite{ExternalSystemID: "crm-4711"}, since)
	found("contacts", len(people), err)
	matters, err := client.Matters.FindCreated(ctx, models.MatterWrite{Number: "no such number"}, since)
	found("matters", len(matters), err)
	tasks, err := client.Tasks.FindCreated(ctx, models.TaskWrite{MatterID: matterID, Subject: "File the deed"}, since)
	found("tasks", len(tasks), err)
	events, err := client.Events.FindCreated(ctx, models.CalendarEventWrite{MatterID: matterID, Subject: "Signing of the deed"}, since)
	found("events", len(events), err)
	roles, err := client.Roles.FindCreated(ctx, matterID, models.RoleWrite{Name: "Surveyor of the deed"})
	found("roles", len(roles), err)
	files, err := client.Documents.FindCreatedFile(ctx, matterID, models.FileCreate{FileName: "Deed 4711.pdf"}, since)
	found("files", len(files), err)
	// Output:
	// contacts 1
	// matters 0
	// tasks 0
	// events 0
	// roles 0
	// files 0
}
