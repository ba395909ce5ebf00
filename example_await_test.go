package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// A write is accepted first and carried out later. Await reads until the effect
// is visible.
func ExampleAwait() {
	server := startService(practicetest.WithWriteDelay(time.Millisecond))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	created, err := client.ActivityCodes.Create(ctx, models.ActivityCodeWrite{Code: "ADV"})
	if err != nil {
		log.Fatal(err)
	}
	code, err := practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created", code.Code)

	read := func(ctx context.Context) (*models.ActivityCode, error) { return client.ActivityCodes.Get(ctx, code.ID) }
	if _, err = client.ActivityCodes.Update(ctx, code.ID, models.ActivityCodeWrite{Code: "ADVICE"}); err != nil {
		log.Fatal(err)
	}
	code, err = practice.Await(ctx, read, practice.Changed(code), practice.WithAwaitTimeout(10*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("changed to", code.Code)

	if _, err = client.ActivityCodes.Delete(ctx, code.ID); err != nil {
		log.Fatal(err)
	}
	code, err = practice.Await(ctx, read, practice.Gone())
	fmt.Println("deleted", code.IsDeleted.Or(false), err)
	// Output:
	// created ADV
	// changed to ADVICE
	// deleted true <nil>
}

// When takes a custom condition. The waits are shorter here than the default.
func ExampleWhen() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	id := server.Firm().ActivityCodeID

	_, err := client.ActivityCodes.Update(ctx, id, models.ActivityCodeWrite{Code: "ADV", Rate: models.MustDecimal("385.50"), RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff)})
	if err != nil {
		log.Fatal(err)
	}
	priced := practice.When(func(code *models.ActivityCode) bool { return code.Rate.String() == "385.50" })
	code, err := practice.Await(ctx, func(ctx context.Context) (*models.ActivityCode, error) {
		return client.ActivityCodes.Get(ctx, id)
	}, priced, practice.WithAwaitInterval(50*time.Millisecond, time.Second))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(code.Code)
	// Output: ADV
}

// A Tracker fed by a webhook receiver ends the wait when the write has failed.
func ExampleWithFailures() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	store, err := webhook.NewMemoryStore()
	if err != nil {
		log.Fatal(err)
	}
	tracker, err := webhook.NewTracker(store) // pass it to WithTracker of a receiver
	if err != nil {
		log.Fatal(err)
	}
	const requestID = "7c1f4f0e-6a53-4a35-9d5b-3a1a2c0b7d11"
	if err := tracker.Register(ctx, requestID); err != nil {
		log.Fatal(err)
	}
	server.FailWrite("createActivityCode", "The code is taken.")
	created, err := client.ActivityCodes.Create(ctx, models.ActivityCodeWrite{Code: "ADV"}, practice.WithRequestID(requestID))
	if err != nil {
		log.Fatal(err)
	}
	// A receiver does this with an event of type error.
	err = tracker.Feed(ctx, webhook.WriteError{RequestID: requestID, Message: "The code is taken."})
	if err != nil {
		log.Fatal(err)
	}
	_, err = practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists(), practice.WithFailures(tracker, requestID))
	if failed, ok := errors.AsType[*webhook.WriteError](err); ok {
		fmt.Println(failed.Message)
	}
	if ended, ok := errors.AsType[*practice.AwaitError](err); ok {
		fmt.Println("not yet:", errors.Is(ended, practice.ErrNotYet))
	}
	fmt.Println("known without waiting:", tracker.Failure(ctx, requestID) != nil)
	// Output:
	// The code is taken.
	// not yet: false
	// known without waiting: true
}

// A program can name the types of the arguments of Await.
func Example_awaitParts() {
	settings := []practice.AwaitOption{practice.WithAwaitTimeout(2 * practice.DefaultAwaitTimeout)}
	until := practice.Exists()
	var failures practice.WriteFailures = (*webhook.Tracker)(nil)
	fmt.Printf("%d %T %T\n", len(settings), until, failures)
	// Output: 1 practice.Condition *webhook.Tracker
}

// A matter is opened and then closed. Await makes sure that each change is
// visible.
func ExampleMattersService_Create() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	link, err := client.Matters.Create(ctx, models.MatterWrite{
		MatterTypeID: firm.MatterTypeID, ClientIDs: []string{firm.ContactID}, ClientRole: "Seller", Status: models.MatterStatusOpen,
	})
	if err != nil {
		log.Fatal(err)
	}
	matter, err := practice.Await(ctx, practice.ReadLink[models.Matter](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(matter.Status, len(matter.Clients), "client")

	if _, err := client.Matters.Patch(ctx, matter.ID, models.MatterPatch{Status: models.Some(models.MatterStatusClosed)}); err != nil {
		log.Fatal(err)
	}
	matter, err = practice.Await(ctx, practice.ReadLink[models.Matter](client, link), practice.Changed(matter))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(matter.Status)
	// Output:
	// Open 1 client
	// Closed
}

// A memo is a note about a matter. Its text reads back as RTF; PlainText
// returns readable text.
func ExampleMemosService() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	link, err := client.Memos.Create(ctx, matterID, models.MemoWrite{Title: "Call", Text: "The seller agrees."})
	if err != nil {
		log.Fatal(err)
	}
	memo, err := practice.Await(ctx, practice.ReadLink[models.Memo](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(memo.Title+":", memo.PlainText)

	if _, err := client.Memos.Delete(ctx, matterID, memo.ID); err != nil {
		log.Fatal(err)
	}
	_, err = practice.Await(ctx, practice.ReadLink[models.Memo](client, link), practice.Gone())
	fmt.Println("deleted", err)
	// Output:
	// Call: The seller agrees.
	// deleted <nil>
}

// The wait ends when the contact has the new address, no matter who wrote it.
func ExampleContactsService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().ContactID

	const email = "new@example.test"
	_, err := client.Contacts.Modify(ctx, id, func(c *models.ContactWrite) error {
		c.Person.Email = email
		return nil
	}, practice.WithLoss("person.identificationDetails"))
	if err != nil {
		log.Fatal(err)
	}
	contact, err := practice.Await(ctx, func(ctx context.Context) (*models.Contact, error) {
		return client.Contacts.Get(ctx, id)
	}, practice.When(func(c *models.Contact) bool { return c.Person.Email == email }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contact.Person.Email)
	// Output: new@example.test
}

// The wait ends when the task reads as completed.
func ExampleTasksService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().TaskID

	_, err := client.Tasks.Modify(ctx, id, func(task *models.TaskWrite) error {
		task.StaffID, task.IsCompleted = server.Firm().StaffID, models.Some(true) // StaffID names the author of the change
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	task, err := practice.Await(ctx, func(ctx context.Context) (*models.Task, error) {
		return client.Tasks.Get(ctx, id)
	}, practice.When(func(task *models.Task) bool { return task.IsCompleted.Or(false) }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("completed:", task.IsCompleted.Or(false))
	// Output: completed: true
}

// A fee becomes visible a moment after its create. Deleting it marks it as
// deleted.
func ExampleFeesService_Delete() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	link, err := client.Fees.Create(ctx, matterID, models.FeeWrite{
		Subject: "Advice on the lease", FeeDate: models.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
		FeeType: models.Some(models.FeeTypeTime), Duration: models.Some(30), Rate: models.MustDecimal("385.50"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fee, err := practice.Await(ctx, practice.ReadLink[models.Fee](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Fees.Delete(ctx, matterID, fee.ID); err != nil {
		log.Fatal(err)
	}
	fee, err = practice.Await(ctx, practice.ReadLink[models.Fee](client, link), practice.Gone())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fee.Subject, "is deleted:", fee.IsDeleted.Or(false))
	// Output: Advice on the lease is deleted: true
}

// A PATCH of an expense sends only the changed members.
func ExampleExpensesService_Patch() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	before, err := client.Expenses.Get(ctx, firm.MatterID, firm.ExpenseID)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Expenses.Patch(ctx, firm.MatterID, firm.ExpenseID, models.ExpensePatch{Subject: models.Some("Copies")}); err != nil {
		log.Fatal(err)
	}
	after, err := practice.Await(ctx, func(ctx context.Context) (*models.Expense, error) {
		return client.Expenses.Get(ctx, firm.MatterID, firm.ExpenseID)
	}, practice.Changed(before))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(after.Subject)
	// Output: Copies
}

// The wait ends when the transaction of the deposit can be read.
func ExampleBankAccountsService_CreateTransaction() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	link, err := client.BankAccounts.CreateTransaction(ctx, firm.BankAccountID, models.TransactionCreate{
		MatterID: firm.MatterID, PayorID: firm.ContactID, Amount: models.MustDecimal("250.00"), Reference: "D-2026-17",
		EffectiveDate: models.DateTimeOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
	})
	if err != nil {
		log.Fatal(err) // after an *AmbiguousWriteError, call FindCreatedTransaction
	}
	deposit, err := practice.Await(ctx, practice.ReadLink[models.Transaction](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(deposit.Type, deposit.Amount.Fixed(2), deposit.Reference)
	// Output: Deposit 250.00 D-2026-17
}
