// Trust-report prints the money that a firm holds for its clients: each trust
// account with its matters, their clients and balances, exact to the cent, and
// whether it adds up.
//
//	go run ./examples/trust-report >report.csv
//
// Without any variable it starts the embedded service. With PRACTICE_BASE_URL
// and the other variables of docs/getting-started.md it reads from that
// service, and writes nothing to it.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

const usage = "usage: trust-report\n"

// ErrFindings reports that the balances do not add up.
var ErrFindings = errors.New("the balances do not add up")

func main() {
	os.Exit(program.Run("trust-report", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	if err := program.Parse(flag.NewFlagSet("trust-report", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-trust-report"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	r := &report{client: service.Client, names: map[string]string{}}
	if err := r.read(ctx); err != nil {
		return err // half a report is none
	}
	if err := csv.NewWriter(stdout).WriteAll(r.rows); err != nil {
		return err
	}
	if len(r.findings) > 0 {
		return fmt.Errorf("%w: %s", ErrFindings, strings.Join(r.findings, "; "))
	}
	return nil
}

// report holds the data read so far. All amounts are dollars.
type report struct {
	client   *practice.Client
	rows     [][]string
	findings []string
	names    map[string]string // of contacts, by id: a client may have many matters
}

func (r *report) read(ctx context.Context) error {
	r.rows = [][]string{{"account", "matter", "title", "clients", "balance", "protected", "available"}}
	for _, kind := range []models.BankAccountType{models.BankAccountTypeTrust, models.BankAccountTypeControlledMoney} {
		accounts, err := r.client.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: kind})
		if err != nil {
			return err
		}
		for _, one := range accounts.Items {
			account, err := r.client.BankAccounts.Get(ctx, one.ID) // with the balances of its matters
			if err != nil {
				return err
			}
			if err := r.account(ctx, account); err != nil {
				return err
			}
		}
	}
	return nil
}

// account adds the matters of an account, and compares their sum with its
// balance.
func (r *report) account(ctx context.Context, account *models.BankAccount) error {
	for _, fault := range account.Audit() {
		r.findings = append(r.findings, account.AccountName+": "+fault.String())
	}
	sum := models.MustDecimal("0")
	for _, b := range account.MatterBalances {
		var err error
		if sum, err = sum.Add(b.Balance); err != nil {
			return fmt.Errorf("%s: %w", account.AccountName, err) // an absent balance is not 0
		}
	}
	for _, b := range account.MatterBalances {
		if b.Balance.Sign() == 0 {
			continue
		}
		matter, err := r.client.Matters.Get(ctx, b.Matter.TargetID())
		if err != nil {
			return err
		}
		clients, err := r.clients(ctx, matter)
		if err != nil {
			return err
		}
		r.row(account.AccountName, matter.Number, matter.Title, clients, b.Balance, b.ProtectedBalance, b.AvailableBalance)
	}
	r.row(account.AccountName, "", "Total", "", sum)
	if !sum.Equal(account.Balance) {
		r.findings = append(r.findings, fmt.Sprintf("%s has %s, its matters have %s", account.AccountName, account.Balance.Fixed(2), sum.Fixed(2)))
	}
	return nil
}

// row adds a line. A spreadsheet must not take a text of the service for a
// formula.
func (r *report) row(account, number, title, clients string, amounts ...models.Decimal) {
	row := []string{account, number, title, clients}
	for i, text := range row {
		if text = term.Clean(text); strings.ContainsAny(text[:min(1, len(text))], "=+-@") {
			text = "'" + text
		}
		row[i] = text
	}
	for i := range 3 {
		if i < len(amounts) && amounts[i].IsPresent() {
			row = append(row, amounts[i].Fixed(2))
		} else {
			row = append(row, "")
		}
	}
	r.rows = append(r.rows, row)
}

// clients returns the names of a matter's clients.
func (r *report) clients(ctx context.Context, matter *models.Matter) (string, error) {
	var all []string
	for _, link := range matter.Clients {
		id := link.TargetID()
		if _, known := r.names[id]; !known {
			contact, err := r.client.Contacts.Get(ctx, id)
			if err != nil {
				return "", err
			}
			r.names[id] = contact.Name()
		}
		all = append(all, r.names[id])
	}
	return strings.Join(all, ", "), nil
}
