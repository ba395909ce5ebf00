package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsAddAccountPaymentMethod = operation{"Subscriptions.AddAccountPaymentMethod", http.MethodPost, "/subscriptions/paymentmethods", transport.Create}
	subscriptionsAddPaymentMethod        = operation{"Subscriptions.AddPaymentMethod", http.MethodPost, "/subscriptions/{subscriptionId}/paymentmethods", transport.Create}
	subscriptionsSetDefaultPaymentMethod = operation{"Subscriptions.SetDefaultPaymentMethod", http.MethodPut, "/subscriptions/{subscriptionId}/paymentmethods", transport.IdempotentWrite}
	subscriptionsRemovePaymentMethod     = operation{"Subscriptions.RemovePaymentMethod", http.MethodDelete, "/subscriptions/{subscriptionId}/paymentmethods/{id}", transport.IdempotentWrite}
)

func subscriptionsListAccountPaymentMethods() *list[models.PaymentMethod] {
	return paged("Subscriptions.ListAccountPaymentMethods", "Subscriptions.AllAccountPaymentMethods", "/subscriptions/paymentmethods", func(r *models.PaymentMethod) string { return r.ID })
}

func subscriptionsListPaymentMethods() *list[models.PaymentMethod] {
	return paged("Subscriptions.ListPaymentMethods", "Subscriptions.AllPaymentMethods", "/subscriptions/{subscriptionId}/paymentmethods", func(r *models.PaymentMethod) string { return r.ID })
}

// AccountPaymentMethodListOptions choose the page of a list of payment methods
// of the account.
type AccountPaymentMethodListOptions struct{ ListOptions }

// ListAccountPaymentMethods returns one page of the payment methods of the
// account. The service answers 400 when the account is no payment customer.
//   - API: GET /subscriptions/paymentmethods
func (s *SubscriptionsService) ListAccountPaymentMethods(ctx context.Context, options AccountPaymentMethodListOptions, opts ...CallOption) (*Page[models.PaymentMethod], error) {
	return subscriptionsListAccountPaymentMethods().page(ctx, s.client, options, opts)
}

// AllAccountPaymentMethods yields all the payment methods of the account. It
// reads Limit records per page from Offset.
//   - API: GET /subscriptions/paymentmethods
func (s *SubscriptionsService) AllAccountPaymentMethods(ctx context.Context, options AccountPaymentMethodListOptions, opts ...CallOption) iter.Seq2[models.PaymentMethod, error] {
	return subscriptionsListAccountPaymentMethods().walk(ctx, s.client, options, opts)
}

// AddAccountPaymentMethod adds a payment method to the account.
// ChargeImmediately may collect the overdue invoices of all subscriptions at
// once. No log, error or observation shows PaymentInformation. After an
// *AmbiguousWriteError, look for the method with AllAccountPaymentMethods.
//   - API: POST /subscriptions/paymentmethods, asynchronous
func (s *SubscriptionsService) AddAccountPaymentMethod(ctx context.Context, body models.PaymentMethodAdd, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsAddAccountPaymentMethod, opts).with(&body))
}

// PaymentMethodListOptions choose the page of a list of payment methods of a
// subscription.
type PaymentMethodListOptions struct{ ListOptions }

// ListPaymentMethods returns one page of the payment methods that are set on a
// subscription.
//   - API: GET /subscriptions/{subscriptionId}/paymentmethods
func (s *SubscriptionsService) ListPaymentMethods(ctx context.Context, subscriptionID string, options PaymentMethodListOptions, opts ...CallOption) (*Page[models.PaymentMethod], error) {
	return subscriptionsListPaymentMethods().page(ctx, s.client, options, opts, subscriptionID)
}

// AllPaymentMethods yields all the payment methods that are set on a
// subscription. It reads Limit records per page from Offset.
//   - API: GET /subscriptions/{subscriptionId}/paymentmethods
func (s *SubscriptionsService) AllPaymentMethods(ctx context.Context, subscriptionID string, options PaymentMethodListOptions, opts ...CallOption) iter.Seq2[models.PaymentMethod, error] {
	return subscriptionsListPaymentMethods().walk(ctx, s.client, options, opts, subscriptionID)
}

// AddPaymentMethod adds a payment method to the account and sets it on a
// subscription. ChargeImmediately may collect the overdue invoices of the
// subscription at once. After an *AmbiguousWriteError, look for the method with
// AllPaymentMethods.
//   - API: POST /subscriptions/{subscriptionId}/paymentmethods, asynchronous
func (s *SubscriptionsService) AddPaymentMethod(ctx context.Context, subscriptionID string, body models.PaymentMethodAdd, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsAddPaymentMethod, opts).at(subscriptionID).with(&body))
}

// SetDefaultPaymentMethod chooses the payment method of a subscription. A body
// without an id clears it, which a usage subscription refuses.
//   - API: PUT /subscriptions/{subscriptionId}/paymentmethods, asynchronous
func (s *SubscriptionsService) SetDefaultPaymentMethod(ctx context.Context, subscriptionID string, body models.PaymentMethodDefault, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsSetDefaultPaymentMethod, opts).at(subscriptionID).with(&body))
}

// RemovePaymentMethod takes a payment method off a subscription. Without a new
// default the subscription may become overdue.
//   - API: DELETE /subscriptions/{subscriptionId}/paymentmethods/{id},
//     asynchronous
func (s *SubscriptionsService) RemovePaymentMethod(ctx context.Context, subscriptionID, id string, body models.PaymentMethodRemove, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, subscriptionsRemovePaymentMethod, opts).at(subscriptionID, id).with(&body))
}
