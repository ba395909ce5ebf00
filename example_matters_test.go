package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A matter type belongs to one location and lists the roles of its matters.
func ExampleMatterTypesService_All() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	wanted := practice.MatterTypeListOptions{Location: "IL", Type: models.Some(models.MatterTypeKindMatterType)}
	for kind, err := range client.MatterTypes.All(ctx, wanted) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(kind.Category+":", kind.Name, kind.RepresentativeOptions)
	}
	// Output:
	// Property: Sale of a home [Seller Buyer]
	// Property: Purchase of a home [Buyer Seller]
	// Property: Commercial lease [Tenant Landlord]
	// Family Law: Divorce [Petitioner Respondent]
	// Litigation: Debt recovery [Plaintiff Defendant]
	// Employment: Unfair dismissal [Employee Employer]
}

// A matter moves to another stage. The list of changes since then contains it.
func ExampleStagesService_AllMatterStages() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID := server.Firm().MatterID
	sets, err := client.Stages.ListSets(ctx, practice.StageListOptions{})
	if err != nil {
		log.Fatal(err)
	}

	server.Clock().Advance(time.Second)
	since := server.Clock().Now()
	server.SetMatterStage(matterID, sets.Items[0].Stages[3].ID) // plays a person at the firm

	for reached, err := range client.Stages.AllMatterStages(ctx, practice.StageListOptions{UpdatedSince: since}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(reached.Matter.ID == matterID, reached.Stage.Name)
	}
	// Output:
	// true Settlement
}

// The list contains the leads of the firm, with members that it includes only
// on request.
func ExampleMattersService_All() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	options := practice.MatterListOptions{
		Type: models.MatterListTypeLeads, Sort: models.MatterSortLastUpdated, Fields: []models.MatterField{models.MatterFieldTags},
	}
	leads := 0
	for lead, err := range client.Matters.All(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		if lead.IsLead.Or(false) {
			leads++
		}
	}
	fmt.Println(leads, "leads")
	// Output: 2 leads
}

// A task gets subtasks and a document, and is completed. StaffID names the
// author of each change.
func ExampleTasksService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // let the accepted writes take effect
	}

	write := models.TaskWrite{StaffID: firm.StaffID, MatterID: firm.MatterID, AssigneeIDs: []string{firm.StaffID}, Subject: "Settle the purchase"}
	link, err := client.Tasks.Create(ctx, write)
	must(link, err)
	id := link.TargetID()
	must(client.Tasks.CreateSubtask(ctx, id, models.SubtaskWrite{StaffID: firm.StaffID, Subject: "Order the cheques"}))
	must(client.Tasks.AddDocument(ctx, id, models.TaskDocumentCreate{DocumentID: firm.FileID, Type: models.TaskDocumentTypeFile}))

	parts, err := client.Tasks.ListSubtasks(ctx, id, practice.SubtaskListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	part := parts.Items[0]
	must(client.Tasks.UpdateSubtask(ctx, id, part.ID, models.SubtaskWrite{StaffID: firm.StaffID, Subject: part.Subject, IsCompleted: models.Some(true)}))
	write.IsCompleted, write.CompletedByStaffID = models.Some(true), firm.StaffID
	must(client.Tasks.Update(ctx, id, write))

	task, err := client.Tasks.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	subtask, err := client.Tasks.GetSubtask(ctx, id, task.SubTasks[0].TargetID())
	if err != nil {
		log.Fatal(err)
	}
	documents, err := client.Tasks.ListDocuments(ctx, id, practice.TaskDocumentListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(task.Subject, "completed:", task.IsCompleted.Or(false))
	fmt.Println(subtask.Subject, "completed:", subtask.IsCompleted.Or(false))
	fmt.Println(len(documents.Items), "document")

	open := 0
	for _, err := range client.Tasks.All(ctx, practice.TaskListOptions{MatterID: firm.MatterID, IsCompleted: models.Some(false)}) {
		if err != nil {
			log.Fatal(err)
		}
		open++
	}
	fmt.Println(open, "open tasks of the matter")

	document, err := client.Tasks.GetDocument(ctx, id, documents.Items[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	must(client.Tasks.RemoveDocument(ctx, id, document.ID)) // the file itself is kept
	must(client.Tasks.DeleteSubtask(ctx, id, part.ID))
	must(client.Tasks.Delete(ctx, id))
	page, err := client.Tasks.List(ctx, practice.TaskListOptions{MatterID: firm.MatterID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("deleted, and listed:", page.Items[len(page.Items)-1].IsDeleted.Or(false))

	// Output:
	// Settle the purchase completed: true
	// Order the cheques completed: true
	// 1 document
	// 2 open tasks of the matter
	// deleted, and listed: true
}

// A form is sent to a client, who fills it in at the address in the response.
func ExampleIntakeService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	var formID string
	for form, err := range client.Intake.AllForms(ctx, practice.IntakeFormListOptions{MatterTypeID: firm.MatterTypeID}) {
		if err != nil {
			log.Fatal(err)
		}
		if form.Active.Or(false) {
			formID = form.ID
		}
	}
	sent, err := client.Intake.CreateSubmission(ctx, firm.MatterID, models.IntakeSubmissionCreate{
		FormID: formID, Recipient: models.IntakeRecipientWrite{ContactID: firm.ContactID},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the form is at", sent.Link) // Reveal returns the address

	server.AnswerIntakeSubmission(sent.ID, []models.IntakeAnswerSection{{
		SectionTitle: "Your details",
		Groups:       []models.IntakeAnswerGroup{{Fields: []models.IntakeAnswer{{Type: models.IntakeAnswerTypeText, Label: "Occupation", Value: "Baker"}}}},
	}}) // plays the client
	for submission, err := range client.Intake.AllSubmissions(ctx, firm.MatterID, practice.IntakeSubmissionListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		if submission.ID != sent.ID {
			continue
		}
		whole, err := client.Intake.GetSubmission(ctx, firm.MatterID, submission.ID)
		if err != nil {
			log.Fatal(err)
		}
		answer := whole.Responses[0].Groups[0].Fields[0]
		fmt.Println(submission.Status, answer.Label, answer.Value)
	}

	// A person at the firm may cancel a form that was not answered.
	other := server.AddIntakeSubmission(firm.MatterID, models.IntakeSubmissionCreate{
		FormID: formID, Recipient: models.IntakeRecipientWrite{Email: "heir@example.test"},
	})
	server.CancelIntakeSubmission(other)
	left, err := client.Intake.GetSubmission(ctx, firm.MatterID, other)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(left.Status)

	// Output:
	// the form is at [redacted]
	// completed Occupation Baker
	// cancelled
}

// A layout design describes the fields of a matter's layout item. A patch
// changes only the fields that it names.
func ExampleLayoutsService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	for design, err := range client.Layouts.AllDesigns(ctx, practice.LayoutDesignListOptions{}) {
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
	server.Settle() // let the accepted writes take effect
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

// A contact in a field of a layout item becomes a role of the matter.
func ExampleLayoutsService_AddContact() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	link, err := client.Layouts.Create(ctx, firm.MatterID, models.LayoutItemWrite{
		LayoutDesignID: firm.LayoutDesignID,
		Events:         []models.LayoutEventWrite{{ID: models.Some("settlement"), AppointmentID: models.Some("appointment-1")}},
	}, practice.LayoutWriteOptions{SkipFieldValidation: true}) // for a migration of existing values
	if err != nil {
		log.Fatal(err)
	}
	itemID := link.TargetID()
	if _, err := practice.Await(ctx, practice.ReadLink[models.LayoutItem](client, link), practice.Exists()); err != nil {
		log.Fatal(err)
	}

	agent := models.LayoutContactWrite{Key: "Agent", ContactID: firm.ContactID}
	if _, err := client.Layouts.AddContact(ctx, firm.MatterID, itemID, agent); err != nil {
		log.Fatal(err)
	}
	server.Settle() // let the accepted writes take effect
	page, err := client.Layouts.ListContacts(ctx, firm.MatterID, itemID, practice.LayoutContactListOptions{})
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

	if _, err := client.Layouts.RemoveContact(ctx, firm.MatterID, itemID, "Agent"); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	_, err = client.Layouts.ListContacts(ctx, firm.MatterID, itemID, practice.LayoutContactListOptions{})
	fmt.Println("no contacts:", errors.Is(err, practice.ErrNotFound))
	if _, err := client.Layouts.Delete(ctx, firm.MatterID, itemID); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	left, err := client.Layouts.List(ctx, firm.MatterID, practice.LayoutItemListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("layouts:", len(left.Items))

	// Output:
	// Agent is the role Agent
	// no contacts: true
	// layouts: 1
}

// An event about layouts contains some layout items of a matter.
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
