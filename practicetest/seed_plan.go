package practicetest

import (
	"encoding/json"
	"fmt"
	"time"
)

// seed makes the firm's subscription, its card and the promotions.
func (p plans) seed(sd *seeder, a *account) {
	day := sd.now.Truncate(24 * time.Hour)
	date := func(days int) time.Time { return day.AddDate(0, 0, days) }
	tiers := make([]*record, 3)
	for i, name := range []string{"Tier 1", "Tier 2", "Add-on"} {
		tiers[i] = sd.add(a, p.tier, tierFields([]string{"T001", "T002", "T009"}[i], name, date))
	}
	var promotions []*record
	for i := range sd.server.cfg.promotions {
		promotions = append(promotions, sd.add(a, p.promotion, promotionFields(sd, i, tiers[0], date)))
	}
	subscription := sd.add(a, p.subscription, fields{
		"productSuite": "Practice", "tier": tiers[0], "trialingTier": fields{
			"of": tiers[1], "cancellationStatus": "None", "activationDate": date(-7), "expirationDate": date(7),
		},
		"addOns": []*record{tiers[2]}, "discounts": []fields{{"promotion": promotions[0], "activationDate": date(-7)}},
		"status": "Active", "interval": "Monthly", "quantity": len(sd.all(a, "staff")), "createdDate": date(-500),
		"trialStatus": "Trialing", "trialPeriodStartDate": date(-7), "trialPeriodEndDate": date(7),
		"currentPeriodStartDate": date(-12), "currentPeriodEndDate": date(18),
		"cancellationStatus": "Pending", "cancellationType": "PeriodEnd", "canceledAt": date(-1), "cancelAt": date(18),
	})
	sd.add(a, p.payment, fields{
		"paymentSystem": "PROCESSOR", "type": "CreditCard", "isDefault": true, "lastPaymentState": "Succeeded", "createdDate": date(-500),
		"details": fields{
			"brand": "Example", "lastFourDigits": "4242", "expiry": day.Format("01/") + day.AddDate(2, 0, 0).Format("06"),
			"expiryMonth": int(day.Month()), "expiryYear": day.Year() + 2,
		},
	}, subscription.id)
}

func tierFields(code, name string, date func(int) time.Time) fields {
	return fields{
		"vendorId": code, "productSuite": "Practice", "name": name, "description": "", "trialPeriodDays": 14, "prices": []fields{
			{"default": true, "active": true, "type": "Recurring", "name": `"$109 per seat"`, "amount": json.Number("10900.0"), "interval": "Monthly"},
			{
				"active": true, "type": "Recurring", "name": `"$59 per seat"`, "amount": json.Number("5900"), "interval": "Yearly",
				"externalPriceId": "price_1", "id": "p1",
			},
		}, "createdDate": date(-900), "updatedDate": date(-100),
	}
}

func promotionFields(sd *seeder, i int, tier *record, date func(int) time.Time) fields {
	name := fmt.Sprintf("SUMMER%02d", i+1)
	f := fields{
		"productSuite": "Practice", "tiers": []*record{tier}, "addOns": []*record{}, "usage": []string{"Manual", "Trial"}, "name": "Summer",
		"description": "Summer offer", "durationDays": 7, "active": true, "numUsed": sd.rand.IntN(100), "createdDate": date(-60),
		"codes": []fields{{
			"id": "promo_code_" + name, "name": name, "code": name, "active": true, "minimumAmount": 5000,
			"createdDate": date(-60), "expiratonDate": date(120), "metadata": map[string]string{"k": "v"},
		}},
		"metadata": map[string]string{"campaign": "summer"},
	}
	if i%2 == 0 {
		f["amountOff"] = 2000
	} else {
		f["percentOff"], f["expirationDate"], f["deleted"] = json.Number("20.5"), date(120), false
	}
	return f
}
