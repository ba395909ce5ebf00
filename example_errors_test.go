package practice_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// A program can react to the status of a response.
func ExampleError_Is() {
	advice := func(err error) string {
		switch {
		case errors.Is(err, practice.ErrRateLimited), errors.Is(err, practice.ErrServer):
			return "later"
		case errors.Is(err, practice.ErrUnauthorized), errors.Is(err, practice.ErrForbidden):
			return "ask who may do it"
		case errors.Is(err, practice.ErrNotFound), errors.Is(err, practice.ErrConflict):
			return "look at the record"
		case errors.Is(err, practice.ErrBadRequest):
			return "fix the request"
		case errors.Is(err, practice.ErrRedirect):
			return "fix the base address"
		}
		return ""
	}
	server := startService()
	defer stopService(server)
	client := clientOf(server, practice.WithRetries(0))
	for _, status := range []int{400, 403, 404, 409, 500, 429} {
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: status})
		_, err := client.Staff.Get(context.Background(), server.Firm().StaffID)
		fmt.Println(status, advice(err))
	}
	// Output:
	// 400 fix the request
	// 403 ask who may do it
	// 404 look at the record
	// 409 look at the record
	// 500 later
	// 429 later
}

// A call may end without a response, with a response that cannot be decoded, or
// before sending, because of a bad option.
func ExampleNoAnswerError() {
	server := startService()
	defer stopService(server)
	ctx, staffID := context.Background(), server.Firm().StaffID

	client := clientOf(server, practice.WithMaxBody(64), practice.WithRetries(0))
	_, err := client.Staff.Get(ctx, staffID)
	if failed, ok := errors.AsType[*practice.NoAnswerError](err); ok {
		fmt.Println(failed.Operation, errors.Is(err, practice.ErrBodyTooLarge))
	}

	server.Inject(practicetest.Fault{Operation: "getStaff", Status: http.StatusOK, Body: "<html>", ContentType: "text/html"})
	_, err = clientOf(server).Staff.Get(ctx, staffID)
	if unreadable, ok := errors.AsType[*practice.DecodeError](err); ok {
		fmt.Println(unreadable.StatusCode, string(unreadable.Body), errors.Is(err, practice.ErrEmptyAnswer), errors.Is(err, practice.ErrNoID))
	}

	_, err = practice.NewClient(server.BaseURL(), practice.WithoutCredentials(), practice.WithRetries(99))
	if refused, ok := errors.AsType[*practice.ConfigError](err); ok {
		fmt.Println(refused.Setting, refused.Reason)
	}
	// Output:
	// Staff.Get true
	// 200 <html> false false
	// WithRetries must be between 0 and 20
}

// A PagingError reports why a walk cannot be complete.
func ExamplePagingError() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	server.Inject(practicetest.Fault{Operation: "listEvents", Status: http.StatusOK, Body: `{"value":[],"offset":0,"limit":500,"size":9}`})

	_, err := practice.Collect(client.Events.All(ctx, practice.EventListOptions{}))
	if broken, ok := errors.AsType[*practice.PagingError](err); ok {
		fmt.Println(broken.Operation, broken.Offset)
	}
	for _, reason := range []error{practice.ErrEmptyPage, practice.ErrRecordsSkipped, practice.ErrRepeatedPage, practice.ErrNoProgress, practice.ErrListChanged, practice.ErrIncomplete} {
		fmt.Println(errors.Is(err, reason), reason)
	}
	_, err = client.Events.List(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Offset: practice.MaxOffset, Limit: practice.MaxPageSize + 1}})
	fmt.Println(err)
	// Output:
	// Events.All 0
	// true a page before the end is empty
	// false the service skipped records
	// false the page repeats an earlier one
	// false the next page does not advance
	// false the list became shorter during the walk: records may be missing
	// false the list returned fewer records than its size
	// practice: Events.List: Limit must be between 1 and 500
}

// The cause of a TransferError shows what to do next.
func ExampleTransferError() {
	advice := func(err error) string {
		switch {
		case errors.Is(err, practice.ErrVersionChanged), errors.Is(err, practice.ErrNotResumable):
			return "download again, from the beginning"
		case errors.Is(err, practice.ErrNotRewindable), errors.Is(err, practice.ErrSizeMismatch):
			return "open the source again"
		case errors.Is(err, practice.ErrStalled):
			return "later"
		case errors.Is(err, practice.ErrStorageAddress):
			return "ask which storage hosts are right"
		}
		return ""
	}
	server := startService()
	defer stopService(server)
	client := clientOf(server, practice.WithStorageHosts("files.example.test"))

	_, err := client.Documents.Download(context.Background(), server.Firm().MatterID, server.Firm().FileID, io.Discard, practice.DownloadOptions{})
	fmt.Println(advice(err))
	// Output:
	// ask which storage hosts are right
}

// A walk continues after a folder that it cannot read.
func ExampleFolderError() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	server.Inject(practicetest.Fault{Operation: "getFolder", Status: http.StatusForbidden})

	files := 0
	for entry, err := range client.Documents.Walk(ctx, server.Firm().MatterID, practice.WalkOptions{Concurrency: 1, MaxDepth: practice.MaxWalkDepth}) {
		if folder, ok := errors.AsType[*practice.FolderError](err); ok {
			fmt.Println("not read:", folder.Path, errors.Is(err, practice.ErrTooDeep), errors.Is(err, practice.ErrFolderCycle))
			continue
		}
		if entry.File != nil {
			files++
		}
	}
	fmt.Println(files > 0)
	// Output:
	// not read: Letters false false
	// true
}

// If a name occurs several times, a person or a policy has to choose.
func ExampleAmbiguousFolderError() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID
	for range 2 {
		if _, err := client.Documents.CreateFolder(ctx, matterID, models.FolderWrite{Name: "Twice"}); err != nil {
			fmt.Println(err)
		}
	}
	_, err := client.Documents.EnsureFolder(ctx, matterID, models.FolderWrite{Name: "Twice"}, practice.EnsureFolderOptions{})
	if several, ok := errors.AsType[*practice.AmbiguousFolderError](err); ok {
		fmt.Println(several.Name, len(several.IDs))
	}
	id, err := client.Documents.EnsureFolder(ctx, matterID, models.FolderWrite{Name: "Twice"}, practice.EnsureFolderOptions{
		Ambiguous: func(path string, ids []string) string { return practice.FirstListed(path, ids) },
	})
	fmt.Println(id != "", err)
	fmt.Println(practice.MaxFolderName, practice.MaxFileName)
	// Output:
	// Twice 2
	// true <nil>
	// 256 256
}

// Follow refuses a link that leads away from the base address.
func ExampleClient_Follow() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	expense, err := client.Expenses.Get(ctx, server.Firm().MatterID, server.Firm().ExpenseID)
	if err != nil {
		fmt.Println(err)
		return
	}
	var member models.StaffMember
	fmt.Println(client.Follow(ctx, expense.Staff, &member), member.ID != "")
	err = client.Follow(ctx, models.Link{Href: "https://elsewhere.example.test/staff/1"}, &member)
	fmt.Println(errors.Is(err, practice.ErrForeignLink))
	// Output:
	// <nil> true
	// true
}

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
