package acceptance_test

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// write returns a random write of amount cents with a unique reference.
func (w *moneyWorld) write(amount int64, reference string) moneyWrite {
	switch w.chance.IntN(9) {
	case 0, 1:
		return w.deposit(amount, reference)
	case 2:
		return w.payment(amount, reference)
	case 3:
		return w.request(amount, reference)
	case 4:
		return w.protect(amount)
	case 5:
		if id, held := anyOf(w.chance, w.holds); held > 0 {
			return w.unprotect(id, held)
		}
	case 6:
		return w.expense(amount, reference)
	case 7:
		if id, _ := anyOf(w.chance, w.rates); id != "" {
			return w.change(id, amount)
		}
	}
	return w.fee(amount, reference)
}

func linked(link *models.Link, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return link.TargetID(), nil
}

func (w *moneyWorld) deposit(amount int64, reference string) moneyWrite {
	deposit := models.TransactionCreate{MatterID: w.matter, PayorID: w.contact, Amount: inDollars(amount), Reference: reference}
	return moneyWrite{
		operation: "createTransaction", kind: "transactions",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.BankAccounts.CreateTransaction(ctx, w.firm.BankAccountID, deposit, opts...))
		},
		find: w.finds(deposit), done: func(string) { w.balance += amount },
	}
}

// finds returns a function that counts the transactions that match.
func (w *moneyWorld) finds(one models.TransactionCreate) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		found, err := w.owner.BankAccounts.FindCreatedTransaction(ctx, w.firm.BankAccountID, one, w.since)
		return len(found), err
	}
}

func (w *moneyWorld) asks(amount int64, reference string) models.RequisitionCreate {
	return models.RequisitionCreate{
		MatterID: w.matter, PayorID: w.contact, PayeeID: w.firm.ContactID, Amount: inDollars(amount), Source: models.RequisitionSourceCheck, Reference: reference,
	}
}

// payment returns a requisition that is approved immediately.
func (w *moneyWorld) payment(amount int64, reference string) moneyWrite {
	return moneyWrite{
		operation: "createRequisition", kind: "transactions",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return "", testkit.Discard(w.owner.BankAccounts.CreateRequisition(ctx, w.firm.BankAccountID, w.asks(amount, reference), opts...))
		},
		find: w.finds(models.TransactionCreate{MatterID: w.matter, Type: models.TransactionTypeVendorPayment, Amount: inDollars(amount), Reference: reference}),
		done: func(string) { w.balance -= amount },
	}
}

// request returns a requisition that waits for approval. No read finds it.
func (w *moneyWorld) request(amount int64, reference string) moneyWrite {
	return moneyWrite{
		operation: "createRequisition", kind: "bankaccounts",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			opts = append(opts, practice.WithUserID(w.firm.UserID))
			return "", testkit.Discard(w.system.BankAccounts.CreateRequisition(ctx, w.firm.BankAccountID, w.asks(amount, reference), opts...))
		},
		done: func(string) { w.protected += amount },
	}
}

func (w *moneyWorld) protect(amount int64) moneyWrite {
	return moneyWrite{
		operation: "protectFunds", kind: "bankaccounts",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.BankAccounts.ProtectFunds(ctx, w.firm.BankAccountID, models.ProtectFunds{
				MatterID: w.matter, ContactID: w.contact, Amount: inDollars(amount), EffectiveDate: models.DateTimeOf(testkit.SomeTime),
			}, opts...))
		},
		done: func(id string) {
			w.protected += amount
			w.holds[id] = amount
		},
	}
}

func (w *moneyWorld) unprotect(id string, amount int64) moneyWrite {
	return moneyWrite{
		operation: "unprotectFunds", kind: "bankaccounts",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.BankAccounts.UnprotectFunds(ctx, w.firm.BankAccountID, id, models.UnprotectFunds{}, opts...))
		},
		done: func(string) {
			w.protected -= amount
			delete(w.holds, id)
		},
	}
}

func (w *moneyWorld) expense(amount int64, reference string) moneyWrite {
	expense := models.ExpenseWrite{Subject: "Courier", Price: inDollars(amount), Description: reference}
	return moneyWrite{
		operation: "createExpense", kind: "expenses",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.Expenses.Create(ctx, w.matter, expense, opts...))
		},
		find: func(ctx context.Context) (int, error) {
			found, err := w.owner.Expenses.FindCreated(ctx, w.matter, expense, w.since)
			return len(found), err
		},
		done: func(id string) { w.expenses[id] = true },
	}
}

func (w *moneyWorld) fee(amount int64, reference string) moneyWrite {
	fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime), Rate: inDollars(amount), Description: reference}
	return moneyWrite{
		operation: "createFee", kind: "fees",
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.Fees.Create(ctx, w.matter, fee, opts...))
		},
		find: func(ctx context.Context) (int, error) {
			found, err := w.owner.Fees.FindCreated(ctx, w.matter, fee, w.since)
			return len(found), err
		},
		done: func(id string) { w.rates[id] = amount },
	}
}

// change returns an idempotent write that sets the rate of a fee.
func (w *moneyWorld) change(id string, amount int64) moneyWrite {
	return moneyWrite{
		operation: "patchFee", kind: "fees", again: true,
		send: func(ctx context.Context, opts ...practice.CallOption) (string, error) {
			return linked(w.owner.Fees.Patch(ctx, w.matter, id, models.FeePatch{Rate: models.Some(inDollars(amount))}, opts...))
		},
		done: func(string) { w.rates[id] = amount },
	}
}
