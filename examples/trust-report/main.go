// Trust-report prints the money that a firm holds for its clients: each trust
// account with its matters, their clients and balances. Amounts are exact to
// the cent, and the sum is compared with the account's balance.
//
//	go run ./examples/trust-report [report.csv]
//
// It writes nothing to the service. If the balances do not add up, it fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
)

func main() {
	log.SetFlags(0)
	client, _, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	r, err := read(context.Background(), client)
	if err != nil {
		log.Fatal(err) // an incomplete report is useless
	}
	r.print()
	if len(os.Args) < 2 {
		fmt.Println("\nNext: name a file, such as report.csv, to get all of it for a spreadsheet.")
	} else if err := r.save(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	for _, finding := range r.findings {
		log.Print(finding)
	}
	if len(r.findings) > 0 {
		log.Fatal("The balances do not add up.")
	}
}

// report holds the data read so far. All amounts are in dollars.
type report struct {
	lines    []line
	findings []string
	names    map[string]string // names of contacts by id, because a client may have many matters
}

// line is a matter of an account, or the total of its matters.
type line struct {
	account, number, title, clients string
	balance, protected, available   models.Decimal
}

// read reads the accounts in which a firm may hold money of clients.
func read(ctx context.Context, client *practice.Client) (*report, error) {
	r := &report{names: map[string]string{}}
	for _, kind := range []models.BankAccountType{models.BankAccountTypeTrust, models.BankAccountTypeControlledMoney} {
		accounts, err := client.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: kind})
		if err != nil {
			return nil, err
		}
		for _, one := range accounts.Items {
			account, err := client.BankAccounts.Get(ctx, one.ID) // includes the balances of its matters
			if err != nil {
				return nil, err
			}
			if err := r.account(ctx, client, account); err != nil {
				return nil, fmt.Errorf("%s: %w", account.AccountName, err)
			}
		}
	}
	return r, nil
}

// account adds the matters of an account to the report, and compares their sum
// with its balance.
func (r *report) account(ctx context.Context, client *practice.Client, account *models.BankAccount) error {
	for _, fault := range account.Audit() {
		r.findings = append(r.findings, account.AccountName+": "+fault.String())
	}
	total := models.MustDecimal("0")
	for _, b := range account.MatterBalances {
		var err error
		if total, err = total.Add(b.Balance); err != nil {
			return err // an absent balance is an error, not 0
		}
		if b.Balance.Sign() == 0 {
			continue
		}
		matter, err := client.Matters.Get(ctx, b.Matter.TargetID())
		if err != nil {
			return err
		}
		clients, err := r.clients(ctx, client, matter)
		if err != nil {
			return err
		}
		r.lines = append(r.lines, line{account.AccountName, matter.Number, matter.Title, clients, b.Balance, b.ProtectedBalance, b.AvailableBalance})
	}
	r.lines = append(r.lines, line{account: account.AccountName, title: "Total", balance: total})
	if !total.Equal(account.Balance) {
		r.findings = append(r.findings, fmt.Sprintf("%s has %s, its matters have %s", account.AccountName, account.Balance.Fixed(2), total.Fixed(2)))
	}
	return nil
}

// clients returns the names of a matter's clients.
func (r *report) clients(ctx context.Context, client *practice.Client, matter *models.Matter) (string, error) {
	var all []string
	for _, link := range matter.Clients {
		id := link.TargetID()
		if _, known := r.names[id]; !known {
			contact, err := client.Contacts.Get(ctx, id)
			if err != nil {
				return "", err
			}
			r.names[id] = contact.Name()
		}
		all = append(all, r.names[id])
	}
	return strings.Join(all, ", "), nil
}

// print prints the columns that fit a terminal of 80 columns.
func (r *report) print() {
	for _, l := range r.lines {
		fmt.Printf("%-24.24s %-37.37s %17s\n", plain(l.account), plain(l.title), l.balance.Grouped(2))
	}
}

// save writes all columns to a CSV file, which a spreadsheet opens without
// executing a cell.
func (r *report) save(name string) (err error) {
	file, err := os.Create(name) //nolint:gosec // it is named on the command line
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := csvfile.NewWriter(file, csvfile.Excel)
	if err := out.Write([]string{"account", "matter", "title", "clients", "balance", "protected", "available"}); err != nil {
		return err
	}
	for _, l := range r.lines {
		row := []string{plain(l.account), plain(l.number), plain(l.title), plain(l.clients)}
		for _, amount := range []models.Decimal{l.balance, l.protected, l.available} {
			text := ""
			if amount.IsPresent() {
				text = amount.Fixed(2)
			}
			row = append(row, text)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return nil
}
