package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A change is previewed before it is made; then the invoices and the changes are read.
func ExampleSubscriptionsService_Preview() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	tiers, err := client.Subscriptions.ListTiers(ctx)
	if err != nil {
		log.Fatal(err)
	}
	larger := tiers.Items[1].ID
	preview, err := client.Subscriptions.Preview(ctx, firm.SubscriptionID, models.SubscriptionPreviewRequest{TierID: larger})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("costs something now:", preview.ImmediateProrationPayment.Total.Sign() > 0)
	_, err = client.Subscriptions.Patch(ctx, firm.SubscriptionID, models.SubscriptionPatch{TierID: models.Some(larger)})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // the embedded service makes the change that it has accepted

	since := practice.SubscriptionInvoiceListOptions{From: server.Clock().Now().Add(-time.Hour), SubscriptionID: firm.SubscriptionID}
	for invoice, err := range client.Subscriptions.AllAccountInvoices(ctx, since) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(invoice.Number, invoice.Status, "as previewed:", invoice.Total.Equal(preview.ImmediateProrationPayment.Total))
	}
	for change, err := range client.Subscriptions.AllChanges(ctx, firm.SubscriptionID, practice.ListOptions{Offset: 2}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(change.Name, change.Value == larger)
	}
	// Output:
	// costs something now: true
	// S-0004 Open as previewed: true
	// TierId true
}

// A preview tells what a change would do. A cancellation that has not taken effect can be taken back.
func ExampleSubscriptionsService_Cancel() {
	server := startService()
	defer stopService(server)
	ctx, client, id := context.Background(), clientOf(server), server.Firm().SubscriptionID

	cancel := models.SubscriptionCancel{CancelSubscription: models.Some(true), Preview: models.Some(true)}
	outcome, err := client.Subscriptions.Cancel(ctx, id, cancel)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.CancellationType, outcome.Tier.Name)
	cancel.Preview = models.Some(false)
	if _, err = client.Subscriptions.Cancel(ctx, id, cancel); err != nil {
		log.Fatal(err)
	}
	if _, err = client.Subscriptions.Resume(ctx, id, models.SubscriptionResume{}); err != nil {
		log.Fatal(err)
	}
	server.Settle()
	subscription, _ := server.Subscription(id)
	fmt.Println(subscription.CancellationStatus)
	// Output:
	// PeriodEnd Tier 1
	// None
}

// The PDF of an invoice is written whole or not at all. A draft has none.
func ExampleSubscriptionsService_DownloadInvoice() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	dir, err := os.MkdirTemp("", "invoices")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, err := os.Create(filepath.Join(dir, "invoice.pdf"))
	if err != nil {
		log.Fatal(err)
	}
	n, err := client.Subscriptions.DownloadInvoice(ctx, firm.SubscriptionInvoiceID, file)
	fmt.Println(n > 0, errors.Join(err, file.Close()), errors.Is(err, practice.ErrNotPDF))

	draft := server.AddSubscriptionInvoice(firm.SubscriptionID, models.SubscriptionInvoice{Status: models.SubscriptionInvoiceStatusDraft})
	invoice, _ := server.SubscriptionInvoice(draft)
	_, err = client.Subscriptions.GetInvoiceURL(ctx, draft)
	fmt.Println(invoice.Status, errors.Is(err, practice.ErrNotFound))

	newest := practice.SubscriptionInvoicesOptions{Limit: 1}
	page, err := client.Subscriptions.ListInvoices(ctx, firm.SubscriptionID, newest)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), page.Items[0].ID == draft)
	// Output:
	// true <nil> false
	// Draft true
	// 1 true
}
