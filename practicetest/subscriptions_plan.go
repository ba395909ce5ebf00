package practicetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"
)

// selection is a choice of products and of a billing interval for a
// subscription.
type selection struct {
	tier       *record
	addOns     []*record
	promotions []*record
	interval   string
}

// selectionOf returns the current products of a subscription.
func selectionOf(r *record) selection {
	c := selection{interval: r.fields.str("interval")}
	c.tier, _ = r.fields["tier"].(*record)
	c.addOns, _ = r.fields["addOns"].([]*record)
	discounts, _ := r.fields["discounts"].([]fields)
	c.promotions = mapped(discounts, func(one fields) *record { return one["promotion"].(*record) })
	return c
}

// same reports whether the tier, add-ons and interval are equal.
func (c selection) same(other selection) bool {
	return c.tier.id == other.tier.id && slices.Equal(ids(c.addOns), ids(other.addOns)) && c.interval == other.interval
}

// changed applies the body of a change to a selection. Members that are missing
// keep their values, except that another tier sets its own default interval.
func (p plans) changed(t *tx, next selection, body fields) (selection, error) {
	if id := body.str("tierId"); id != "" {
		tier, err := t.find(p.tier, id, nil)
		if err != nil {
			return next, conflict("tierId", "no such tier")
		}
		next.tier, next.interval = tier, priceOf(tier, "").str("interval")
	}
	next.interval = cmp.Or(body.str("interval"), next.interval)
	if priceOf(next.tier, next.interval).str("interval") != next.interval {
		return next, conflict("interval", "must be the interval of an active price of the tier")
	}
	if string(body.raw("addOnIds")) != "null" {
		next.addOns = nil
		for _, id := range body.ids("addOnIds") {
			addOn, err := t.find(p.addOn, id, nil)
			if err != nil {
				return next, conflict("addOnIds", "no such add-on")
			}
			next.addOns = append(next.addOns, addOn)
		}
	}
	for _, addOn := range next.addOns {
		if !naming("tiers")(addOn, next.tier.id) {
			return next, conflict("addOnIds", "must contain only add-ons that are available for the tier")
		}
	}
	return next, nil
}

// patchSubscription changes the tier, add-ons or interval of a subscription.
func (p plans) patchSubscription(s *Server, c *call) (answer, error) {
	body := c.members()
	return p.alterPlan(s, c, func(t *tx, r *record) error { return p.alterSelection(t, r, "Update", body) })
}

// switchTier changes the tier of a subscription to the one in the path. It
// applies the promotion in the body, if any.
func (p plans) switchTier(s *Server, c *call) (answer, error) {
	id, promotion := sameID(c.value("id")), sameID(member[string](c, "promotionId"))
	body := c.members()
	body["tierId"] = id
	return p.alterPlan(s, c, func(t *tx, r *record) error {
		if _, err := t.find(p.tier, id, nil); err != nil {
			return err
		}
		if err := p.alterSelection(t, r, "SwitchTier", body); err != nil || promotion == "" {
			return err
		}
		if _, err := t.find(p.promotion, promotion, nil); err != nil {
			return conflict("promotionId", "no such promotion")
		}
		return p.discount(t, r, promotion)
	})
}

// alterSelection changes the products of a subscription and immediately bills
// the cost.
func (p plans) alterSelection(t *tx, r *record, kind string, body fields) error {
	if r.fields.str("status") == "Canceled" {
		return refuse(http.StatusBadRequest, "The subscription has been cancelled.")
	}
	old := selectionOf(r)
	next, err := p.changed(t, old, body)
	if err != nil || next.same(old) {
		return err
	}
	p.bill(t, r, "Open", "Change of the subscription", atOnce(r, old, next, t.now))
	if next.interval != old.interval {
		r.beginPeriod(next.interval, t.now)
	}
	r.fields["tier"], r.fields["addOns"], r.fields["interval"] = next.tier, next.addOns, next.interval
	for _, one := range []struct {
		name        string
		before, now any
	}{{"TierId", old.tier.id, next.tier.id}, {"AddOnIds", append([]string{}, ids(old.addOns)...), append([]string{}, ids(next.addOns)...)}, {"Interval", old.interval, next.interval}} {
		if before, now := encode(one.before), encode(one.now); string(before) != string(now) {
			p.note(t, r, kind, one.name, one.now)
		}
	}
	return nil
}

// beginPeriod starts a new billing period.
func (r *record) beginPeriod(interval string, now time.Time) {
	end := now.AddDate(0, 1, 0)
	if interval == "Yearly" {
		end = now.AddDate(1, 0, 0)
	}
	r.fields["currentPeriodStartDate"], r.fields["currentPeriodEndDate"] = now, end
}

// note adds an entry to the list of changes of a subscription.
func (p plans) note(t *tx, r *record, kind, name string, value any) {
	text, is := value.(string)
	if !is {
		text = string(encode(value))
	}
	change := t.create(p.change, t.newID("change of a subscription"), []string{r.id})
	change.fields = fields{"type": kind, "accountId": t.account.id, "subscriptionId": r.id, "name": name, "value": text, "timestamp": t.now}
	t.put(change, created)
}

// cancelSubscription cancels a trial if there is one, otherwise the
// subscription. With preview, it only returns the effects.
func (p plans) cancelSubscription(s *Server, c *call) (answer, error) {
	body, id := c.members(), sameID(c.value("id"))
	var told fields
	err := s.accept(c, &write{resource: "subscription", id: id}, func(t *tx) error {
		old, err := t.find(p.subscription, id, nil)
		if err != nil {
			return err
		}
		r := t.edit(old)
		if told, err = r.cancel(body, t.now); err != nil || body.is("preview") {
			return err
		}
		p.note(t, r, "Cancel", "CancellationType", told["cancellationType"])
		t.put(r, updated)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.object(c, told), nil
}

// cancel sets the cancellation in the record and returns the members of the
// response.
func (r *record) cancel(body fields, now time.Time) (fields, error) {
	kind := cmp.Or(body.str("cancellationType"), "PeriodEnd")
	told := fields{"preview": body.is("preview"), "cancellationType": kind, "reason": body.raw("reason")}
	trial, _ := r.fields["trialingTier"].(fields)
	switch {
	case r.fields.str("status") == "Canceled":
		return nil, refuse(http.StatusBadRequest, "The subscription has already been cancelled.")
	case trial != nil && r.fields.str("trialStatus") == "Trialing" && !body.is("cancelSubscription"):
		if kind != "PeriodEnd" {
			return nil, conflict("cancellationType", "must be PeriodEnd for a trial")
		}
		r.fields["trialingTier"] = trial.with(fields{"cancellationStatus": "Pending"})
		told["cancellationBehaviour"], told["cancelAt"], told["tier"] = "Trial", trial["expirationDate"], trial["of"]
		told["addOns"] = []*record{}
		return told, nil
	}
	at, _ := r.fields["currentPeriodEndDate"].(time.Time)
	switch kind {
	case "Immediate":
		at = now
	case "Date":
		chosen, given := dateTime(body.str("cancelAt"))
		if !given {
			return nil, faulty("cancelAt", "is required if cancellationType is Date")
		}
		at = chosen
	}
	r.fields["cancellationStatus"], r.fields["cancellationType"], r.fields["canceledAt"], r.fields["cancelAt"] = "Pending", kind, now, at
	if !at.After(now) {
		r.fields["cancellationStatus"], r.fields["status"] = "Canceled", "Canceled"
	}
	told["cancellationBehaviour"], told["cancelAt"], told["tier"], told["addOns"] = "Subscription", at, r.fields["tier"], r.fields["addOns"]
	return told, nil
}

// endCancelled ends the subscriptions whose cancellation date has passed.
func (s *Server) endCancelled(now time.Time) {
	of := s.catalog.byTarget["subscriptions"]
	for _, id := range slices.Sorted(maps.Keys(s.state.accounts)) {
		for _, listed := range s.state.list(of, id).All() {
			r := s.state.slot(of, listed.id).Now
			at, dated := r.fields["cancelAt"].(time.Time)
			if !dated || at.After(now) || r.fields.str("cancellationStatus") != "Pending" {
				continue
			}
			t := s.applicationTx(r.account)
			t.now = at
			r = t.edit(r)
			r.fields["cancellationStatus"], r.fields["status"] = "Canceled", "Canceled"
			t.put(r, updated)
			t.commit()
		}
	}
}

// resumeSubscription undoes a cancellation. If the subscription has already
// ended, it is restarted.
func (p plans) resumeSubscription(s *Server, c *call) (answer, error) {
	return p.alterPlan(s, c, func(t *tx, r *record) error {
		trial, _ := r.fields["trialingTier"].(fields)
		switch {
		case r.fields.str("status") == "Canceled":
			p.restart(t, r)
		case r.fields.str("cancellationStatus") != "Pending" && trial.str("cancellationStatus") != "Pending":
			return refuse(http.StatusBadRequest, "The subscription has not been cancelled.")
		}
		if trial != nil {
			r.fields["trialingTier"] = trial.with(fields{"cancellationStatus": "None"})
		}
		r.fields["cancellationStatus"] = "None"
		for _, name := range []string{"cancellationType", "canceledAt", "cancelAt"} {
			delete(r.fields, name)
		}
		p.note(t, r, "Resume", "CancellationStatus", "None")
		return nil
	})
}

// restart starts a new period for an ended subscription and bills it. Without a
// payment method the payment fails.
func (p plans) restart(t *tx, r *record) {
	has := selectionOf(r)
	r.beginPeriod(has.interval, t.now)
	status, paid := "Active", "Paid"
	if planOf(r).chosen == "" {
		status, paid = "PastDue", "Unpaid"
	}
	r.fields["status"] = status
	p.bill(t, r, paid, "New period of the subscription", has.lines(seats(r), wholePrice, "A period of"))
}

// previewSubscription responds with the cost of a change.
func (p plans) previewSubscription(s *Server, c *call, r *record) (answer, error) {
	t, body := s.tx(c), c.members()
	old := selectionOf(r)
	next, err := p.changed(t, old, body)
	if err != nil {
		return nil, err
	}
	for _, id := range body.ids("promotionIds") {
		promotion, err := t.find(p.promotion, id, nil)
		if err != nil {
			return nil, conflict("promotionIds", "no such promotion")
		}
		next.promotions = append(slices.Clone(next.promotions), promotion)
	}
	told := fields{
		"immediateProrationPayment": previewOf(atOnce(r, old, next, c.now), c.now),
		"nextBillingCyclePayment":   previewOf(next.lines(seats(r), wholePrice, "A period of"), r.fields["currentPeriodEndDate"]),
		"quantity":                  seats(r),
		"taxRates": []fields{{
			"externalId": "tax-1", "name": "GST", "description": "Goods and services tax", "country": "AU", "state": "NSW",
			"rate": json.Number("10"), "behaviour": 0, "createdDate": r.fields["createdDate"],
		}},
	}
	return s.object(c, told), nil
}
