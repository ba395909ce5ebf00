package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

const (
	folderName  = "practice-go tour"
	fileContent = "Written by the tour.\n"
)

// The helpers that write stand between the operations: what some of them make
// is what others need.
func beforeCreates() []step {
	return []step{
		{"Documents.EnsureFolder", needs("MATTER_ID"), ensureFolder, true},
		{"Users.Create", nil, createOwner, true},
	}
}

func afterCreates() []step {
	return []step{
		{"Documents.UploadVersion", needs("MATTER_ID", madeFile), uploadVersion, true},
		{"Documents.Upload", needs("MATTER_ID", madeFolder), upload, true},
		{"Documents.Download", needs("MATTER_ID", madeUpload), compare, true},
		{"Do GET /contacts/{id}/tags", needs("CONTACT_ID", madeTags), doTags, true},
		{"subscribe.Ensure", needs(madeSubscription), ensureWebhook, true},
	}
}

// createOwner creates the user who later gets a firm.
func createOwner(ctx context.Context, t *tour) (string, error) {
	link, err := t.Client.Users.Create(ctx, models.UserCreate{Email: "owner@firm.example.test", Password: models.NewSecret("Correct horse 7")})
	t.made[madeOwner] = link.ID
	return "for a new firm", err
}

func ensureFolder(ctx context.Context, t *tour) (string, error) {
	id, err := t.Client.Documents.EnsureFolder(ctx, t.value("MATTER_ID"), models.FolderWrite{Name: folderName}, practice.EnsureFolderOptions{})
	t.made[madeFolder] = id
	return folderName, err
}

func uploadVersion(ctx context.Context, t *tour) (string, error) {
	return stored(t.awaitUpload(ctx, t.value(madeFile)))
}

// awaitUpload sends the content of a file that may have been accepted but not
// made yet.
func (t *tour) awaitUpload(ctx context.Context, file string) (uploaded *practice.UploadedFile, err error) {
	err = setup.Await(ctx, func() error {
		uploaded, err = t.Client.Documents.UploadVersion(ctx, t.value("MATTER_ID"), file, practice.Upload{Body: strings.NewReader(fileContent)})
		return err
	})
	return uploaded, err
}

func upload(ctx context.Context, t *tour) (string, error) {
	file, err := t.Client.Documents.Upload(ctx, t.value("MATTER_ID"), practice.Upload{
		Name: "Uploaded.txt", FolderID: t.value(madeFolder), Body: strings.NewReader(fileContent),
	})
	if err == nil {
		t.made[madeUpload] = file.ID
	}
	return stored(file, err)
}

func stored(file *practice.UploadedFile, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes", file.Size), nil
}

func compare(ctx context.Context, t *tour) (string, error) {
	var content bytes.Buffer
	err := setup.Await(ctx, func() error {
		_, err := t.Client.Documents.Download(ctx, t.value("MATTER_ID"), t.value(madeUpload), &content, practice.DownloadOptions{})
		return err
	})
	if err == nil && content.String() != fileContent {
		err = errors.New("the content is not what was uploaded")
	}
	return "the content that was uploaded", err
}

// doTags finds the id of a tag, as a program would that calls what the library
// has no method for.
func doTags(ctx context.Context, t *tour) (string, error) {
	var tags struct{ Value []struct{ ID, Name string } }
	err := t.Client.Do(ctx, practice.Request{
		Method: http.MethodGet, Path: "/contacts/{id}/tags", PathValues: []string{t.value("CONTACT_ID")},
	}, &tags)
	added, _ := operations.ByID("addContactTags")
	names := added.Arguments(operations.Firm{})[1].([]string)
	for _, tag := range tags.Value {
		if tag.Name == names[len(names)-1] {
			t.made[madeTag] = tag.ID
		}
	}
	return term.Count(len(tags.Value), "record"), err
}

// ensureWebhook wants what createWebhook has made.
func ensureWebhook(ctx context.Context, t *tour) (string, error) {
	created, _ := operations.ByID("createWebhook")
	body := created.Arguments(operations.Firm{})[0].(models.WebhookSubscriptionWrite)
	report, err := subscribe.Ensure(ctx, t.Client, subscribe.Spec{
		Name: body.Name, EventTypes: body.EventTypes, EventNotificationURL: body.EventNotificationURL,
	})
	if err != nil {
		return "", err
	}
	return string(report.Action), nil
}

// cleanUp removes the subscription that a tour which ended early has left
// behind.
func (t *tour) cleanUp(ctx context.Context) {
	if t.made[madeSubscription] == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	t.call(ctx, step{name: "Webhooks.Delete", call: func(ctx context.Context, t *tour) (string, error) {
		_, err := t.Client.Webhooks.Delete(ctx, t.made[madeSubscription])
		return "cleaned up", err
	}})
}
