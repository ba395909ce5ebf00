package plain

import "encoding/json"

// Opt is a value that may be left out or be null, as a program has to write
// it to clear a field with encoding/json.
type Opt[T any] struct {
	Value     T
	Set, Null bool
}

// IsZero leaves the field out.
func (o Opt[T]) IsZero() bool { return !o.Set }

// MarshalJSON writes the value or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// UnmarshalJSON reads the value or null.
func (o *Opt[T]) UnmarshalJSON(text []byte) error {
	o.Set, o.Null = true, string(text) == "null"
	if o.Null {
		return nil
	}
	return json.Unmarshal(text, &o.Value)
}

// ExactFeePatch changes a fee with exact numbers, and can clear fields.
type ExactFeePatch struct {
	FeeDate               Opt[string]         `json:"feeDate,omitzero"`
	Subject               Opt[string]         `json:"subject,omitzero"`
	UpdatedByUserID       Opt[string]         `json:"updatedByUserId,omitzero"`
	StaffID               Opt[string]         `json:"staffId,omitzero"`
	InvoiceID             Opt[string]         `json:"invoiceId,omitzero"`
	ActivityCode          Opt[string]         `json:"activityCode,omitzero"`
	FeeType               Opt[int]            `json:"feeType,omitzero"`
	Description           Opt[string]         `json:"description,omitzero"`
	Duration              Opt[int]            `json:"duration,omitzero"`
	DurationWorked        Opt[int]            `json:"durationWorked,omitzero"`
	Rate                  Opt[json.Number]    `json:"rate,omitzero"`
	Tax                   Opt[json.Number]    `json:"tax,omitzero"`
	TaxInclusive          Opt[bool]           `json:"taxInclusive,omitzero"`
	TaxExempt             Opt[bool]           `json:"taxExempt,omitzero"`
	TaxOutOfScope         Opt[bool]           `json:"taxOutOfScope,omitzero"`
	Finalized             Opt[bool]           `json:"finalized,omitzero"`
	IsWrittenOff          Opt[bool]           `json:"isWrittenOff,omitzero"`
	IsBillable            Opt[bool]           `json:"isBillable,omitzero"`
	IsInvoicedExternally  Opt[bool]           `json:"isInvoicedExternally,omitzero"`
	SourceItems           Opt[[]ExactFeeItem] `json:"sourceItems,omitzero"`
	CreatedFromActivityID Opt[string]         `json:"createdFromActivityId,omitzero"`
}

// ExactFeeItem is a sub activity of a fee.
type ExactFeeItem struct {
	Description Opt[string] `json:"description,omitzero"`
	Duration    Opt[int]    `json:"duration,omitzero"`
	IsBillable  Opt[bool]   `json:"isBillable,omitzero"`
}
