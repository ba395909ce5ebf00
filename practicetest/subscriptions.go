package practicetest

import (
	"bytes"
	"encoding/json"
	"slices"
)

func subscriptionHandlers() handlers {
	return handlers{
		"listPromotions":   (*Server).listPromotions,
		"getSubscription":  (*Server).getSubscription,
		"getPaymentMethod": (*Server).getPaymentMethod,
	}
}

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

// getSubscription answers the firm's subscription.
func (s *Server) getSubscription(c *call) ([]byte, error) {
	p, err := s.ownPlan(c, c.value("id"))
	if err != nil {
		return nil, err
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
	return s.named(encode(w)), nil
}

func (s *Server) ownPlan(c *call, id string) (*plan, error) {
	return own(c, s.state.plans, id, "subscription", func(p *plan) *account { return p.account })
}

// named gives the member vendorId its literal name.
func (s *Server) named(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte(`"vendorId":`), append(encode(s.cfg.vendorMember), ':'))
}

// listPromotions answers a page of promotions, or with [WithBarePromotions] the same
// ones as a bare array.
func (s *Server) listPromotions(c *call) ([]byte, error) {
	offset, limit := c.window()
	all := c.account.promotions
	items := [][]byte{}
	for _, p := range slice(all, offset, limit) {
		items = append(items, s.named(encode(p.wire(c.link))))
	}
	if s.cfg.barePromotions {
		return bytes.Join([][]byte{[]byte("["), bytes.Join(items, []byte(",")), []byte("]")}, nil), nil
	}
	return c.page(offset, limit, len(all), "subscriptions", "promotions").body(items), nil
}

// getPaymentMethod answers the card of the subscription.
func (s *Server) getPaymentMethod(c *call) ([]byte, error) {
	p, err := s.ownPlan(c, c.value("subscriptionId"))
	if err != nil {
		return nil, err
	}
	if c.value("id") != p.paymentID {
		return nil, notFound("payment method")
	}
	w := p.payment
	w.head = c.link.head("PaymentMethods", "subscriptions", p.id, "paymentmethods", p.paymentID)
	return encode(w), nil
}

type wirePrice struct {
	Default  bool        `json:"default"`
	Active   bool        `json:"active"`
	Type     string      `json:"type"`
	Name     string      `json:"name"`
	Amount   json.Number `json:"amount"`
	Interval string      `json:"interval"`
	External string      `json:"externalPriceId,omitempty"`
	ID       string      `json:"id,omitempty"`
}

type wireTier struct {
	ID string `json:"id"`
	head
	VendorID        string      `json:"vendorId"`
	ProductSuite    string      `json:"productSuite"`
	Name            string      `json:"name"`
	Description     string      `json:"description"`
	TrialPeriodDays int         `json:"trialPeriodDays"`
	Prices          []wirePrice `json:"prices"`
	CreatedDate     string      `json:"createdDate"`
	UpdatedDate     string      `json:"updatedDate"`
}

func (t wireTier) at(l linker) wireTier {
	t.head = l.head("Tiers", "subscriptions", "tiers", t.ID)
	return t
}

type wireTrialingTier struct {
	wireTier
	CancellationStatus string `json:"cancellationStatus"`
	ActivationDate     string `json:"activationDate"`
	ExpirationDate     string `json:"expirationDate"`
}

type wireCode struct {
	ID                     string            `json:"id"`
	Name                   string            `json:"name"`
	Description            *string           `json:"description"`
	Code                   string            `json:"code"`
	Active                 bool              `json:"active"`
	MinimumAmount          int64             `json:"minimumAmount"`
	FirstTimeCustomersOnly bool              `json:"firstTimeCustomersOnly"`
	Limit                  *int64            `json:"limit"`
	CreatedDate            string            `json:"createdDate"`
	ExpiratonDate          string            `json:"expiratonDate"` // spelled so on the wire
	Metadata               map[string]string `json:"metadata"`
}

type wirePromotion struct {
	ID string `json:"id"`
	head
	ProductSuite   string            `json:"productSuite"`
	Tiers          []wireTier        `json:"tiers"`
	AddOns         []wireTier        `json:"addOns"`
	Usage          []string          `json:"usage"`
	Name           string            `json:"name"`
	Description    string            `json:"description"`
	DurationDays   int               `json:"durationDays"`
	AmountOff      *int64            `json:"amountOff"`
	PercentOff     *json.Number      `json:"percentOff"`
	Active         bool              `json:"active"`
	NumUsed        int               `json:"numUsed"`
	CreatedDate    string            `json:"createdDate"`
	ExpirationDate *string           `json:"expirationDate"`
	Codes          []wireCode        `json:"codes"`
	Metadata       map[string]string `json:"metadata"`
	IsPersistent   bool              `json:"isPersistent"`
	IsFree         bool              `json:"isFree"`
	Deleted        *bool             `json:"deleted"`
}

func (p *promotion) wire(l linker) wirePromotion {
	w := p.record
	w.head = l.head("Promotions", "subscriptions", "promotions", p.id)
	w.Tiers = make([]wireTier, len(p.tiers))
	for i, t := range p.tiers {
		w.Tiers[i] = t.at(l)
	}
	return w
}

type wireDiscount struct {
	Promotion      wirePromotion `json:"promotion"`
	ActivationDate string        `json:"activationDate"`
	ExpirationDate *string       `json:"expirationDate"`
}

type wirePlan struct {
	head
	ID                     string           `json:"id"`
	ProductSuite           string           `json:"productSuite"`
	Tier                   wireTier         `json:"tier"`
	TrialingTier           wireTrialingTier `json:"trialingTier"`
	AddOns                 []wireTier       `json:"addOns"`
	Discounts              []wireDiscount   `json:"discounts"`
	Status                 string           `json:"status"`
	Interval               string           `json:"interval"`
	Quantity               int              `json:"quantity"`
	CreatedDate            string           `json:"createdDate"`
	TrialStatus            string           `json:"trialStatus"`
	TrialPeriodStartDate   string           `json:"trialPeriodStartDate"`
	TrialPeriodEndDate     string           `json:"trialPeriodEndDate"`
	CurrentPeriodStartDate string           `json:"currentPeriodStartDate"`
	CurrentPeriodEndDate   string           `json:"currentPeriodEndDate"`
	CancellationStatus     string           `json:"cancellationStatus"`
	CancellationType       string           `json:"cancellationType"`
	CanceledAt             *string          `json:"canceledAt"`
	CancelAt               *string          `json:"cancelAt"`
}

type wireCard struct {
	Brand          string `json:"brand"`
	LastFourDigits string `json:"lastFourDigits"`
	Expiry         string `json:"expiry"`
	ExpiryMonth    int    `json:"expiryMonth"`
	ExpiryYear     int    `json:"expiryYear"`
	AccountNumber  *int64 `json:"accountNumber"`
	BSB            *int64 `json:"bsb"`
}

type wirePayment struct {
	ID string `json:"id"`
	head
	PaymentSystem    string   `json:"paymentSystem"`
	Type             string   `json:"type"`
	IsDefault        bool     `json:"isDefault"`
	Details          wireCard `json:"details"`
	LastPaymentState string   `json:"lastPaymentState"`
	CreatedDate      string   `json:"createdDate"`
}
