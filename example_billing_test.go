package practice_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// This program stores the PDF of each due invoice of a matter in a folder.
func ExampleInvoicesService_DownloadFile() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID
	dir, err := os.MkdirTemp("", "invoices")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	for invoice, err := range client.Invoices.All(ctx, matterID, practice.InvoiceListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		if status, _ := invoice.Status.Get(); status != models.InvoiceStatusFinal {
			continue // skip drafts and paid invoices
		}
		number, _ := invoice.InvoiceNumber.Get()
		path := filepath.Join(dir, fmt.Sprintf("%d.pdf", number))
		if _, err := client.Invoices.DownloadFile(ctx, matterID, invoice.ID, path); err != nil {
			log.Fatal(err) // call again to resume
		}
		fmt.Println("invoice", number, "due", invoice.InvoiceTotals.Unpaid)
	}
	// Output: invoice 1002 due 362.37
}

// A search runs through the files of all matters. The form of its records is
// not published; here the members that they share with a File are decoded into
// one.
func ExampleSearchService_AllFiles() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	request := models.SearchFilesRequest{
		Query: "letter 07", Filters: models.SearchFilesFilters{SearchFields: []models.FileSearchField{models.FileSearchFieldName}},
	}
	for found, err := range client.Search.AllFiles(ctx, request, practice.FileSearchListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		var file models.File
		if err := found.Decode(&file); err != nil {
			log.Fatal(err)
		}
		fmt.Println(file.Name + file.FileExtension)
	}
	// Output: Letter 07.pdf
}

// The response to a deposit is lost. Before the program tries again, it looks
// for the deposit among the transactions that changed since.
func ExampleBankAccountsService_FindCreatedTransaction() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()
	server.Inject(practicetest.Fault{Operation: "createTransaction", Kind: practicetest.FaultResetAfter})

	began := server.Clock().Now()
	deposit := models.TransactionCreate{MatterID: firm.MatterID, Amount: models.MustDecimal("250.00"), Reference: "D-2026-0042"}
	_, err := client.BankAccounts.CreateTransaction(ctx, firm.BankAccountID, deposit)
	if _, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err); !ambiguous {
		log.Fatal("the answer was to be lost")
	}
	found, err := client.BankAccounts.FindCreatedTransaction(ctx, firm.BankAccountID, deposit, began)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("recorded", len(found), "time:", found[0].Amount)

	for balance, err := range client.BankAccounts.AllMatterBalances(ctx, firm.BankAccountID, practice.MatterBalanceListOptions{MatterID: firm.MatterID}) {
		if err != nil {
			log.Fatal(err)
		}
		held, _ := balance.Balance.Sub(balance.AvailableBalance) // protected
		fmt.Println("held back", held)
	}
	server.ReverseTransaction(found[0].ID) // a person at the firm reverses it
	// Output:
	// recorded 1 time: 250.00
	// held back 0.50
}

// The response to a create is lost. The program looks for the expense before it
// adds it again.
func ExampleExpensesService_FindCreated() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID
	server.Inject(practicetest.Fault{Operation: "createExpense", Kind: practicetest.FaultResetAfter})

	began := server.Clock().Now()
	expense := models.ExpenseWrite{Subject: "Courier", Description: "Bill 4711", Price: models.MustDecimal("18.40")}
	_, err := client.Expenses.Create(ctx, matterID, expense)
	if _, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err); !ambiguous {
		log.Fatal("the answer was to be lost")
	}
	found, err := client.Expenses.FindCreated(ctx, matterID, expense, began)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("added", len(found), "time:", found[0].Amount)
	// Output: added 1 time: 18.40
}

// Sum adds up the money of all clients in the firm's trust account.
func ExampleSum() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	held, err := practice.Sum(client.BankAccounts.AllMatterBalances(ctx, firm.BankAccountID, practice.MatterBalanceListOptions{}),
		func(b models.MatterBalance) models.Decimal { return b.Balance })
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.BankAccounts.Get(ctx, firm.BankAccountID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.AccountName, held.Grouped(2), held.Equal(account.Balance))
	// Output: Trust account 387,395.55 true
}

// A matter can be closed once the bank has paid its cheques.
func ExampleMattersService_Patch_cheques() {
	server := startService(practicetest.WithWriteDelay(0))
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	closed := models.MatterPatch{Status: models.Some(models.MatterStatusClosed)}
	_, err := client.Matters.Patch(ctx, matterID, closed)
	fmt.Println(errors.Is(err, practice.ErrBadRequest))
	server.PresentCheques(matterID)
	_, err = client.Matters.Patch(ctx, matterID, closed)
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

// Download writes the PDF of the first invoice of a matter into memory.
func ExampleInvoicesService_Download() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	var pdf bytes.Buffer
	if _, err := client.Invoices.Download(ctx, firm.MatterID, firm.InvoiceID, &pdf); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", pdf.Bytes()[:5])
	// Output: %PDF-
}

// A person at the firm approves or rejects a requisition; the test does this
// through the embedded service.
func ExampleBankAccountsService_CreateRequisition() {
	server := startService()
	defer stopService(server)
	ctx, firm, own := context.Background(), server.Firm(), server.Credentials()
	client := clientOf(server, practice.WithTokens(auth.ClientCredentials{
		TokenURL: server.TokenURL(), ClientID: own.ClientID, ClientSecret: models.NewSecret(own.ClientSecret),
	}))

	for _, decide := range []func(id string) bool{server.ApproveRequisition, server.RejectRequisition} {
		asked, err := client.BankAccounts.CreateRequisition(ctx, firm.BankAccountID, models.RequisitionCreate{
			MatterID: firm.MatterID, PayeeID: firm.ContactID, Amount: models.MustDecimal("1.10"), Source: models.RequisitionSourceCheck, Reference: "R-1",
		}, practice.WithUserID(firm.UserID))
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // let the accepted writes take effect
		decided := decide(asked.ID)
		_, paid := server.Transaction(asked.ID)
		fmt.Println(asked.Status, decided, paid)
	}
	// Output:
	// Pending true true
	// Pending true false
}

// A change is previewed before it is made. Then the invoices and the changes
// are listed.
func ExampleSubscriptionsService_Preview() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	tiers, err := client.Subscriptions.ListTiers(ctx, practice.TierListOptions{})
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
	server.Settle() // let the accepted change take effect

	since := practice.SubscriptionInvoiceListOptions{From: server.Clock().Now().Add(-time.Hour), SubscriptionID: firm.SubscriptionID}
	for invoice, err := range client.Subscriptions.AllAccountInvoices(ctx, since) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(invoice.Number, invoice.Status, "as previewed:", invoice.Total.Equal(preview.ImmediateProrationPayment.Total))
	}
	for change, err := range client.Subscriptions.AllChanges(ctx, firm.SubscriptionID, practice.SubscriptionChangeListOptions{ListOptions: practice.ListOptions{Offset: 2}}) {
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

// A preview shows the result of a change. A cancellation can be revoked until
// it takes effect.
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

// The PDF of an invoice is written completely or not at all. A draft has none.
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

	newest := practice.RecentInvoiceListOptions{Limit: 1}
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
