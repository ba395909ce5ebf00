package main

import (
	"context"
	"strconv"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

// accounts prints the bank accounts with their balances, and checks that the
// balances add up. No amount ever is a floating-point number.
func accounts(ctx context.Context, s *show) error {
	page, err := s.Client.BankAccounts.List(ctx, practice.BankAccountListOptions{})
	if err != nil {
		return err
	}
	table := &term.Table{Columns: []term.Column{
		{Name: "Type"}, {Name: "Account"}, {Name: "Number", Right: true}, {Name: "Matters", Right: true}, {Name: "Balance", Right: true},
	}}
	held, faults := models.MustDecimal("0.00"), 0
	for _, account := range page.Items {
		table.Add(string(account.Type), account.AccountName, account.AccountNumber, strconv.Itoa(len(account.MatterBalances)), amount(account.Balance, "not shown"))
		faults += len(account.Audit())
		if holdsClientMoney(account) && account.Balance.IsPresent() {
			if held, err = held.Add(account.Balance); err != nil {
				return err
			}
		}
	}
	s.Table(table)
	s.Blank()
	s.Line("Held for clients: %s dollars, to the cent.", held.Grouped(2))
	if faults > 0 {
		s.Bad("BankAccount.Audit found balances that do not add up: %d.", faults)
		return nil
	}
	s.Good("BankAccount.Audit found nothing: all balances add up.")
	return nil
}

func holdsClientMoney(account models.BankAccount) bool {
	return account.Type == models.BankAccountTypeTrust || account.Type == models.BankAccountTypeControlledMoney
}

// amount shows an absent amount as such: it is not zero.
func amount(d models.Decimal, absent string) string {
	if !d.IsPresent() {
		return absent
	}
	return d.String()
}
