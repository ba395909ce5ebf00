package practice_test

import (
	"context"
	"fmt"
	"log"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A matter is opened, and closed when its state can be seen.
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

// A note about a matter. Its text is RTF when it is read; PlainText is for people.
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

// A contact gets another address; the wait is for that address, whoever wrote it.
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

// A task is done when it can be read as completed.
func ExampleTasksService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().TaskID

	_, err := client.Tasks.Modify(ctx, id, func(task *models.TaskWrite) error {
		task.StaffID, task.IsCompleted = server.Firm().StaffID, models.Some(true) // StaffID is who makes the change
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

// A fee is there a moment after its create, and marked when it is deleted.
func ExampleFeesService_Delete() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	link, err := client.Fees.Create(ctx, matterID, models.FeeWrite{
		Subject: "Advice on the lease", FeeDate: models.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
		FeeType: models.Some(models.FeeTime), Duration: models.Some(30), Rate: models.MustDecimal("385.50"),
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

// An expense is changed by its PATCH, which sends only what changes.
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

// A deposit is on the account when its transaction can be read.
func ExampleBankAccountsService_CreateTransaction() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	link, err := client.BankAccounts.CreateTransaction(ctx, firm.BankAccountID, models.TransactionCreate{
		MatterID: firm.MatterID, PayorID: firm.ContactID, Amount: models.MustDecimal("250.00"), Reference: "D-2026-17",
		EffectiveDate: models.DateTimeOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
	})
	if err != nil {
		log.Fatal(err) // an *AmbiguousWriteError: FindTransaction looks for it
	}
	deposit, err := practice.Await(ctx, practice.ReadLink[models.Transaction](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(deposit.Type, deposit.Amount.Fixed(2), deposit.Reference)
	// Output: Deposit 250.00 D-2026-17
}
