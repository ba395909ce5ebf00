package practicetest

import "github.com/practicesdk/practice-go/models"

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

// Subscription returns a subscription, and whether there is one with the id.
func (s *Server) Subscription(id string) (models.Subscription, bool) {
	return recordOf[models.Subscription](s, "/subscriptions/{id}", id)
}

// AddPromotion adds a promotion that the firm may be given, and returns its id.
func (s *Server) AddPromotion(p models.Promotion) string {
	return s.place("/subscriptions/promotions/{id}", &p)
}

// Promotion returns a promotion, and whether there is one with the id.
func (s *Server) Promotion(id string) (models.Promotion, bool) {
	return recordOf[models.Promotion](s, "/subscriptions/promotions/{id}", id)
}

// PaymentMethod returns a payment method, and whether there is one with the id.
func (s *Server) PaymentMethod(id string) (models.PaymentMethod, bool) {
	return recordOf[models.PaymentMethod](s, "/subscriptions/{subscriptionId}/paymentmethods/{id}", id)
}

// Tier returns a tier or an add-on, and whether there is one with the id.
func (s *Server) Tier(id string) (models.Tier, bool) {
	return recordOf[models.Tier](s, "/subscriptions/tiers/{id}", id)
}
