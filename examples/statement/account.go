package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// readAccount reckons what the transactions of the matter come to, and compares
// that with the balance that the bank account has for it.
func (s *statement) readAccount(ctx context.Context, client *practice.Client, matterID, id string) error {
	bank, err := client.BankAccounts.Get(ctx, id)
	if err != nil {
		return err
	}
	a, now := account{name: bank.AccountName, opening: models.MustDecimal("0.00")}, models.MustDecimal("0.00")
	for t, err := range client.BankAccounts.AllTransactions(ctx, id, practice.TransactionListOptions{MatterID: matterID}) {
		if err != nil {
			return err
		}
		amount, err := t.Signed()
		if err != nil {
			return err
		}
		if now, err = now.Add(amount); err != nil {
			return fmt.Errorf("transaction %s: %w", t.ID, err)
		}
		switch day := models.DateOf(t.EffectiveDate.Time()).String(); {
		case day < s.month: // 2026-01-31 before 2026-02
			if a.opening, err = a.opening.Add(amount); err != nil {
				return err
			}
		case s.covers(day):
			a.moved = append(a.moved, entry{day, kindOf(&t), t.Reference, amount})
		}
	}
	s.sort(a.moved)
	moved, err := sum(a.moved)
	if err != nil {
		return err
	}
	if a.closing, err = a.opening.Add(moved); err != nil {
		return err
	}
	s.accounts = append(s.accounts, a)
	s.balanced(bank, matterID, now)
	return nil
}

func kindOf(t *models.Transaction) string {
	if t.Reason != "" {
		return t.Reason
	}
	return string(t.Type)
}

// balanced finds what is wrong with the balances of an account.
func (s *statement) balanced(bank *models.BankAccount, matterID string, transactions models.Decimal) {
	for _, fault := range bank.Audit() {
		s.findings = append(s.findings, bank.AccountName+": "+fault.String())
	}
	i := slices.IndexFunc(bank.MatterBalances, func(b models.MatterBalance) bool { return strings.EqualFold(b.Matter.TargetID(), matterID) })
	if i < 0 {
		return
	}
	if held := bank.MatterBalances[i].Balance; !held.Equal(transactions) {
		s.findings = append(s.findings, fmt.Sprintf("%s: the balance is %s, but the transactions come to %s", bank.AccountName, held.Grouped(2), transactions.Grouped(2)))
	}
}
