package once_test

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
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// The response to a create is lost. The fee is found and not created again.
func ExampleDo() {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	own := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken))
	if err != nil {
		log.Fatal(err)
	}
	defer client.CloseIdleConnections()
	dir, err := os.MkdirTemp("", "once")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	journal, err := once.Open(filepath.Join(dir, "fees.journal"))
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()

	matterID := server.Firm().MatterID
	fee := models.FeeWrite{Subject: "Advice", Description: "timesheet 4711, line 3", FeeDate: models.DateOf(time.Now())}
	create := func(ctx context.Context, _ once.Intent) (string, error) {
		link, err := client.Fees.Create(ctx, matterID, fee)
		if err != nil {
			return "", err
		}
		return link.TargetID(), nil
	}
	find := func(ctx context.Context, intent once.Intent) ([]string, error) {
		fees, err := client.Fees.FindCreated(ctx, matterID, fee, intent.At.Add(-5*time.Minute))
		return once.IDs(fees, func(f *models.Fee) string { return f.ID }), err
	}
	server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter})
	for range 2 { // the second pass stands for the next start of the program
		id, err := once.Do(context.Background(), journal, "timesheet 4711, line 3", create, find)
		fmt.Println(id != "", err)
	}
	fees := 0
	for f, err := range client.Fees.All(context.Background(), matterID, practice.FeeListOptions{}) {
		if err == nil && f.Description == fee.Description {
			fees++
		}
	}
	fmt.Println(fees)
	// Output:
	// true <nil>
	// true <nil>
	// 1
}

// A journal of your own needs these methods, and Hold if several calls may ask
// for one key at the same time.
func ExampleJournal() {
	dir, err := os.MkdirTemp("", "once")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, err := once.Open(filepath.Join(dir, "fees.journal"))
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	var journal once.Journal = file
	_, holds := journal.(once.Holder)
	entry, err := journal.Load(context.Background(), "entry 4711")
	fmt.Println(holds, entry.IsZero(), entry.Equal(once.Entry{}), err)
	fmt.Println(journal.Store(context.Background(), "entry 4711", entry, once.Entry{ID: "fee-1"}))
	err = journal.Store(context.Background(), "entry 4712", once.Entry{}, once.Entry{ID: "FEE-1"}) // ids have no case
	fmt.Println(errors.Is(err, once.ErrClaimed))
	// Output:
	// true true true <nil>
	// <nil>
	// true
}
