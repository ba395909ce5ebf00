package models

import (
	"encoding/json"
	"strings"
)

// PriceType is the kind of a price. The set is open: the specification shows only one value.
// Specification, Subscription.
type PriceType string

// PriceTypeRecurring is the price of a period that repeats. Specification, Subscription.
const PriceTypeRecurring PriceType = "Recurring"

// PriceInterval is the period of a price or a subscription. The set is open: unknown values are kept as they
// came. Specification, Subscription.
type PriceInterval string

// The known intervals; the specification shows only Monthly. Specification, Subscription.
const (
	PriceIntervalNone    PriceInterval = "None"    // published interface: a subscription without a tier
	PriceIntervalDaily   PriceInterval = "Daily"   // a day
	PriceIntervalWeekly  PriceInterval = "Weekly"  // a week
	PriceIntervalMonthly PriceInterval = "Monthly" // a month
	PriceIntervalYearly  PriceInterval = "Yearly"  // a year
)

// Price is what a tier or an add-on costs. Specification, Subscription.
type Price struct {
	// ID identifies the price, not a UUID. Empty when absent. Published interface, not in the specification.
	ID string `json:"id"`
	// ExternalPriceID identifies the price in the payment system. Empty when absent. Published interface, not in
	// the specification.
	ExternalPriceID string `json:"externalPriceId"`
	// Default tells whether the price is taken unless another is chosen. May be absent.
	// Specification, Subscription.
	Default Opt[bool] `json:"default"`
	// Active tells whether the price is in use. May be absent. Specification, Subscription.
	Active Opt[bool] `json:"active"`
	// Type is the kind of price. Empty when absent. Specification, Subscription.
	Type PriceType `json:"type"`
	// Name is the name of the price. Empty when absent. Specification, Subscription.
	Name string `json:"name"`
	// Amount is in cents, by the published interface. May be absent. Specification, Subscription.
	Amount Decimal `json:"amount"`
	// Interval is the period the price is for. Empty when absent. Specification, Subscription.
	Interval PriceInterval `json:"interval"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// TierDetails holds what a tier, an add-on and a tier on trial have in common. Specification, Subscription.
type TierDetails struct {
	// ID identifies the tier, a UUID. Empty when absent. Specification, Subscription.
	ID string `json:"id"`
	// VendorID identifies the tier at the vendor. The name of its member carries the vendor's prefix, so it is
	// taken from Extra: the one text member whose name ends in Id, or the exact member after ApplyVendorPrefix.
	// Empty when absent or when several members qualify. It is written back from Extra, so a change here is
	// not encoded. Specification, Subscription.
	VendorID string `json:"-"`
	// ProductSuite is the suite of products the tier belongs to. Empty when absent. Specification, Subscription.
	ProductSuite string `json:"productSuite"`
	// Name is the name of the tier. Empty when absent. Specification, Subscription.
	Name string `json:"name"`
	// Description holds details. Empty when absent. Specification, Subscription.
	Description string `json:"description"`
	// TrialPeriodDays is the length of a trial in days. May be absent. Specification, Subscription.
	TrialPeriodDays Opt[int] `json:"trialPeriodDays"`
	// Prices holds what the tier costs. Empty when absent. Specification, Subscription.
	Prices []Price `json:"prices"`
	// CreatedDate is when the tier was created. Zero when absent. Specification, Subscription.
	CreatedDate DateTime `json:"createdDate"`
	// UpdatedDate is when the tier last changed. Zero when absent. Specification, Subscription.
	UpdatedDate DateTime `json:"updatedDate"`
}

// Tier is a level of service or an add-on that can be subscribed to. Specification, Subscription.
type Tier struct {
	Hypermedia
	TierDetails
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// TrialingTier is a tier that is on trial. Specification, Subscription.
type TrialingTier struct {
	Hypermedia
	TierDetails
	// CancellationStatus says whether the trial is being cancelled. Empty when absent.
	// Specification, Subscription.
	CancellationStatus CancellationStatus `json:"cancellationStatus"`
	// ActivationDate is when the trial begins. Zero when absent. Specification, Subscription.
	ActivationDate DateTime `json:"activationDate"`
	// ExpirationDate is when the trial ends. Zero when absent. Specification, Subscription.
	ExpirationDate DateTime `json:"expirationDate"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// ApplyVendorPrefix takes VendorID from the member whose name is the prefix and Id, and empties it when there
// is no such text. An empty prefix changes nothing. Specification, Subscription.
func (t *Tier) ApplyVendorPrefix(prefix string) { t.applyVendorPrefix(t.Extra, prefix) }

// ApplyVendorPrefix takes VendorID from the member whose name is the prefix and Id, and empties it when there
// is no such text. An empty prefix changes nothing. Specification, Subscription.
func (t *TrialingTier) ApplyVendorPrefix(prefix string) { t.applyVendorPrefix(t.Extra, prefix) }

func (t *Tier) afterUnmarshal() { t.VendorID = findVendorID(t.Extra) }

func (t *TrialingTier) afterUnmarshal() { t.VendorID = findVendorID(t.Extra) }

func (t *TierDetails) applyVendorPrefix(extra Extra, prefix string) {
	if prefix == "" {
		return
	}
	t.VendorID = ""
	if raw, ok := extra.Get(prefix + "Id"); ok {
		t.VendorID, _ = textOf(raw)
	}
}

func findVendorID(extra Extra) string {
	var id string
	found := 0
	for name, raw := range extra.All() {
		if len(name) <= len("Id") || !strings.HasSuffix(name, "Id") {
			continue
		}
		if text, ok := textOf(raw); ok {
			id = text
			found++
		}
	}
	if found != 1 {
		return ""
	}
	return id
}

// textOf gives the text of a JSON string and false for any other value.
func textOf(raw json.RawMessage) (string, bool) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return "", false
	}
	return *text, true
}
