package practicetest

import (
	"encoding/json"
	"fmt"
	"time"
)

// planSeed generates the records about the firm's own subscription to the
// service.
type planSeed struct {
	plans
	*seeder
	account *account
	day     time.Time
}

// seed creates the products on offer and the firm's subscription with its
// payment methods.
func (p plans) seed(sd *seeder, a *account) {
	s := planSeed{p, sd, a, sd.now.Truncate(24 * time.Hour)}
	tiers := []*record{
		s.product(p.tier, "T001", "Tier 1", s.prices(10900, 5900)), s.product(p.tier, "T002", "Tier 2", s.prices(14900, 9900)),
	}
	addOns := []*record{
		s.product(p.addOn, "T009", "Add-on", s.prices(1900, 1500)), s.product(p.addOn, "T010", "Add-on 2", s.prices(2900, 2500)),
	}
	addOns[0].fields["tiers"], addOns[1].fields["tiers"] = ids(tiers), ids(tiers[1:])
	usages := make([]*record, 2)
	for i, name := range []string{"Identity check", "Title search"} {
		usages[i] = s.product(p.usage, fmt.Sprintf("U%03d", i+1), name, s.unitPrices(450+int64(i)*800))
	}
	var promotions []*record
	for i := range sd.from.Promotions {
		promotions = append(promotions, sd.add(a, p.promotion, s.promotionFields(i, tiers[0])))
	}
	s.subscribe(tiers, addOns, usages, promotions)
}

func (s planSeed) date(days int) time.Time { return s.day.AddDate(0, 0, days) }

// subscribe creates the firm's subscription. It includes one tier; a second
// tier is on trial.
func (s planSeed) subscribe(tiers, addOns, usages, promotions []*record) {
	subscription := s.add(s.account, s.subscription, fields{
		"productSuite": "Practice", "tier": tiers[0], "trialingTier": fields{
			"of": tiers[1], "cancellationStatus": "None", "activationDate": s.date(-7), "expirationDate": s.date(7),
		},
		"addOns": addOns[:1], "usages": usages[:1], "discounts": []fields{{"promotion": promotions[0], "activationDate": s.date(-7)}},
		"status": "Active", "interval": "Monthly", "quantity": len(s.all(s.account, "staff")), "createdDate": s.date(-500),
		"trialStatus": "Trialing", "trialPeriodStartDate": s.date(-7), "trialPeriodEndDate": s.date(7),
		"currentPeriodStartDate": s.date(-12), "currentPeriodEndDate": s.date(18),
		"cancellationStatus": "Pending", "cancellationType": "PeriodEnd", "canceledAt": s.date(-1), "cancelAt": s.date(18),
	})
	method := s.add(s.account, s.payment, cardFields(true, s.date(-500)), subscription.id)
	method.created = s.date(-500)
	spare := s.add(s.account, s.payment, cardFields(false, s.date(-100)), subscription.id)
	spare.created = s.date(-100)
	subscription.data = planState{methods: []string{method.id, spare.id}, chosen: method.id}
	s.addAs(s.account, s.settings, s.account.id, fields{
		"createExpensesFromUsageCharges": true, "usageAccessPermission": "AllUsers", "usageAccessSelectedUserIds": []string{},
	})
	for _, age := range []time.Duration{50 * time.Hour, time.Hour} {
		s.charge(subscription, usages[0], s.now.Add(-age))
	}
	s.bills(subscription)
}

// charge creates a usage charge for one unit at the given time.
func (s planSeed) charge(subscription, usage *record, at time.Time) {
	price := pricesOf(usage)[0]
	r := s.add(s.account, s.plans.charge, fields{
		"accountId": s.account.id, "userId": s.user(s.account, 1), "productId": usage.id, "priceId": price["id"], "amount": price["amount"],
		"quantity": 1, "status": "Succeeded", "occurredDate": at, "matterId": s.first("matters", s.account.id),
		"description": usage.fields["name"], "metadata": map[string]string{"source": "import"},
	}, subscription.id)
	r.created = at
}

// cardFields returns the members of a payment method: a credit card that
// expires in two years.
func cardFields(isDefault bool, now time.Time) fields {
	return fields{
		"paymentSystem": paymentSystem, "type": "CreditCard", "isDefault": isDefault, "lastPaymentState": "Succeeded",
		"details": fields{
			"brand": "Example", "lastFourDigits": "4242", "expiry": now.Format("01/") + now.AddDate(2, 0, 0).Format("06"),
			"expiryMonth": int(now.Month()), "expiryYear": now.Year() + 2,
		},
	}
}

// product creates a tier, an add-on or a usage product.
func (s planSeed) product(of *resource, code, name string, prices []fields) *record {
	return s.add(s.account, of, fields{
		"vendorId": code, "productSuite": "Practice", "name": name, "description": "", "trialPeriodDays": 14, "prices": prices,
		"createdDate": s.date(-900), "updatedDate": s.date(-100),
	})
}

// prices returns the monthly and yearly price per seat, in cents.
func (s planSeed) prices(monthly, yearly int64) []fields {
	return []fields{
		{
			"default": true, "active": true, "type": "Recurring", "name": fmt.Sprintf(`"$%d per seat"`, monthly/100),
			"amount": json.Number(fmt.Sprintf("%d.0", monthly)), "interval": "Monthly",
		},
		{
			"active": true, "type": "Recurring", "name": fmt.Sprintf(`"$%d per seat"`, yearly/100),
			"amount": yearly, "interval": "Yearly", "externalPriceId": "price_1", "id": "p1",
		},
	}
}

// unitPrices returns the unit prices of a usage product, in cents: the current
// one and an expired one.
func (s planSeed) unitPrices(amount int64) []fields {
	return []fields{
		{"default": true, "active": true, "name": "Unit", "amount": amount, "interval": "None", "id": s.newID("price")},
		{"name": "Unit until last year", "amount": amount - 50, "interval": "None", "id": s.newID("price")},
	}
}

func (s planSeed) promotionFields(i int, tier *record) fields {
	name := fmt.Sprintf("SUMMER%02d", i+1)
	f := fields{
		"productSuite": "Practice", "tiers": []*record{tier}, "addOns": []*record{}, "usage": []string{"Manual", "Trial"}, "name": "Summer",
		"description": "Summer offer", "durationDays": 7, "active": true, "numUsed": s.rand.IntN(100), "createdDate": s.date(-60),
		"codes": []fields{{
			"id": "promo_code_" + name, "name": name, "code": name, "active": true, "minimumAmount": 5000,
			"createdDate": s.date(-60), "expiratonDate": s.date(120), "metadata": map[string]string{"k": "v"},
		}},
		"metadata": map[string]string{"campaign": "summer"},
	}
	if i%2 == 0 {
		f["amountOff"] = 2000
	} else {
		f["percentOff"], f["expirationDate"], f["deleted"] = json.Number("20.5"), s.date(120), false
	}
	return f
}

// describePlan sets the ids of records about the subscription in f.
func (sd *seeder) describePlan(f *Firm, a, other *account) {
	f.TierID, f.OtherFirmTierID = sd.first("tiers", a.id), sd.first("tiers", other.id)
	f.AddOnID, f.OtherFirmAddOnID = sd.first("addons", a.id), sd.first("addons", other.id)
	f.UsageID, f.OtherFirmUsageID = sd.first("usages", a.id), sd.first("usages", other.id)
	f.NewUsageID, f.ChargeID = sd.all(a, "usages")[1].id, sd.first("charges", f.SubscriptionID)
	f.UsagePriceID, f.SparePaymentMethodID = pricesOf(sd.slot(sd.resource("usages"), f.UsageID).Now)[0].str("id"), sd.list(sd.resource("paymentmethods"), f.SubscriptionID).All()[1].id
	bills := sd.by.byPath(subscriptionInvoicePath)
	f.SubscriptionInvoiceID, f.OtherFirmSubscriptionInvoiceID = sd.list(bills, a.id).All()[1].id, sd.list(bills, other.id).All()[1].id
	f.OtherFirmPromotionID = sd.first("promotions", other.id)
}
