package models

// PromotionUsage says where a promotion is offered. The set is open: unknown values are kept as they came.
// Specification, Subscription.
type PromotionUsage string

// The published usages. Published interface, not in the specification.
const (
	PromotionUsageManual             PromotionUsage = "Manual"             // given by hand
	PromotionUsageTrial              PromotionUsage = "Trial"              // offered with a trial
	PromotionUsageCancelRetention    PromotionUsage = "CancelRetention"    // offered to who cancels
	PromotionUsageDowngradeRetention PromotionUsage = "DowngradeRetention" // offered to who chooses a lower tier
	PromotionUsageSignup             PromotionUsage = "Signup"             // offered to who signs up
)

// Promotion is a reduction of the price of tiers and add-ons. Specification, Subscription.
type Promotion struct {
	Hypermedia
	// ID identifies the promotion, a UUID. Empty when absent. Specification, Subscription.
	ID string `json:"id"`
	// ProductSuite is the suite of products it is for. Empty when absent. Specification, Subscription.
	ProductSuite string `json:"productSuite"`
	// Tiers holds the tiers it is for. Empty when absent. Specification, Subscription.
	Tiers []Tier `json:"tiers"`
	// AddOns holds the add-ons it is for. Empty when absent. Specification, Subscription.
	AddOns []Tier `json:"addOns"`
	// Usage says where it is offered. Empty when absent. Specification, Subscription.
	Usage []PromotionUsage `json:"usage"`
	// Name is the name of the promotion. Empty when absent. Specification, Subscription.
	Name string `json:"name"`
	// Description holds details. Empty when absent. Specification, Subscription.
	Description string `json:"description"`
	// DurationDays is how long it lasts, in days. May be absent. Specification, Subscription.
	DurationDays Opt[int] `json:"durationDays"`
	// AmountOff is the reduction in cents, by the published interface. Absent when the reduction is a percentage.
	// Specification, Subscription.
	AmountOff Decimal `json:"amountOff"`
	// PercentOff is the reduction in percent of the price. Absent when the reduction is an amount.
	// Specification, Subscription.
	PercentOff Decimal `json:"percentOff"`
	// Active tells whether it is offered now. May be absent. Specification, Subscription.
	Active Opt[bool] `json:"active"`
	// NumUsed is how often it was used. May be absent. Specification, Subscription.
	NumUsed Opt[int] `json:"numUsed"`
	// CreatedDate is when it was created. Zero when absent. Specification, Subscription.
	CreatedDate DateTime `json:"createdDate"`
	// ExpirationDate is when it ends. Zero when absent. Specification, Subscription.
	ExpirationDate DateTime `json:"expirationDate"`
	// Codes holds the codes that claim it. Empty when absent. Specification, Subscription.
	Codes []PromotionCode `json:"codes"`
	// Metadata holds free-form members. Zero when absent. Specification, Subscription.
	Metadata Object `json:"metadata"`
	// IsPersistent tells whether it lasts beyond its first use. May be absent. Specification, Subscription.
	IsPersistent Opt[bool] `json:"isPersistent"`
	// IsFree tells whether nothing is left to pay. May be absent. Specification, Subscription.
	IsFree Opt[bool] `json:"isFree"`
	// Deleted tells whether it is deleted. May be absent. Specification, Subscription.
	Deleted Opt[bool] `json:"deleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// PromotionCode is a code that claims a promotion. Specification, Subscription.
type PromotionCode struct {
	// ID identifies the code, not a UUID. Empty when absent. Specification, Subscription.
	ID string `json:"id"`
	// Name is the name of the code. Empty when absent. Specification, Subscription.
	Name string `json:"name"`
	// Description holds details. Empty when absent. Specification, Subscription.
	Description string `json:"description"`
	// Code is what a customer enters. Empty when absent. Specification, Subscription.
	Code string `json:"code"`
	// Active tells whether the code can be used now. May be absent. Specification, Subscription.
	Active Opt[bool] `json:"active"`
	// MinimumAmount is the least that must be spent, in cents by the published interface. May be absent.
	// Specification, Subscription.
	MinimumAmount Decimal `json:"minimumAmount"`
	// FirstTimeCustomersOnly tells whether only new customers can use it. May be absent.
	// Specification, Subscription.
	FirstTimeCustomersOnly Opt[bool] `json:"firstTimeCustomersOnly"`
	// Limit is how often it can be used. Absent when there is no limit. Specification, Subscription.
	Limit Opt[int] `json:"limit"`
	// CreatedDate is when it was created. Zero when absent. Specification, Subscription.
	CreatedDate DateTime `json:"createdDate"`
	// ExpirationDate is when it ends; the service spells the member expiratonDate. Zero when absent.
	// Specification, Subscription.
	ExpirationDate DateTime `json:"expiratonDate"`
	// Metadata holds free-form members. Zero when absent. Specification, Subscription.
	Metadata Object `json:"metadata"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// ApplyVendorPrefix does [Tier.ApplyVendorPrefix] for every tier and add-on. Specification, Subscription.
func (p *Promotion) ApplyVendorPrefix(prefix string) {
	applyVendorPrefix(p.Tiers, prefix)
	applyVendorPrefix(p.AddOns, prefix)
}

func applyVendorPrefix(tiers []Tier, prefix string) {
	for i := range tiers {
		tiers[i].ApplyVendorPrefix(prefix)
	}
}
