package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

const (
	folderName  = "practice-go tour"
	bulkTag     = "practice-go tour, removed by name"
	singleTag   = "practice-go tour, removed by id"
	callback    = "https://hooks.example.test/tour" // nobody listens there
	fileContent = "Written by the tour.\n"
)

// writes are the steps that change something. They take back what can be taken
// back; a folder with two files, a message, and a former staff member remain.
func writes() []step {
	return []step{
		{"Documents.EnsureFolder", needs("MATTER_ID"), ensureFolder},
		{"Documents.CreateFolder", needs("MATTER_ID", madeFolder), createFolder},
		{"Documents.RestoreFolder", needs("MATTER_ID", madeFolder), restoreFolder},
		{"Documents.CreateFile", needs("MATTER_ID", madeFolder), createFile},
		{"Documents.UploadVersion", needs("MATTER_ID", madeFile), uploadVersion},
		{"Documents.Upload", needs("MATTER_ID", madeFolder), upload},
		{"Documents.Download", needs("MATTER_ID", madeUpload), compare},
		{"Fees.Patch", needs("MATTER_ID", "FEE_ID"), patchFee},
		{"Contacts.UpdateRelation", needs("CONTACT_ID", "RELATED_CONTACT_ID"), updateRelation},
		{"Contacts.AddTags", needs("CONTACT_ID"), addTags},
		{"Do GET /contacts/{id}/tags", needs("CONTACT_ID"), doTags},
		{"Contacts.RemoveTags", needs("CONTACT_ID"), removeTags},
		{"Contacts.RemoveTag", needs("CONTACT_ID", "TAG_ID"), removeTag},
		{"Portal.SendMessage", needs("MATTER_ID", "MESSAGE_CONTACT_ID", "USER_ID"), sendMessage},
		{"Webhooks.Create", nil, createWebhook},
		{"Webhooks.Ensure", needs(madeSubscription), ensureWebhook},
		{"Webhooks.Update", needs(madeSubscription), updateWebhook},
		{"Webhooks.Delete", needs(madeSubscription), deleteWebhook},
		{"Staff.Delete", needs("DELETE_STAFF_ID"), deleteStaff},
	}
}

func ensureFolder(ctx context.Context, t *tour) (string, error) {
	id, err := t.Client.Documents.EnsureFolder(ctx, t.value("MATTER_ID"), models.FolderCreate{Name: folderName})
	t.made[madeFolder] = id
	return folderName, err
}

func createFolder(ctx context.Context, t *tour) (string, error) {
	// The folder above may have been accepted but not made yet.
	err := setup.Await(ctx, func() error {
		_, err := t.Client.Documents.ListFolder(ctx, t.value("MATTER_ID"), t.value(madeFolder), practice.ListOptions{Limit: 1})
		return err
	})
	if err != nil {
		return "", err
	}
	name := time.Now().UTC().Format("2006-01-02 15.04.05")
	_, err = t.Client.Documents.CreateFolder(ctx, t.value("MATTER_ID"), models.FolderCreate{Name: name, ParentFolderID: t.value(madeFolder)})
	return name, err
}

func restoreFolder(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Documents.RestoreFolder(ctx, t.value("MATTER_ID"), t.value(madeFolder))
	return "was not deleted", err
}

func createFile(ctx context.Context, t *tour) (string, error) {
	info, err := t.Client.Documents.CreateFile(ctx, t.value("MATTER_ID"), models.FileCreate{FileName: "Tour.txt", FolderID: t.value(madeFolder)})
	if err != nil {
		return "", err
	}
	t.made[madeFile] = info.FileID
	return "Tour.txt", nil
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

func patchFee(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Fees.Patch(ctx, t.value("MATTER_ID"), t.value("FEE_ID"), models.FeePatch{Description: models.Some("Changed by the tour")})
	return "description", err
}

func updateRelation(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Contacts.UpdateRelation(ctx, t.value("CONTACT_ID"), t.value("RELATED_CONTACT_ID"),
		models.RelationWrite{BusinessRole: models.Some("Bookkeeper")})
	return "Bookkeeper", err
}

func addTags(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Contacts.AddTags(ctx, t.value("CONTACT_ID"), []string{bulkTag, singleTag})
	return "two", err
}

// doTags finds the id of a tag; the library has no method for it.
func doTags(ctx context.Context, t *tour) (string, error) {
	var tags struct{ Value []struct{ ID, Name string } }
	err := t.Client.Do(ctx, practice.Request{
		Method: http.MethodGet, Path: "/contacts/{id}/tags", PathValues: []string{t.value("CONTACT_ID")},
	}, &tags)
	for _, tag := range tags.Value {
		if tag.Name == singleTag {
			t.made["TAG_ID"] = tag.ID
		}
	}
	return term.Count(len(tags.Value), "record"), err
}

func removeTags(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Contacts.RemoveTags(ctx, t.value("CONTACT_ID"), []string{bulkTag})
	return "by name", err
}

func removeTag(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Contacts.RemoveTag(ctx, t.value("CONTACT_ID"), t.value("TAG_ID"))
	return "by id", err
}

func sendMessage(ctx context.Context, t *tour) (string, error) {
	return "to one contact", t.Client.Portal.SendMessage(ctx, t.value("MATTER_ID"),
		models.PortalMessage{Message: "A message of the tour.", ContactID: t.value("MESSAGE_CONTACT_ID")},
		practice.WithUserID(t.value("USER_ID")))
}

func subscriptionOf(key models.Secret, name string) models.WebhookWrite {
	return models.WebhookWrite{
		Name: name, EventTypes: []models.EventType{models.EventTypeArchiveUpdated.Type()},
		EventNotificationURL: callback, Key: models.Some(key),
	}
}

func createWebhook(ctx context.Context, t *tour) (string, error) {
	made, err := t.Client.Webhooks.Create(ctx, subscriptionOf(models.NewSecret(rand.Text()), "Tour"))
	if err != nil {
		return "", err
	}
	t.made[madeSubscription] = made.ID
	return made.ID, nil
}

func ensureWebhook(ctx context.Context, t *tour) (string, error) {
	report, err := t.Client.Webhooks.Ensure(ctx, practice.WebhookSpec{
		Name: "Tour", EventTypes: []models.EventType{models.EventTypeArchiveUpdated.Type()}, EventNotificationURL: callback,
	})
	if err != nil {
		return "", err
	}
	return string(report.Action), nil
}

func updateWebhook(ctx context.Context, t *tour) (string, error) {
	changed, err := t.Client.Webhooks.Update(ctx, t.value(madeSubscription), subscriptionOf(models.NewSecret(rand.Text()), "Tour, renamed"))
	if err != nil {
		return "", err
	}
	return changed.Name, nil
}

func deleteWebhook(ctx context.Context, t *tour) (string, error) {
	err := t.Client.Webhooks.Delete(ctx, t.value(madeSubscription))
	if err == nil {
		delete(t.made, madeSubscription)
	}
	return "cleaned up", err
}

// cleanUp removes the subscription that a tour which ended early has left behind.
func (t *tour) cleanUp(ctx context.Context) {
	if t.made[madeSubscription] == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	t.call(ctx, step{"Webhooks.Delete", needs(madeSubscription), deleteWebhook})
}

func deleteStaff(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Staff.Delete(ctx, t.value("DELETE_STAFF_ID"))
	return "a former member now", err
}
