package models

// SubscriptionStatus is the state of a subscription. The set is open: unknown values are kept as they came.
// Specification, Subscription.
type SubscriptionStatus string

// The published states. Published interface, not in the specification.
const (
	SubscriptionStatusTrialing          SubscriptionStatus = "Trialing"          // on trial
	SubscriptionStatusActive            SubscriptionStatus = "Active"            // in use
	SubscriptionStatusCanceled          SubscriptionStatus = "Canceled"          // cancelled; spelled with one l
	SubscriptionStatusPastDue           SubscriptionStatus = "PastDue"           // a payment is late
	SubscriptionStatusUnpaid            SubscriptionStatus = "Unpaid"            // a payment was not made
	SubscriptionStatusIncomplete        SubscriptionStatus = "Incomplete"        // the first payment is still to come
	SubscriptionStatusIncompleteExpired SubscriptionStatus = "IncompleteExpired" // the first payment never came
)

// TrialStatus is the state of a trial. The set is open: unknown values are kept as they came.
// Specification, Subscription.
type TrialStatus string

// The published states of a trial. Published interface, not in the specification.
const (
	TrialStatusNone     TrialStatus = "None"     // no trial
	TrialStatusTrialing TrialStatus = "Trialing" // on trial
)

// CancellationStatus says how far a cancellation is. The set is open: unknown values are kept as they came.
// Specification, Subscription.
type CancellationStatus string

// The published states of a cancellation. Published interface, not in the specification.
const (
	CancellationStatusNone     CancellationStatus = "None"     // not cancelled
	CancellationStatusPending  CancellationStatus = "Pending"  // cancelled, but still in use
	CancellationStatusCanceled CancellationStatus = "Canceled" // cancelled; not for a tier on trial
)

// CancellationType says when a cancellation takes effect. The set is open: unknown values are kept as they came.
// Specification, Subscription.
type CancellationType string

// The known types; the specification shows only PeriodEnd. Specification, Subscription.
const (
	CancellationTypePeriodEnd CancellationType = "PeriodEnd" // at the end of the paid period
	CancellationTypeImmediate CancellationType = "Immediate" // at once
	CancellationTypeDate      CancellationType = "Date"      // on a date
)

// SubscriptionType is the kind of a subscription as the service numbers it. What 0 and 1 mean is not known.
// Published interface, not in the specification.
type SubscriptionType int

// Subscription is what the firm has subscribed to. The published interface also names usages without saying what
// they are; they are kept in Extra. Specification, Subscription.
type Subscription struct {
	Hypermedia
	// ID identifies the subscription, not always a UUID. Empty when absent. Specification, Subscription.
	ID string `json:"id"`
	// Type is the kind of subscription. May be absent. Published interface, not in the specification.
	Type Opt[SubscriptionType] `json:"type"`
	// ProductSuite is the suite of products. Empty when absent. Specification, Subscription.
	ProductSuite string `json:"productSuite"`
	// Tier is the tier subscribed to. Zero when absent. Specification, Subscription.
	Tier Tier `json:"tier"`
	// TrialingTier is a tier on trial. Zero when absent. Specification, Subscription.
	TrialingTier TrialingTier `json:"trialingTier"`
	// AddOns holds the add-ons subscribed to. Empty when absent. Specification, Subscription.
	AddOns []Tier `json:"addOns"`
	// Discounts holds the promotions that apply. Empty when absent. Specification, Subscription.
	Discounts []Discount `json:"discounts"`
	// Status is the state. Empty when absent. Specification, Subscription.
	Status SubscriptionStatus `json:"status"`
	// Interval is the period that is paid for. Empty when absent. Specification, Subscription.
	Interval PriceInterval `json:"interval"`
	// Quantity is how many are subscribed to, probably seats. May be absent. Specification, Subscription.
	Quantity Opt[int] `json:"quantity"`
	// CreatedDate is when it was created. Zero when absent. Specification, Subscription.
	CreatedDate DateTime `json:"createdDate"`
	// TrialStatus is the state of the trial. Empty when absent. Specification, Subscription.
	TrialStatus TrialStatus `json:"trialStatus"`
	// TrialPeriodStartDate is when the trial begins. Zero when absent. Specification, Subscription.
	TrialPeriodStartDate DateTime `json:"trialPeriodStartDate"`
	// TrialPeriodEndDate is when the trial ends. Zero when absent. Specification, Subscription.
	TrialPeriodEndDate DateTime `json:"trialPeriodEndDate"`
	// CurrentPeriodStartDate is when the paid period begins. Zero when absent. Specification, Subscription.
	CurrentPeriodStartDate DateTime `json:"currentPeriodStartDate"`
	// CurrentPeriodEndDate is when the paid period ends. Zero when absent. Specification, Subscription.
	CurrentPeriodEndDate DateTime `json:"currentPeriodEndDate"`
	// CancellationStatus says how far a cancellation is. Empty when absent. Specification, Subscription.
	CancellationStatus CancellationStatus `json:"cancellationStatus"`
	// CancellationType says when a cancellation takes effect. Empty when absent. Specification, Subscription.
	CancellationType CancellationType `json:"cancellationType"`
	// CanceledAt is when it was cancelled. Zero when absent. Specification, Subscription.
	CanceledAt DateTime `json:"canceledAt"`
	// CancelAt is when the cancellation takes effect. Zero when absent. Specification, Subscription.
	CancelAt DateTime `json:"cancelAt"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// Discount is a promotion that applies to a subscription for a time. Specification, Subscription.
type Discount struct {
	// Promotion is the promotion. Zero when absent. Specification, Subscription.
	Promotion Promotion `json:"promotion"`
	// ActivationDate is when the discount begins. Zero when absent. Specification, Subscription.
	ActivationDate DateTime `json:"activationDate"`
	// ExpirationDate is when the discount ends. Zero when absent. Specification, Subscription.
	ExpirationDate DateTime `json:"expirationDate"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// ApplyVendorPrefix does [Tier.ApplyVendorPrefix] for every tier, add-on and promotion.
// Specification, Subscription.
func (s *Subscription) ApplyVendorPrefix(prefix string) {
	s.Tier.ApplyVendorPrefix(prefix)
	s.TrialingTier.ApplyVendorPrefix(prefix)
	applyVendorPrefix(s.AddOns, prefix)
	for i := range s.Discounts {
		s.Discounts[i].ApplyVendorPrefix(prefix)
	}
}

// ApplyVendorPrefix does [Tier.ApplyVendorPrefix] for every tier and add-on of the promotion.
// Specification, Subscription.
func (d *Discount) ApplyVendorPrefix(prefix string) { d.Promotion.ApplyVendorPrefix(prefix) }
