package models

// FeeType says how a fee is reckoned. The set is open: unknown numbers are kept when read.
// Specification, Fee.
type FeeType int

// The kinds of fee. Specification, Fee.
const (
	FeeFixed FeeType = 0 // a fixed amount
	FeeTime  FeeType = 1 // billed by duration
)

// FeePatch is the body that changes a fee. A member that is omitted (the zero Opt) is not sent and probably
// stays as it is; the specification leaves that open. Null is sent as null. The service answers before the
// change is made, and reports a failure later as an error event. Specification, Fee.
//
//recordgen:body
type FeePatch struct {
	// FeeDate is the day of the fee. Specification, Fee.
	FeeDate Opt[Date] `json:"feeDate,omitzero"`
	// Subject describes the fee in short, at least 1 character, never null. Specification, Fee, Limits.
	Subject Opt[string] `json:"subject,omitzero"`
	// UpdatedByUserID is the UUID of the user who makes the change; only for server-to-server use.
	// Specification, Fee.
	UpdatedByUserID Opt[string] `json:"updatedByUserId,omitzero"`
	// StaffID is the UUID of the staff member who did the work. When omitted, the service tries to match the
	// authenticated user to a staff member. Specification, Fee.
	StaffID Opt[string] `json:"staffId,omitzero"`
	// InvoiceID is the UUID of the invoice the fee is on. Specification, Fee.
	InvoiceID Opt[string] `json:"invoiceId,omitzero"`
	// ActivityCode is the code of the activity. Specification, Fee.
	ActivityCode Opt[string] `json:"activityCode,omitzero"`
	// FeeType is FeeFixed or FeeTime. Specification, Fee.
	FeeType Opt[FeeType] `json:"feeType,omitzero"`
	// Description holds details. Specification, Fee.
	Description Opt[string] `json:"description,omitzero"`
	// Duration is the time billed in minutes; not used when there are source items. Specification, Fee.
	Duration Opt[int] `json:"duration,omitzero"`
	// DurationWorked is the time worked in minutes; not used when there are source items. Specification, Fee.
	DurationWorked Opt[int] `json:"durationWorked,omitzero"`
	// Rate is in dollars: the amount of a fixed fee, or the price of time. Specification, Fee.
	Rate Opt[Decimal] `json:"rate,omitzero"`
	// Tax is in dollars. Specification, Fee.
	Tax Opt[Decimal] `json:"tax,omitzero"`
	// TaxInclusive tells whether the amount contains the tax. Specification, Fee.
	TaxInclusive Opt[bool] `json:"taxInclusive,omitzero"`
	// TaxExempt tells whether no tax is due; the published interface forbids it together with TaxOutOfScope.
	// Specification, Fee.
	TaxExempt Opt[bool] `json:"taxExempt,omitzero"`
	// TaxOutOfScope tells whether the tax does not apply; the published interface forbids it together with
	// TaxExempt. Specification, Fee.
	TaxOutOfScope Opt[bool] `json:"taxOutOfScope,omitzero"`
	// Finalized tells whether the fee is final. Specification, Fee.
	Finalized Opt[bool] `json:"finalized,omitzero"`
	// IsWrittenOff tells whether the fee is written off; the published interface allows it only together with
	// IsBillable. Specification, Fee.
	IsWrittenOff Opt[bool] `json:"isWrittenOff,omitzero"`
	// IsBillable tells whether the client is billed for it. Specification, Fee.
	IsBillable Opt[bool] `json:"isBillable,omitzero"`
	// IsInvoicedExternally tells whether another system invoices it. Specification, Fee.
	IsInvoicedExternally Opt[bool] `json:"isInvoicedExternally,omitzero"`
	// SourceItems holds the sub activities of the fee. An empty list is sent as such. Specification, Fee.
	SourceItems Opt[[]FeeSourceItemWrite] `json:"sourceItems,omitzero"`
	// CreatedFromActivityID is the UUID of the activity the fee came from; the service probably heeds it only when
	// a fee is created. Specification, Fee.
	CreatedFromActivityID Opt[string] `json:"createdFromActivityId,omitzero"`
}

// FeeSourceItemWrite is a sub activity of a fee. Specification, Fee.
//
//recordgen:body
type FeeSourceItemWrite struct {
	// Description says what was done. Specification, Fee.
	Description Opt[string] `json:"description,omitzero"`
	// Duration is the time billed in minutes. Specification, Fee.
	Duration Opt[int] `json:"duration,omitzero"`
	// IsBillable tells whether the client is billed for it. Specification, Fee.
	IsBillable Opt[bool] `json:"isBillable,omitzero"`
}
