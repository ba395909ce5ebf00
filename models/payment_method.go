package models

// PaymentMethodType is the kind of a payment method. The set is open: unknown values are kept as they came.
// Specification, Payment method.
type PaymentMethodType string

// The known kinds; the specification shows only CreditCard. Specification, Payment method.
const (
	PaymentMethodTypeNone          PaymentMethodType = "None"          // no payment method
	PaymentMethodTypeCreditCard    PaymentMethodType = "CreditCard"    // a credit card
	PaymentMethodTypeDirectDeposit PaymentMethodType = "DirectDeposit" // not supported, by the published interface
)

// PaymentState is the outcome of a payment. The set is open: unknown values are kept as they came.
// Specification, Payment method.
type PaymentState string

// The known outcomes; the specification shows only Succeeded. Specification, Payment method.
const (
	PaymentStateNone       PaymentState = "None"       // no payment yet
	PaymentStateSucceeded  PaymentState = "Succeeded"  // paid
	PaymentStateProcessing PaymentState = "Processing" // not finished
	PaymentStateCanceled   PaymentState = "Canceled"   // cancelled
	PaymentStateFailed     PaymentState = "Failed"     // not paid
)

// PaymentMethod is how a subscription is paid. Specification, Payment method.
type PaymentMethod struct {
	Hypermedia
	// ID identifies the payment method, a UUID. Empty when absent. Specification, Payment method.
	ID string `json:"id"`
	// PaymentSystem is the name of the payment processor. Empty when absent. Specification, Payment method.
	PaymentSystem string `json:"paymentSystem"`
	// Type is the kind of payment method. Empty when absent. Specification, Payment method.
	Type PaymentMethodType `json:"type"`
	// IsDefault tells whether it is used unless another is chosen. May be absent. Specification, Payment method.
	IsDefault Opt[bool] `json:"isDefault"`
	// Details holds what is known of the card or account. Zero when absent. Specification, Payment method.
	Details PaymentDetails `json:"details"`
	// LastPaymentState is the outcome of the last payment. Empty when absent. Specification, Payment method.
	LastPaymentState PaymentState `json:"lastPaymentState"`
	// CreatedDate is when it was created. Zero when absent. Specification, Payment method.
	CreatedDate DateTime `json:"createdDate"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// PaymentDetails holds what is known of a card or a bank account. Specification, Payment method.
type PaymentDetails struct {
	// Brand is the brand of the card. Empty when absent. Specification, Payment method.
	Brand string `json:"brand"`
	// LastFourDigits is the end of the card number. Empty when absent. Specification, Payment method.
	LastFourDigits string `json:"lastFourDigits"`
	// Expiry is when the card expires, as MM/YY. Empty when absent. Specification, Payment method.
	Expiry string `json:"expiry"`
	// ExpiryMonth is the month the card expires in, from 1. May be absent. Specification, Payment method.
	ExpiryMonth Opt[int] `json:"expiryMonth"`
	// ExpiryYear is the year the card expires in. May be absent. Specification, Payment method.
	ExpiryYear Opt[int] `json:"expiryYear"`
	// AccountNumber is the number of the bank account. May be absent. Specification, Payment method.
	AccountNumber Opt[int] `json:"accountNumber"`
	// BSB is the number of the bank's branch in Australia. May be absent. Specification, Payment method.
	BSB Opt[int] `json:"bsb"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
