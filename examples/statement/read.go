package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// statement holds the costs of a matter in a month, and the money that the firm
// holds for it. All amounts are dollars.
type statement struct {
	title, month    string
	fees, expenses  []entry
	feeSum, costSum models.Decimal
	accounts        []account
	findings        []string
	billed          map[string]string // ids of fees, by their work
}

// entry is a line of the statement.
type entry struct {
	day    string // YYYY-MM-DD
	text   string
	detail string
	amount models.Decimal
}

// account is the money of the matter in one bank account.
type account struct {
	name             string
	opening, closing models.Decimal // before the month, and at its end
	moved            []entry
}

// read returns the statement of a month, such as 2026-02.
func read(ctx context.Context, client *practice.Client, matterID, month string) (*statement, error) {
	matter, err := client.Matters.Get(ctx, matterID)
	if err != nil {
		return nil, err
	}
	s := &statement{title: matter.Title, month: month}
	if err := s.readFees(ctx, client, matterID); err != nil {
		return nil, err
	}
	if err := s.readExpenses(ctx, client, matterID); err != nil {
		return nil, err
	}
	accounts, err := client.BankAccounts.List(ctx, practice.BankAccountListOptions{MatterID: matterID})
	if err != nil {
		return nil, err
	}
	for _, one := range accounts.Items {
		if err := s.readAccount(ctx, client, matterID, one.ID); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *statement) readFees(ctx context.Context, client *practice.Client, matterID string) (err error) {
	for fee, err := range client.Fees.All(ctx, matterID, practice.FeeListOptions{}) {
		if err != nil {
			return err
		}
		if !s.covers(fee.FeeDate.String()) || fee.IsDeleted.Or(false) || fee.IsWrittenOff.Or(false) || !fee.IsBillable.Or(false) {
			continue
		}
		due, err := fee.BillableAmountExcTax.Add(fee.BillableTax)
		if err != nil {
			return fmt.Errorf("fee %s: %w", fee.ID, err)
		}
		detail := "fixed"
		if fee.FeeType.Or(models.FeeTypeFixed) == models.FeeTypeTime {
			detail = models.HoursOfMinutes(fee.Duration.Or(0), 2).String() + " h"
		}
		s.fees = append(s.fees, entry{fee.FeeDate.String(), fee.Subject, detail, due})
		s.seen(&fee, due)
	}
	s.sort(s.fees)
	s.feeSum, err = sum(s.fees)
	return err
}

func (s *statement) readExpenses(ctx context.Context, client *practice.Client, matterID string) (err error) {
	for expense, err := range client.Expenses.All(ctx, matterID, practice.ExpenseListOptions{}) {
		if err != nil {
			return err
		}
		if !s.covers(expense.ExpenseDate.String()) || expense.IsDeleted.Or(false) || expense.IsWrittenOff.Or(false) || !expense.IsBillable.Or(false) {
			continue
		}
		detail := expense.Quantity.String() + " x " + expense.Price.Fixed(2)
		s.expenses = append(s.expenses, entry{expense.ExpenseDate.String(), expense.Subject, detail, expense.AmountIncTax})
	}
	s.sort(s.expenses)
	s.costSum, err = sum(s.expenses)
	return err
}

// covers reports whether a day lies in the month.
func (s *statement) covers(day string) bool { return len(day) >= 7 && day[:7] == s.month }

func (s *statement) sort(entries []entry) {
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.day, b.day) })
}

// sum is exact; an absent amount is an error, not 0.
func sum(entries []entry) (models.Decimal, error) {
	total := models.MustDecimal("0")
	for _, e := range entries {
		var err error
		if total, err = total.Add(e.amount); err != nil {
			return models.Decimal{}, err
		}
	}
	return total, nil
}
