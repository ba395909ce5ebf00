package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

// readingHelpers stand above the operations and change nothing.
func readingHelpers() []step {
	return []step{
		{"Documents.AllEntries", needs("MATTER_ID", "FOLDER_ID"), entries, false},
		{"Documents.Walk", needs("MATTER_ID"), walkFolders, false},
		{"Documents.Download", needs("MATTER_ID", "FILE_ID"), download, false},
		{"Contacts.AllRelations", needs("CONTACT_ID"), allRelations, false},
		{"Events.All", nil, allEvents, false},
		{"Subscriptions.AllPromotions", nil, allPromotions, false},
		{"Webhooks.All", nil, allWebhooks, false},
		{"Do GET /staff/{id}", needs("STAFF_ID"), doStaff, false},
		{"Follow", needs("STAFF_ID"), follow, false},
	}
}

func needs(names ...string) []string { return names }

func entries(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Documents.AllEntries(ctx, t.value("MATTER_ID"), t.value("FOLDER_ID")))
}

func walkFolders(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Documents.Walk(ctx, t.value("MATTER_ID"), practice.WalkOptions{MaxDepth: 2}))
}

func download(ctx context.Context, t *tour) (string, error) {
	n, err := t.Client.Documents.Download(ctx, t.value("MATTER_ID"), t.value("FILE_ID"), io.Discard, practice.DownloadOptions{})
	return fmt.Sprintf("%d bytes", n), err
}

func allRelations(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Contacts.AllRelations(ctx, t.value("CONTACT_ID"), practice.ContactRelationListOptions{}))
}

// coming returns the events of the next month.
func coming() practice.EventListOptions {
	now := time.Now()
	return practice.EventListOptions{From: now, To: now.AddDate(0, 1, 0), ExcludeDeleted: true}
}

func allEvents(ctx context.Context, t *tour) (string, error) {
	options := coming()
	options.Limit = 20
	return walked(t.Client.Events.All(ctx, options, practice.WithPrefetch(4)))
}

func allPromotions(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Subscriptions.AllPromotions(ctx, practice.PromotionListOptions{}))
}

func allWebhooks(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Webhooks.All(ctx, practice.WebhookSubscriptionListOptions{}))
}

func doStaff(ctx context.Context, t *tour) (string, error) {
	var text []byte
	err := t.Client.Do(ctx, practice.Request{Method: http.MethodGet, Path: "/staff/{id}", PathValues: []string{t.value("STAFF_ID")}}, &text)
	return fmt.Sprintf("%d bytes of JSON", len(text)), err
}

func follow(ctx context.Context, t *tour) (string, error) {
	var member models.StaffMember
	err := t.Client.Follow(ctx, models.Link{Href: "/staff/" + t.value("STAFF_ID")}, &member)
	return member.FirstName + " " + member.LastName, err
}

func walked[T any](walk iter.Seq2[T, error]) (string, error) {
	all, err := practice.Collect(walk)
	return term.Count(len(all), "record") + ", walked", err
}
