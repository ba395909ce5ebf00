package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// seen returns a fee that is billed a second time: the same work of the same
// person on the same day.
func (s *statement) seen(fee *models.Fee, due models.Decimal) {
	key := strings.Join([]string{
		fee.FeeDate.String(), strings.ToLower(fee.Staff.TargetID()), fee.Subject, fee.Description, due.Fixed(2), strconv.Itoa(fee.Duration.Or(0)),
	}, "\n")
	if s.billed == nil {
		s.billed = map[string]string{}
	}
	if first, before := s.billed[key]; before {
		s.findings = append(s.findings, fmt.Sprintf("%s of %s is billed twice, for %s each: fees %s and %s", fee.Subject, fee.FeeDate, due.Grouped(2), first, fee.ID))
		return
	}
	s.billed[key] = fee.ID
}

// makeMistakes adds work to a matter of the embedded service, one fee of it
// twice, and a balance that is off by a cent.
func makeMistakes(ctx context.Context, service *setup.Service, matterID string) error {
	server, client, today := service.Server(), service.Client, models.DateOf(time.Now().UTC())
	fee := models.FeeWrite{
		Subject: "Conference with counsel", FeeDate: today, FeeType: models.Some(models.FeeTypeTime), Duration: models.Some(50),
		Rate: models.MustDecimal("385.00"), Tax: models.MustDecimal("32.08"), IsBillable: models.Some(true),
	}
	server.AddFee(matterID, fee)
	server.AddFee(matterID, fee)
	server.AddExpense(matterID, models.ExpenseWrite{
		Subject: "Search of title", ExpenseDate: today, Quantity: models.MustDecimal("3"), Price: models.MustDecimal("19.95"), IsBillable: models.Some(true),
	})
	trust := service.ID("BANK_ACCOUNT_ID")
	server.AddTransaction(trust, models.TransactionCreate{
		MatterID: matterID, Amount: models.MustDecimal("1500.00"), Reference: "D-1", Reason: "Deposit on costs", EffectiveDate: models.DateTimeOf(time.Now()),
	})
	account, err := client.BankAccounts.Get(ctx, trust)
	if err != nil {
		return err
	}
	return tellWrong(server, account, matterID)
}

// tellWrong adds a cent to the matter's balance in the next answer about an
// account.
func tellWrong(server *practicetest.Server, account *models.BankAccount, matterID string) error {
	cent := models.MustDecimal("0.01")
	for i := range account.MatterBalances {
		b := &account.MatterBalances[i]
		if !strings.EqualFold(b.Matter.TargetID(), matterID) {
			continue
		}
		var err error
		if b.Balance, err = b.Balance.Add(cent); err != nil {
			return err
		}
		if b.AvailableBalance, err = b.AvailableBalance.Add(cent); err != nil {
			return err
		}
	}
	text, err := account.MarshalJSON()
	server.Inject(practicetest.Fault{Operation: "getBankAccount", Status: 200, Body: string(text), ContentType: "application/json"})
	return err
}
