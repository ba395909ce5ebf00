package practicetest

import (
	"encoding/json"
	"fmt"
	"time"
)

// plan makes the firm's subscription, its card and the promotions.
func (sd *seeder) plan(a *account) {
	day := sd.now.Truncate(24 * time.Hour)
	date := func(days int) string { return utc(day.AddDate(0, 0, days)) }
	tiers := []wireTier{sd.tier("T001", "Tier 1", date), sd.tier("T002", "Tier 2", date), sd.tier("T009", "Add-on", date)}
	for i := range sd.server.cfg.promotions {
		a.promotions = append(a.promotions, sd.promotion(i, tiers[:1], date))
	}
	p := &plan{id: sd.ids.next(), account: a, discount: a.promotions[0], paymentID: sd.ids.next()}
	p.record = wirePlan{
		ID: p.id, ProductSuite: "Practice", Tier: tiers[0],
		TrialingTier: wireTrialingTier{tiers[1], "None", date(-7), date(7)},
		AddOns:       tiers[2:], Discounts: []wireDiscount{{ActivationDate: date(-7)}},
		Status: "Active", Interval: "Monthly", Quantity: len(a.staff), CreatedDate: date(-500),
		TrialStatus: "Trialing", TrialPeriodStartDate: date(-7), TrialPeriodEndDate: date(7),
		CurrentPeriodStartDate: date(-12), CurrentPeriodEndDate: date(18),
		CancellationStatus: "Pending", CancellationType: "PeriodEnd", CanceledAt: new(date(-1)), CancelAt: new(date(18)),
	}
	p.payment = wirePayment{
		ID: p.paymentID, PaymentSystem: "PROCESSOR", Type: "CreditCard", IsDefault: true, LastPaymentState: "Succeeded", CreatedDate: date(-500),
		Details: wireCard{Brand: "Example", LastFourDigits: "4242", Expiry: day.Format("01/") + day.AddDate(2, 0, 0).Format("06"),
			ExpiryMonth: int(day.Month()), ExpiryYear: day.Year() + 2},
	}
	a.plan = p
	sd.plans[p.id] = p
}

func (sd *seeder) tier(code, name string, date func(int) string) wireTier {
	return wireTier{
		ID: sd.ids.next(), VendorID: code, ProductSuite: "Practice", Name: name, TrialPeriodDays: 14, Prices: []wirePrice{
			{Default: true, Active: true, Type: "Recurring", Name: `"$109 per seat"`, Amount: "10900.0", Interval: "Monthly"},
			{Active: true, Type: "Recurring", Name: `"$59 per seat"`, Amount: "5900", Interval: "Yearly", External: "price_1", ID: "p1"},
		}, CreatedDate: date(-900), UpdatedDate: date(-100),
	}
}

func (sd *seeder) promotion(i int, tiers []wireTier, date func(int) string) *promotion {
	p := &promotion{id: sd.ids.next(), tiers: tiers}
	name := fmt.Sprintf("SUMMER%02d", i+1)
	p.record = wirePromotion{
		ID: p.id, ProductSuite: "Practice", AddOns: []wireTier{}, Usage: []string{"Manual", "Trial"}, Name: "Summer", Description: "Summer offer",
		DurationDays: 7, Active: true, NumUsed: sd.ids.IntN(100), CreatedDate: date(-60),
		Codes: []wireCode{{
			ID: "promo_code_" + name, Name: name, Code: name, Active: true, MinimumAmount: 5000,
			CreatedDate: date(-60), ExpiratonDate: date(120), Metadata: map[string]string{"k": "v"},
		}},
		Metadata: map[string]string{"campaign": "summer"},
	}
	if i%2 == 0 {
		p.record.AmountOff = new(int64(2000))
	} else {
		p.record.PercentOff, p.record.ExpirationDate, p.record.Deleted = new(json.Number("20.5")), new(date(120)), new(false)
	}
	return p
}
