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

// reads are the steps that change nothing.
func reads() []step {
	return []step{
		{"BankAccounts.List", nil, listBankAccounts},
		{"Documents.ListRootFolder", needs("MATTER_ID"), root},
		{"Documents.ListFolder", needs("MATTER_ID", "FOLDER_ID"), folder},
		{"Documents.AllEntries", needs("MATTER_ID", "FOLDER_ID"), entries},
		{"Documents.Walk", needs("MATTER_ID"), walkFolders},
		{"Documents.GetUploadURL", needs("MATTER_ID", "FILE_ID"), uploadURL},
		{"Documents.GetDownloadURL", needs("MATTER_ID", "FILE_ID"), downloadURL},
		{"Documents.Download", needs("MATTER_ID", "FILE_ID"), download},
		{"Policies.Get", needs("POLICY_REFERENCE"), policy},
		{"Expenses.Get", needs("MATTER_ID", "EXPENSE_ID"), expense},
		{"Contacts.ListRelations", needs("CONTACT_ID"), relations},
		{"Contacts.AllRelations", needs("CONTACT_ID"), allRelations},
		{"Staff.Get", needs("STAFF_ID"), staff},
		{"Events.List", nil, listEvents},
		{"Events.All", nil, allEvents},
		{"Roles.GetRelationships", needs("MATTER_ID", "ROLE_ID"), relationships},
		{"Subscriptions.Get", needs("SUBSCRIPTION_ID"), subscription},
		{"Subscriptions.ListPromotions", nil, promotions},
		{"Subscriptions.AllPromotions", nil, allPromotions},
		{"Subscriptions.GetPaymentMethod", needs("SUBSCRIPTION_ID", "PAYMENT_METHOD_ID"), paymentMethod},
		{"Webhooks.ListTypes", nil, webhookTypes},
		{"Webhooks.List", nil, listWebhooks},
		{"Webhooks.All", nil, allWebhooks},
		{"Webhooks.Get", needs("WEBHOOK_ID"), webhookByID},
		{"Do GET /staff/{id}", needs("STAFF_ID"), doStaff},
		{"Follow", needs("STAFF_ID"), follow},
	}
}

func needs(names ...string) []string { return names }

func listBankAccounts(ctx context.Context, t *tour) (string, error) {
	return records(t.Client.BankAccounts.List(ctx, practice.BankAccountListOptions{}))
}

func root(ctx context.Context, t *tour) (string, error) {
	page, err := t.Client.Documents.ListRootFolder(ctx, t.value("MATTER_ID"))
	return listing(page), err
}

func folder(ctx context.Context, t *tour) (string, error) {
	page, err := t.Client.Documents.ListFolder(ctx, t.value("MATTER_ID"), t.value("FOLDER_ID"), practice.ListOptions{Limit: 5})
	return listing(page), err
}

func entries(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Documents.AllEntries(ctx, t.value("MATTER_ID"), t.value("FOLDER_ID")))
}

func walkFolders(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Documents.Walk(ctx, t.value("MATTER_ID"), practice.WalkOptions{MaxDepth: 2}))
}

func uploadURL(ctx context.Context, t *tour) (string, error) {
	_, err := t.Client.Documents.GetUploadURL(ctx, t.value("MATTER_ID"), t.value("FILE_ID"))
	return "not used", err
}

func downloadURL(ctx context.Context, t *tour) (string, error) {
	info, err := t.Client.Documents.GetDownloadURL(ctx, t.value("MATTER_ID"), t.value("FILE_ID"), practice.DownloadURLOptions{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes", info.SizeBytes.Or(0)), nil
}

func download(ctx context.Context, t *tour) (string, error) {
	n, err := t.Client.Documents.Download(ctx, t.value("MATTER_ID"), t.value("FILE_ID"), io.Discard, practice.DownloadOptions{})
	return fmt.Sprintf("%d bytes", n), err
}

func policy(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Policies.Get(ctx, t.value("POLICY_REFERENCE"))
	if err != nil {
		return "", err
	}
	return term.Count(len(found.Rules), "rule"), nil
}

func expense(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Expenses.Get(ctx, t.value("MATTER_ID"), t.value("EXPENSE_ID"))
	if err != nil {
		return "", err
	}
	return found.Subject + ", " + found.Amount.String(), nil
}

func relations(ctx context.Context, t *tour) (string, error) {
	return records(t.Client.Contacts.ListRelations(ctx, t.value("CONTACT_ID")))
}

func allRelations(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Contacts.AllRelations(ctx, t.value("CONTACT_ID")))
}

func staff(ctx context.Context, t *tour) (string, error) {
	member, err := t.Client.Staff.Get(ctx, t.value("STAFF_ID"))
	if err != nil {
		return "", err
	}
	return member.FirstName + " " + member.LastName, nil
}

// coming are the events of the next month.
func coming() practice.EventListOptions {
	now := time.Now()
	return practice.EventListOptions{From: now, To: now.AddDate(0, 1, 0), ExcludeDeleted: true}
}

func listEvents(ctx context.Context, t *tour) (string, error) {
	options := coming()
	options.Limit = 5
	return records(t.Client.Events.List(ctx, options))
}

func allEvents(ctx context.Context, t *tour) (string, error) {
	options := coming()
	options.Limit = 20
	return walked(t.Client.Events.All(ctx, options, practice.WithPrefetch(4)))
}

func relationships(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Roles.GetRelationships(ctx, t.value("MATTER_ID"), t.value("ROLE_ID"))
	if err != nil {
		return "", err
	}
	return term.Count(len(found.Relationships), "relationship"), nil
}

func subscription(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Subscriptions.Get(ctx, t.value("SUBSCRIPTION_ID"))
	if err != nil {
		return "", err
	}
	return string(found.Status) + ", " + found.Tier.Name, nil
}

func promotions(ctx context.Context, t *tour) (string, error) {
	return records(t.Client.Subscriptions.ListPromotions(ctx, practice.ListOptions{Limit: 5}))
}

func allPromotions(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Subscriptions.AllPromotions(ctx, practice.ListOptions{}))
}

func paymentMethod(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Subscriptions.GetPaymentMethod(ctx, t.value("SUBSCRIPTION_ID"), t.value("PAYMENT_METHOD_ID"))
	if err != nil {
		return "", err
	}
	return string(found.Type), nil
}

func webhookTypes(ctx context.Context, t *tour) (string, error) {
	types, err := t.Client.Webhooks.ListTypes(ctx)
	return term.Count(len(types), "type"), err
}

func listWebhooks(ctx context.Context, t *tour) (string, error) {
	return records(t.Client.Webhooks.List(ctx, practice.ListOptions{}))
}

func allWebhooks(ctx context.Context, t *tour) (string, error) {
	return walked(t.Client.Webhooks.All(ctx, practice.ListOptions{}))
}

func webhookByID(ctx context.Context, t *tour) (string, error) {
	found, err := t.Client.Webhooks.Get(ctx, t.value("WEBHOOK_ID"))
	if err != nil {
		return "", err
	}
	return found.Name, nil
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

func records[T any](page *practice.Page[T], err error) (string, error) {
	if page == nil {
		return "", err
	}
	return term.Count(len(page.Items), "record"), err
}

func listing(page *practice.FolderPage) string {
	if page == nil {
		return ""
	}
	folders, files := 0, 0
	for _, item := range page.Items {
		folders += len(item.Folders)
		files += len(item.Files)
	}
	return term.Count(folders, "folder") + ", " + term.Count(files, "file")
}

func walked[T any](walk iter.Seq2[T, error]) (string, error) {
	all, err := practice.Collect(walk)
	return term.Count(len(all), "record") + ", walked", err
}
