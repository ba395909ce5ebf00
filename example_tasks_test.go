package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A task is divided, done and documented. StaffID is who makes each change.
func ExampleTasksService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // the embedded service makes the changes that it has accepted
	}

	write := models.TaskWrite{StaffID: firm.StaffID, MatterID: firm.MatterID, AssigneeIDs: []string{firm.StaffID}, Subject: "Settle the purchase"}
	link, err := client.Tasks.Create(ctx, write)
	must(link, err)
	id := link.TargetID()
	must(client.Tasks.CreateSubtask(ctx, id, models.SubtaskWrite{StaffID: firm.StaffID, Subject: "Order the cheques"}))
	must(client.Tasks.AddDocument(ctx, id, models.TaskDocumentCreate{DocumentID: firm.FileID, Type: models.TaskDocumentTypeFile}))

	parts, err := client.Tasks.ListSubtasks(ctx, id)
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
	documents, err := client.Tasks.ListDocuments(ctx, id)
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
	must(client.Tasks.RemoveDocument(ctx, id, document.ID)) // the file stays
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
