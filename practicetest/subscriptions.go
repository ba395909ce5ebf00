package practicetest

import (
	"bytes"
	"net/http"
	"slices"
)

// plan is the firm's subscription to the service itself.
type plan struct {
	id        string
	account   *account
	record    wirePlan
	discount  *promotion
	payment   wirePayment
	paymentID string
}

// promotion is kept as the wire has it, but for its addresses.
type promotion struct {
	id     string
	record wirePromotion
	tiers  []wireTier
}

// getSubscription answers the firm's subscription. Specification, Subscriptions.
func (s *Server) getSubscription(c *call) (reply, error) {
	p, err := s.ownPlan(c, c.value("id"))
	if err != nil {
		return reply{}, err
	}
	w := p.record
	w.head = c.link.head("Subscriptions", "subscriptions", p.id)
	w.Tier = w.Tier.at(c.link)
	w.TrialingTier.wireTier = w.TrialingTier.at(c.link)
	w.AddOns, w.Discounts = slices.Clone(w.AddOns), slices.Clone(w.Discounts)
	for i := range w.AddOns {
		w.AddOns[i] = w.AddOns[i].at(c.link)
	}
	w.Discounts[0].Promotion = p.discount.wire(c.link)
	return reply{http.StatusOK, s.named(encode(w))}, nil
}

func (s *Server) ownPlan(c *call, id string) (*plan, error) {
	return own(c, s.state.plans, id, "subscription", func(p *plan) *account { return p.account })
}

// named gives the member vendorId its literal name.
func (s *Server) named(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte(`"vendorId":`), append(encode(s.cfg.vendorMember), ':'))
}

// listPromotions answers a page of promotions, or with [WithBarePromotions] the
// same ones as a bare array. Specification, Subscriptions.
func (s *Server) listPromotions(c *call) (reply, error) {
	offset, limit, err := s.window(c)
	if err != nil {
		return reply{}, err
	}
	all := c.account.promotions
	items := [][]byte{}
	for _, p := range slice(all, offset, limit) {
		items = append(items, s.named(encode(p.wire(c.link))))
	}
	if s.cfg.barePromotions {
		return reply{http.StatusOK, bytes.Join([][]byte{[]byte("["), bytes.Join(items, []byte(",")), []byte("]")}, nil)}, nil
	}
	return reply{http.StatusOK, c.page(offset, limit, len(all), "subscriptions", "promotions").body(items)}, nil
}

// getPaymentMethod answers the card of the subscription. Specification, Subscriptions.
func (s *Server) getPaymentMethod(c *call) (reply, error) {
	p, err := s.ownPlan(c, c.value("subscriptionId"))
	if err != nil {
		return reply{}, err
	}
	if c.value("id") != p.paymentID {
		return reply{}, notFound("payment method")
	}
	w := p.payment
	w.head = c.link.head("PaymentMethods", "subscriptions", p.id, "paymentmethods", p.paymentID)
	return ok(w), nil
}
