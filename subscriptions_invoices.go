package practice

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	subscriptionsListInvoices    = operation{"Subscriptions.ListInvoices", http.MethodGet, "/subscriptions/{subscriptionId}/invoices", transport.Read}
	subscriptionsDownloadInvoice = operation{"Subscriptions.DownloadInvoice", http.MethodGet, "/subscriptions/invoices/{invoiceId}/download", transport.Read}
	subscriptionsGetInvoiceURL   = operation{"Subscriptions.GetInvoiceURL", http.MethodGet, "/subscriptions/invoices/{invoiceId}/url", transport.Read}
)

func subscriptionsListAccountInvoices() *list[models.SubscriptionInvoice] {
	return paged("Subscriptions.ListAccountInvoices", "Subscriptions.AllAccountInvoices", "/subscriptions/invoices", func(i *models.SubscriptionInvoice) string { return i.ID })
}

// SubscriptionInvoiceListOptions narrow a list of invoices of the service. The
// zero value lists all.
type SubscriptionInvoiceListOptions struct {
	ListOptions
	// From lists only invoices created at or after this instant, to 100 ns.
	From time.Time
	// To lists only invoices created at or before this instant, to 100 ns.
	To time.Time
	// SubscriptionID lists only invoices of this subscription.
	SubscriptionID string
}

func (o SubscriptionInvoiceListOptions) filter(c *call) {
	c.time(KindInstant, "From", o.From)
	c.time(KindInstant, "To", o.To)
	c.param("SubscriptionId", o.SubscriptionID)
}

// ListAccountInvoices returns one page of the invoices of the service to the
// account, the newest first. The invoices of matters are those of
// [InvoicesService]. From and To are included.
//   - API: GET /subscriptions/invoices
func (s *SubscriptionsService) ListAccountInvoices(ctx context.Context, options SubscriptionInvoiceListOptions, opts ...CallOption) (*Page[models.SubscriptionInvoice], error) {
	return subscriptionsListAccountInvoices().page(ctx, s.client, options, opts)
}

// AllAccountInvoices yields all the invoices of the service to the account, the
// newest first. It reads Limit records per page from Offset.
//   - API: GET /subscriptions/invoices
func (s *SubscriptionsService) AllAccountInvoices(ctx context.Context, options SubscriptionInvoiceListOptions, opts ...CallOption) iter.Seq2[models.SubscriptionInvoice, error] {
	return subscriptionsListAccountInvoices().walk(ctx, s.client, options, opts)
}

// RecentInvoiceListOptions limit the deprecated list of the newest invoices of
// one subscription.
type RecentInvoiceListOptions struct {
	Limit int // number of invoices, 1 to 500; 0: the service's default, 10
}

// ListInvoices returns the newest invoices of one subscription. The service
// does not page them.
//
// Deprecated: Use AllAccountInvoices with SubscriptionID.
//   - API: GET /subscriptions/{subscriptionId}/invoices
func (s *SubscriptionsService) ListInvoices(ctx context.Context, subscriptionID string, options RecentInvoiceListOptions, opts ...CallOption) (*Page[models.SubscriptionInvoice], error) {
	c := s.client.call(ctx, subscriptionsListInvoices, opts).at(subscriptionID)
	c.check("limit", badLimit(options.Limit))
	if options.Limit > 0 {
		c.param("limit", strconv.Itoa(options.Limit))
	}
	return listPage[models.SubscriptionInvoice](c)
}

// GetInvoiceURL returns the address of the PDF of an invoice at the payment
// processor. Anyone who has it can read the invoice. A draft has no PDF (404,
// ErrNotFound).
//   - API: GET /subscriptions/invoices/{invoiceId}/url
func (s *SubscriptionsService) GetInvoiceURL(ctx context.Context, invoiceID string, opts ...CallOption) (*models.SubscriptionInvoiceURL, error) {
	return send[models.SubscriptionInvoiceURL](s.client.call(ctx, subscriptionsGetInvoiceURL, opts).at(invoiceID))
}

const mediaPDF = "application/pdf"

// ErrNotPDF reports that a response that should be a PDF is something else.
var ErrNotPDF = errors.New("the response is not a PDF")

// DownloadInvoice writes the PDF of an invoice to w and returns the number of
// bytes written. It writes nothing before the whole PDF has come, which takes
// as much memory as the PDF, at most [WithMaxBody]. An answer that is no PDF is
// a *DecodeError (ErrNotPDF); an error of w is returned as it is. A draft has
// no PDF (404, ErrNotFound).
//   - API: GET /subscriptions/invoices/{invoiceId}/download
func (s *SubscriptionsService) DownloadInvoice(ctx context.Context, invoiceID string, w io.Writer, opts ...CallOption) (n int64, err error) {
	c := s.client.call(ctx, subscriptionsDownloadInvoice, opts).at(invoiceID)
	c.check("w", reasonIf(w == nil, "must not be nil"))
	c.accept = mediaPDF + ", application/problem+json"
	err = c.do(func(r result) error {
		if err := checkPDF(r.answer.Body); err != nil {
			return r.unreadable(err)
		}
		defer r.answer.Release()
		n, err = io.Copy(w, bytes.NewReader(r.answer.Body))
		return err
	})
	return n, err
}

// headOfPDF is the number of bytes that must contain the signature of a PDF.
const headOfPDF = 1024

// checkPDF returns ErrNotPDF for content that does not begin as a PDF.
func checkPDF(content []byte) error {
	if bytes.Contains(content[:min(len(content), headOfPDF)], []byte("%PDF-")) {
		return nil
	}
	return ErrNotPDF
}
