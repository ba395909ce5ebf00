package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	invoicesGet            = operation{"Invoices.Get", http.MethodGet, "/matters/{matterId}/invoices/{invoiceId}", transport.Read}
	invoicesGetDownloadURL = operation{"Invoices.GetDownloadURL", http.MethodGet, "/matters/{matterId}/invoices/{invoiceId}/download", transport.Read}
)

func invoicesList() *list[models.Invoice] {
	return paged("Invoices.List", "Invoices.All", "/matters/{matterId}/invoices", func(i *models.Invoice) string { return i.ID })
}

// InvoicesService reads the invoices of matters. All amounts are dollars.
type InvoicesService service

// InvoiceListOptions narrow a list of invoices. The zero value lists all of them.
type InvoiceListOptions struct {
	ListOptions
	// UpdatedSince lists invoices changed at or after a time, to 100 ns. It is sent
	// as LastUpdated.
	UpdatedSince time.Time
}

func (o InvoiceListOptions) filter(c *call) { c.instant("LastUpdated", o.UpdatedSince) }

// List returns one page of the invoices of a matter, with drafts and deleted
// ones among them; see [models.Invoice.Status]. Probably only one of the two
// change filters may be sent.
//
// API: GET /matters/{matterId}/invoices
func (s *InvoicesService) List(ctx context.Context, matterID string, options InvoiceListOptions, opts ...CallOption) (*Page[models.Invoice], error) {
	return invoicesList().page(ctx, s.client, options, opts, matterID)
}

// All yields all the invoices of a matter, with drafts and deleted ones among
// them. It begins at Offset, and requests Limit of them per page.
//
// API: GET /matters/{matterId}/invoices
func (s *InvoicesService) All(ctx context.Context, matterID string, options InvoiceListOptions, opts ...CallOption) iter.Seq2[models.Invoice, error] {
	return invoicesList().walk(ctx, s.client, options, opts, matterID)
}

// Get returns an invoice of a matter.
//
// API: GET /matters/{matterId}/invoices/{invoiceId}
func (s *InvoicesService) Get(ctx context.Context, matterID, invoiceID string, opts ...CallOption) (*models.Invoice, error) {
	c := s.client.call(ctx, invoicesGet, opts)
	c.id("matterId", matterID)
	c.id("invoiceId", invoiceID)
	return send[models.Invoice](c)
}

// GetDownloadURL returns an address from which anyone can read the PDF of an
// invoice until Expiry. Download does both steps.
//
// API: GET /matters/{matterId}/invoices/{invoiceId}/download
func (s *InvoicesService) GetDownloadURL(ctx context.Context, matterID, invoiceID string, opts ...CallOption) (*models.InvoiceDownload, error) {
	return send[models.InvoiceDownload](s.getDownloadURLCall(ctx, matterID, invoiceID, opts))
}

func (s *InvoicesService) getDownloadURLCall(ctx context.Context, matterID, invoiceID string, opts []CallOption) *call {
	c := s.client.call(ctx, invoicesGetDownloadURL, opts)
	c.id("matterId", matterID)
	c.id("invoiceId", invoiceID)
	return c
}
