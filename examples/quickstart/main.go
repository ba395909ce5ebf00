// Quickstart demonstrates the main uses of the library: exact balances, a
// matter's documents, the upload and download of a file, the calendar of a
// week, and the correction of a fee with the notification that reports it.
//
//	go run ./examples/quickstart
//
// It uses the embedded service and needs neither an account nor a network.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// run starts the service, creates a client, and runs the parts.
func run(ctx context.Context) error {
	service, err := practicetest.Start(practicetest.WithEvents(600))
	if err != nil {
		return err
	}
	access := service.Credentials()
	client, err := practice.NewClient(service.BaseURL(),
		practice.WithAPIKey(access.APIKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: service.TokenURL(), ClientID: access.ClientID, ClientSecret: models.NewSecret(access.ClientSecret),
		}))
	if err != nil {
		return errors.Join(err, service.Close())
	}
	s := &show{client, service.Firm(), access.ClientID}
	fmt.Println("An embedded service was started. Its firm is made up.")
	for i, part := range []struct {
		title string
		show  func(context.Context) error
	}{
		{"Bank accounts and balances", s.accounts},
		{"The documents of a matter", s.documents},
		{"A file, there and back", s.roundTrip},
		{"The calendar of the next seven days", s.calendar},
		{"A fee corrected, and the notification that reports it", s.fee},
	} {
		fmt.Printf("\n%d. %s\n\n", i+1, part.title)
		if err = part.show(ctx); err != nil {
			break
		}
	}
	if err == nil {
		fmt.Println("\nNext: copy examples/first, or a recipe that examples/README.md lists.")
	}
	client.CloseIdleConnections()
	return errors.Join(err, service.Close())
}

// show holds the values that the parts share.
type show struct {
	*practice.Client
	firm     practicetest.Firm
	clientID string
}

// accounts prints the bank accounts with their balances, and checks the sum of
// the balances. Amounts are decimals and never floating-point numbers.
func (s *show) accounts(ctx context.Context) error {
	page, err := s.BankAccounts.List(ctx, practice.BankAccountListOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("  %-15s  %-22s  %8s  %7s  %12s\n", "Type", "Account", "Number", "Matters", "Balance")
	fmt.Println("  " + strings.Repeat("─", 72))
	held, faults := models.MustDecimal("0.00"), 0
	for _, account := range page.Items {
		fmt.Printf("  %-15s  %-22s  %8s  %7d  %12s\n", account.Type, plain(account.AccountName), plain(account.AccountNumber), len(account.MatterBalances), account.Balance)
		faults += len(account.Audit())
		if account.Type == models.BankAccountTypeTrust || account.Type == models.BankAccountTypeControlledMoney {
			if held, err = held.Add(account.Balance); err != nil {
				return err // an absent balance is an error, not 0
			}
		}
	}
	fmt.Printf("\n  Held for clients: %s dollars, to the cent.\n", held.Grouped(2))
	if faults > 0 {
		return fmt.Errorf("%d balances do not add up", faults)
	}
	fmt.Println("  BankAccount.Audit found nothing: the balances within each account add up.")
	return nil
}

// documents prints the folders of a matter, and the first files of each.
func (s *show) documents(ctx context.Context) error {
	entries, err := practice.Collect(s.Documents.Walk(ctx, s.firm.MatterID, practice.WalkOptions{}))
	if err != nil {
		return err
	}
	slices.SortStableFunc(entries, func(a, b practice.WalkEntry) int { return cmp.Compare(a.Path(), b.Path()) }) // Walk yields level by level
	const shown = 3
	folders, files := 0, map[string]int{} // number of files by folder
	for _, entry := range entries {
		indent, name := strings.Repeat("  ", entry.Depth()), plain(entry.Name())
		if entry.Folder != nil {
			folders++
			fmt.Printf("%s%s/\n", indent, name)
			continue
		}
		folder := strings.TrimSuffix(entry.Path(), entry.Name())
		if files[folder]++; files[folder] <= shown {
			fmt.Printf("%s%s  (%d bytes)\n", indent, name, entry.File.SizeBytes.Or(0))
		}
	}
	fmt.Printf("\n  %d files in %d folders; at most %d of each are shown.\n", len(entries)-folders, folders, shown)
	return nil
}

// roundTrip uploads a file, downloads it again and compares the content. The
// bytes are transferred directly to and from the object storage, without
// credentials.
func (s *show) roundTrip(ctx context.Context) error {
	content := make([]byte, 24<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content) // never fails
	file, err := s.Documents.Upload(ctx, s.firm.MatterID, practice.Upload{
		Name: "Scanned bundle.pdf", FolderID: s.firm.FolderID, Body: bytes.NewReader(content),
	})
	if err != nil {
		return err
	}
	// The service lists a new file some time after it has accepted it.
	stored := func(ctx context.Context) (*models.File, error) {
		return s.Documents.GetFile(ctx, s.firm.MatterID, file.ID)
	}
	if _, err := practice.Await(ctx, stored, practice.Exists()); err != nil {
		return err
	}
	received := sha256.New()
	n, err := s.Documents.Download(ctx, s.firm.MatterID, file.ID, received, practice.DownloadOptions{})
	if err != nil {
		return err
	}
	sent := sha256.Sum256(content)
	fmt.Printf("  Sent      %x\n  Received  %x\n\n", sent, received.Sum(nil))
	if !bytes.Equal(sent[:], received.Sum(nil)) {
		return errors.New("the content came back changed")
	}
	fmt.Printf("  %d MiB came back as they were sent.\n", n>>20)
	return nil
}

// calendar prints the events of the next seven days, each in its own time zone.
func (s *show) calendar(ctx context.Context) error {
	const shown = 8
	from := time.Now()
	events, err := practice.Collect(s.Events.All(ctx, practice.EventListOptions{From: from, To: from.AddDate(0, 0, 7), ExcludeDeleted: true}))
	if err != nil {
		return err
	}
	for _, event := range events[:min(len(events), shown)] {
		when := "no time" // a clock change skipped or repeated that hour
		if event.AllDay.Or(false) {
			when = event.StartTime.Date().String()
		} else if start, err := event.StartTime.In(event.TimeZone); err == nil {
			when = start.Format("Mon 2 Jan 15:04")
		}
		fmt.Printf("  %-16s  %-20s  %.36s\n", when, plain(event.TimeZone), plain(event.Subject))
	}
	fmt.Printf("\n  %d events; at most %d are shown.\n", len(events), shown)
	return nil
}
