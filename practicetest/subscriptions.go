package practicetest

import (
	"errors"
	"net/http"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// subscriptions returns the area of the firm's own subscription to the service:
// tiers, add-ons, usage products, promotions and payments. Amounts are in
// cents.
func subscriptions() area {
	p := plans{
		tier:         &resource{path: "/subscriptions/tiers/{id}", relation: "Tiers"},
		addOn:        &resource{path: "/subscriptions/addons/{id}", relation: "AddOns"},
		usage:        &resource{path: "/subscriptions/usages/{id}", relation: "UsageProducts"},
		promotion:    &resource{path: "/subscriptions/promotions/{id}", relation: "Promotions"},
		subscription: &resource{path: "/subscriptions/{id}", relation: "Subscriptions"},
		payment:      &resource{path: "/subscriptions/{subscriptionId}/paymentmethods/{id}", relation: "PaymentMethods"},
		charge:       newCharges(),
		settings:     &resource{path: "/subscriptions/settings", relation: "SubscriptionSettings"},
		invoice:      newSubscriptionInvoices(),
		change:       &resource{path: "/subscriptions/{id}/changes/{changeId}", relation: "SubscriptionChanges", schema: "SubscriptionChange"},
	}
	return area{
		name: "Subscriptions", seed: p.seed,
		resources: []*resource{p.tier, p.addOn, p.usage, p.promotion, p.subscription, p.payment, p.charge, p.settings, p.invoice, p.change},
		handlers: handlers{
			"listTierAddOns": p.tier.reading(p.listTierAddOns), "listPaymentSystems": p.listPaymentSystems,
			"getPromotion": p.getPromotion, "listPromotions": p.listPromotions, "listSubscriptionPromotions": p.subscription.reading(p.listAppliedPromotions),
			"applyPromotion": p.applyPromotion, "removePromotion": p.removePromotion,
			"listAccountPaymentMethods": p.listAccountPaymentMethods, "addAccountPaymentMethod": p.addAccountPaymentMethod,
			"listPaymentMethods": p.subscription.reading(p.listPaymentMethods), "addPaymentMethod": p.addPaymentMethod, "getPaymentMethod": p.subscription.reading(p.getPaymentMethod),
			"setDefaultPaymentMethod": p.setDefaultPaymentMethod, "removePaymentMethod": p.removePaymentMethod,
			"listUsageCharges": p.listUsageCharges, "createCharge": p.createCharge, "cancelCharge": p.cancelCharge,
			"patchSubscription": p.patchSubscription, "switchTier": p.switchTier, "previewSubscription": p.subscription.reading(p.previewSubscription),
			"cancelSubscription": p.cancelSubscription, "resumeSubscription": p.resumeSubscription,
			"listInvoicesOfSubscription": p.subscription.reading(p.listInvoices), "downloadSubscriptionInvoice": p.invoice.reading(p.downloadInvoice), "getSubscriptionInvoiceURL": p.invoice.reading(p.getInvoiceURL),
			"subscribeUsage": p.subscribeUsage, "unsubscribeUsage": p.unsubscribeUsage,
		},
	}
}

type plans struct{ tier, addOn, usage, promotion, subscription, payment, charge, settings, invoice, change *resource }

// listTierAddOns lists the add-ons that can be combined with a tier.
func (p plans) listTierAddOns(s *Server, c *call, tier *record) (answer, error) {
	all := s.state.list(p.addOn, c.account.id).All()
	return s.listing(c, p.addOn, where(all, func(r *record) bool { return naming("tiers")(r, tier.id) })), nil
}

// getPromotion handles getPromotion. The service responds with 400 instead of
// 404 if the promotion does not exist.
func (p plans) getPromotion(s *Server, c *call) (answer, error) {
	found, err := p.promotion.get(s, c)
	if missing := (*problem)(nil); errors.As(err, &missing) && missing.status == http.StatusNotFound {
		return nil, conflict("id", "%s", missing.detail)
	}
	return found, err
}

// listPromotions lists the promotions: as a page, or as a bare array with
// [WithBarePromotions].
func (p plans) listPromotions(s *Server, c *call) (answer, error) {
	return p.promotionsOf(s, c, s.state.list(p.promotion, c.account.id).All()), nil
}

// listAppliedPromotions lists the promotions that apply to a subscription.
func (p plans) listAppliedPromotions(s *Server, c *call, _ *record) (answer, error) {
	all := s.state.list(p.promotion, c.account.id).All()
	return p.promotionsOf(s, c, where(all, func(r *record) bool { return r.fields.is("active") && !r.fields.is("deleted") })), nil
}

// applyPromotion applies a promotion to a subscription. If it was already
// applied, its period starts again.
func (p plans) applyPromotion(s *Server, c *call) (answer, error) {
	id := sameID(c.value("id"))
	return p.alterPlan(s, c, func(t *tx, r *record) error { return p.discount(t, r, id) })
}

func (p plans) discount(t *tx, r *record, id string) error {
	promotion, err := t.find(p.promotion, id, nil)
	if err != nil {
		return err
	}
	signup := slices.Equal(promotion.fields.ids("usage"), []string{"Signup"})
	if !promotion.fields.is("active") || promotion.fields.is("deleted") || signup {
		return refuse(http.StatusBadRequest, "The promotion is not available.")
	}
	days, _, _ := promotion.fields.amount("durationDays").Int64(0)
	r.fields["discounts"] = append(withoutDiscount(r, id), fields{
		"promotion": promotion, "activationDate": t.now, "expirationDate": t.now.AddDate(0, 0, int(days)),
	})
	return nil
}

func (p plans) removePromotion(s *Server, c *call) (answer, error) {
	id := sameID(c.value("id"))
	return p.alterPlan(s, c, func(_ *tx, r *record) error {
		before, _ := r.fields["discounts"].([]fields)
		rest := withoutDiscount(r, id)
		if len(rest) == len(before) {
			return notFound(p.promotion.name)
		}
		r.fields["discounts"] = rest
		return nil
	})
}

// withoutDiscount returns the discounts of a subscription except that of the
// promotion.
func withoutDiscount(r *record, promotion string) []fields {
	all, _ := r.fields["discounts"].([]fields)
	return slices.DeleteFunc(slices.Clone(all), func(d fields) bool { return d["promotion"].(*record).id == promotion })
}

func (p plans) promotionsOf(s *Server, c *call, all []*record) answer {
	if s.cfg.barePromotions {
		return s.listing(c, p.promotion, all)
	}
	return s.pageOf(c, all)
}

// Subscription returns the subscription with the id and reports whether it
// exists.
func (s *Server) Subscription(id string) (models.Subscription, bool) {
	return recordOf[models.Subscription](s, "/subscriptions/{id}", id)
}

// AddPromotion adds a promotion that is offered to the firm and returns its id.
func (s *Server) AddPromotion(p models.Promotion) string {
	return s.place("/subscriptions/promotions/{id}", &p)
}

// Promotion returns the promotion with the id and reports whether it exists.
func (s *Server) Promotion(id string) (models.Promotion, bool) {
	return recordOf[models.Promotion](s, "/subscriptions/promotions/{id}", id)
}

// Tier returns the tier or add-on with the id and reports whether it exists.
func (s *Server) Tier(id string) (models.Tier, bool) {
	if tier, found := recordOf[models.Tier](s, "/subscriptions/tiers/{id}", id); found {
		return tier, true
	}
	return recordOf[models.Tier](s, "/subscriptions/addons/{id}", id)
}

// UsageProduct returns the usage product with the id and reports whether it
// exists.
func (s *Server) UsageProduct(id string) (models.UsageProduct, bool) {
	return recordOf[models.UsageProduct](s, "/subscriptions/usages/{id}", id)
}
