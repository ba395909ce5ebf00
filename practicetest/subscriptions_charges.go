package practicetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// refundable is the time after the creation of a charge during which it can be
// cancelled.
const refundable = 24 * time.Hour

// newCharges declares the usage charges of a subscription. Lists show the
// newest first.
func newCharges() *resource {
	return &resource{
		path: "/subscriptions/{subscriptionId}/charges/{id}", relation: "UsageCharges",
		order: func(a, b *record) int { return cmp.Compare(b.number, a.number) },
		filters: map[string]filter{
			"From": createdFrom, "To": createdTo, "Status": equals("status"),
			"UserId": naming("userId"), "MatterId": naming("matterId"), "ProductId": naming("productId"),
		},
	}
}

// listUsageCharges lists the charges of the usage product in the path.
func (p plans) listUsageCharges(s *Server, c *call) (answer, error) {
	t := s.tx(c)
	usage, err := t.read(p.usage, c.value("usageId"), nil)
	if _, missing := t.read(p.subscription, c.value("subscriptionId"), nil); missing != nil {
		err = missing
	}
	if err != nil {
		return nil, err
	}
	asked := *c
	asked.queries = maps.Clone(c.queries)
	asked.queries["ProductId"] = []string{usage.id}
	found, err := p.charge.find(s, &asked, c.values[:1])
	return s.pageOf(c, found), err
}

// createCharge charges one unit of a usage product, at the price in the body or
// the default price.
func (p plans) createCharge(s *Server, c *call) (answer, error) {
	above, usage := []string{sameID(c.value("subscriptionId"))}, sameID(c.value("usageId"))
	w, body := s.making(c, p.charge, s.state.idFor(c, p.charge.path), "usagecharge", above...), c.members()
	return p.charge.write(s, c, w, above, func(t *tx) (*record, error) {
		subscription, err := p.mayCharge(t, above[0])
		if err != nil {
			return nil, err
		}
		price, err := p.unitPrice(t, subscription, usage, body.str("priceId"))
		if err != nil {
			return nil, err
		}
		r := t.create(p.charge, w.id, above)
		r.fields = fields{
			"accountId": t.account.id, "userId": t.from.userID, "productId": usage, "priceId": price["id"], "amount": price["amount"],
			"quantity": 1, "status": "Succeeded", "occurredDate": t.now,
		}
		for _, name := range []string{"matterId", "description", "metadata"} {
			r.fields[name] = body.raw(name)
		}
		p.expenseOf(t, r)
		return r, t.settle(nil, r, created)
	})
}

// mayCharge returns the subscription if it can be charged by the user. It
// refuses an unpaid subscription and a user without permission.
func (p plans) mayCharge(t *tx, subscription string) (*record, error) {
	r, err := t.find(p.subscription, subscription, nil)
	if err != nil {
		return nil, err
	}
	if status := r.fields.str("status"); slices.Contains([]string{"PastDue", "Unpaid", "Canceled", "IncompleteExpired"}, status) {
		return nil, refuse(http.StatusBadRequest, "The subscription is %s.", status)
	}
	return r, p.mayBill(t)
}

// mayBill refuses a user whom the settings do not permit to use paid products.
func (p plans) mayBill(t *tx) error {
	settings, err := t.find(p.settings, t.account.id, nil)
	if err != nil || settings.fields.str("usageAccessPermission") != selectedUsers {
		return err
	}
	if naming("usageAccessSelectedUserIds")(settings, t.from.userID) {
		return nil
	}
	return refuse(http.StatusForbidden, "The user does not have permission for usage billing.")
}

// selectedUsers is the value of usageAccessPermission that permits only the
// listed users.
const selectedUsers = "SelectedUsers"

// unitPrice returns an active price of a usage product, which must be part of
// the subscription. Without an id it returns the default price.
func (p plans) unitPrice(t *tx, subscription *record, usage, id string) (fields, error) {
	product, err := t.find(p.usage, usage, nil)
	if err != nil {
		return nil, err
	}
	if all, _ := subscription.fields["usages"].([]*record); !slices.ContainsFunc(all, func(one *record) bool { return one.id == product.id }) {
		return nil, refuse(http.StatusBadRequest, "The subscription does not include the product.")
	}
	for _, price := range pricesOf(product) {
		if wanted := sameID(id) == price.str("id") || id == "" && price.is("default"); wanted && price.is("active") {
			return price, nil
		}
	}
	return nil, conflict("priceId", "must be an active price of the product")
}

// expenseOf creates an expense for a charge that belongs to a matter, if the
// settings require it.
func (p plans) expenseOf(t *tx, charge *record) {
	settings, err := t.find(p.settings, t.account.id, nil)
	matter := charge.fields.str("matterId")
	if err != nil || matter == "" || !settings.fields.is("createExpensesFromUsageCharges") {
		return
	}
	of := t.server.state.resource("expenses")
	expense := t.create(of, t.newID(of.path), []string{sameID(matter)})
	expense.fields = fields{
		"description": charge.fields.raw("description"), "expenseDate": t.now.Format(time.DateOnly), "quantity": 1,
		"price": dollarsOf(charge.fields.raw("amount")), "isBillable": true,
	}
	charge.fields["expenseId"] = expense.id
	t.put(expense, created)
}

// dollarsOf converts an amount in cents to dollars.
func dollarsOf(amount json.RawMessage) json.Number {
	whole, _, _ := exact(json.Number(amount)).Int64(0)
	return cents(whole)
}

// cancelCharge refunds a charge. The request must come within 24 hours of its
// creation.
func (p plans) cancelCharge(s *Server, c *call) (answer, error) {
	above, id, asked := []string{sameID(c.value("subscriptionId"))}, sameID(c.value("id")), c.now
	return p.charge.write(s, c, &write{resource: "usagecharge", id: id}, above, func(t *tx) (*record, error) {
		old, err := t.find(p.charge, id, above)
		if err != nil {
			return nil, err
		}
		if err := p.mayBill(t); err != nil {
			return nil, err
		}
		switch status := old.fields.str("status"); {
		case status != "Succeeded":
			return nil, refuse(http.StatusBadRequest, "The charge is %s.", status)
		case asked.Sub(old.created) > refundable:
			return nil, refuse(http.StatusBadRequest, "The charge is older than 24 hours.")
		}
		r := t.edit(old)
		r.fields["status"], r.fields["externalAdjustmentId"] = "Refunded", t.newID("refund")
		return r, t.settle(nil, r, updated)
	})
}

// subscribeUsage adds a usage product to a subscription.
func (p plans) subscribeUsage(s *Server, c *call) (answer, error) {
	id, method := sameID(c.value("id")), sameID(member[string](c, "defaultPaymentMethodId"))
	return p.alterPlan(s, c, func(t *tx, r *record) error {
		product, err := t.find(p.usage, id, nil)
		if err != nil {
			return err
		}
		all, _ := r.fields["usages"].([]*record)
		if slices.ContainsFunc(all, func(one *record) bool { return one.id == id }) {
			return refuse(http.StatusBadRequest, "The subscription already includes the product.")
		}
		if method != "" {
			state := planOf(r)
			state.chosen = method
			r.data = state
		}
		r.fields["usages"] = append(slices.Clone(all), product)
		return nil
	})
}

// unsubscribeUsage removes a usage product from a subscription.
func (p plans) unsubscribeUsage(s *Server, c *call) (answer, error) {
	id := sameID(c.value("id"))
	return p.alterPlan(s, c, func(_ *tx, r *record) error {
		all, _ := r.fields["usages"].([]*record)
		rest := slices.DeleteFunc(slices.Clone(all), func(one *record) bool { return one.id == id })
		if len(rest) == len(all) {
			return notFound(p.usage.name)
		}
		r.fields["usages"] = rest
		return nil
	})
}

// AddCharge charges one unit of a usage product and returns the id of the
// charge.
func (s *Server) AddCharge(subscriptionID, usageID string, body models.UsageChargeCreate) string {
	return s.enter("createCharge", &body, subscriptionID, usageID)
}

// UsageCharge returns the usage charge with the id and reports whether it
// exists.
func (s *Server) UsageCharge(id string) (models.UsageCharge, bool) {
	return recordOf[models.UsageCharge](s, "/subscriptions/{subscriptionId}/charges/{id}", id)
}

// SubscriptionSettings returns the settings of the account for usage products
// and reports whether the account exists.
func (s *Server) SubscriptionSettings(accountID string) (models.SubscriptionSettings, bool) {
	return recordOf[models.SubscriptionSettings](s, "/subscriptions/settings", accountID)
}
