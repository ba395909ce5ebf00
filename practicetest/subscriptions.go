package practicetest

// subscriptions are what a firm has of the service itself: tiers, promotions and how
// it pays. All amounts are cents.
func subscriptions() area {
	p := plans{
		tier:         &resource{path: "/subscriptions/tiers/{id}", relation: "Tiers"},
		promotion:    &resource{path: "/subscriptions/promotions/{id}", relation: "Promotions"},
		subscription: &resource{path: "/subscriptions/{id}", relation: "Subscriptions"},
		payment:      &resource{path: "/subscriptions/{subscriptionId}/paymentmethods/{id}", relation: "PaymentMethods"},
	}
	return area{
		name: "Subscriptions", resources: []*resource{p.tier, p.promotion, p.subscription, p.payment}, seed: p.seed,
		handlers: handlers{"listPromotions": p.listPromotions},
	}
}

type plans struct{ tier, promotion, subscription, payment *resource }

// listPromotions answers a page of promotions, or with [WithBarePromotions] the same
// ones as a bare array.
func (p plans) listPromotions(s *Server, c *call) (answer, error) {
	all := s.state.list(p.promotion, c.account.id).all
	if s.cfg.barePromotions {
		return s.listing(c, p.promotion, all), nil
	}
	return s.pageOf(c, p.promotion, all), nil
}
