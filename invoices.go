package practice

import (
	"context"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
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

// InvoicesService reads invoices of matters, in dollars.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/invoices.md
type InvoicesService service

// InvoiceListOptions narrow a list of invoices. The zero value lists all.
type InvoiceListOptions struct {
	ListOptions
	// UpdatedSince lists invoices changed at or after a time, to 100 ns. It is
	// sent as LastUpdated.
	UpdatedSince time.Time
}

func (o InvoiceListOptions) filter(c *call) { c.time(KindInstant, "LastUpdated", o.UpdatedSince) }

// List returns one page of the invoices of a matter, with drafts and deleted
// ones among them; see [models.Invoice.Status]. Probably only one of the two
// change filters may be sent.
//   - API: GET /matters/{matterId}/invoices
func (s *InvoicesService) List(ctx context.Context, matterID string, options InvoiceListOptions, opts ...CallOption) (*Page[models.Invoice], error) {
	return invoicesList().page(ctx, s.client, options, opts, matterID)
}

// All yields all the invoices of a matter, with drafts and deleted ones among
// them. It reads Limit records per page from Offset.
//   - API: GET /matters/{matterId}/invoices
func (s *InvoicesService) All(ctx context.Context, matterID string, options InvoiceListOptions, opts ...CallOption) iter.Seq2[models.Invoice, error] {
	return invoicesList().walk(ctx, s.client, options, opts, matterID)
}

// Get returns an invoice of a matter.
//   - API: GET /matters/{matterId}/invoices/{invoiceId}
func (s *InvoicesService) Get(ctx context.Context, matterID, invoiceID string, opts ...CallOption) (*models.Invoice, error) {
	return send[models.Invoice](s.client.call(ctx, invoicesGet, opts).at(matterID, invoiceID))
}

// GetDownloadURL returns an address from which anyone can read the PDF of an
// invoice until Expiry. Download does both steps.
//   - API: GET /matters/{matterId}/invoices/{invoiceId}/download
func (s *InvoicesService) GetDownloadURL(ctx context.Context, matterID, invoiceID string, opts ...CallOption) (*models.InvoiceDownload, error) {
	return send[models.InvoiceDownload](s.getDownloadURLCall(ctx, matterID, invoiceID, opts))
}

func (s *InvoicesService) getDownloadURLCall(ctx context.Context, matterID, invoiceID string, opts []CallOption) *call {
	return s.client.call(ctx, invoicesGetDownloadURL, opts).at(matterID, invoiceID)
}

// Download writes the PDF of an invoice to w and returns the number of bytes
// written. Like [DocumentsService.Download], it resumes an interrupted transfer
// with a new address when the old one has expired, as often as WithRetries
// allows, and never mixes two versions of the document. The service announces
// no size, so Download checks against that of the storage. It writes nothing of
// a content without "%PDF-" in its first 1,024 bytes (ErrNotPDF). A failed
// transfer is a *TransferError with the id of the invoice as its FileID.
func (s *InvoicesService) Download(ctx context.Context, matterID, invoiceID string, w io.Writer, opts ...CallOption) (n int64, err error) {
	const operation = "Invoices.Download"
	ctx, observer := s.client.observeTransfer(ctx, operation)
	defer observer.endOf(&err)
	if w == nil {
		return 0, &ArgumentError{Operation: operation, Argument: "w", Reason: "must not be nil"}
	}
	d, err := s.download(ctx, operation, matterID, invoiceID, opts)
	if err != nil {
		return 0, err
	}
	return d.copyTo(ctx, w)
}

// DownloadFile writes the PDF of an invoice to the local file at path, as
// [DocumentsService.DownloadFile] does with a file: complete, synced and
// renamed, or not at all; the next call resumes an interrupted transfer. If
// path is a folder, the file is named after the id of the invoice, with .pdf.
func (s *InvoicesService) DownloadFile(ctx context.Context, matterID, invoiceID, path string, opts ...CallOption) (file *DownloadedFile, err error) {
	const operation = "Invoices.DownloadFile"
	ctx, observer := s.client.observeTransfer(ctx, operation)
	defer observer.endOf(&err)
	return downloadTo(ctx, operation, invoiceID, path, func() (*download, error) {
		return s.download(ctx, operation, matterID, invoiceID, opts)
	})
}

func (s *InvoicesService) download(ctx context.Context, operation, matterID, invoiceID string, opts []CallOption) (*download, error) {
	d := &download{fileTransfer: fileTransfer{
		documents: (*DocumentsService)(s), operation: operation, matterID: matterID, fileID: invoiceID, opts: opts,
	}}
	d.locateCall = func(ctx context.Context) *call { return s.getDownloadURLCall(ctx, matterID, invoiceID, opts) }
	d.placeOf = func(c *call) (string, transfer.Place, error) {
		_, place, err := locate(c, func(i *models.InvoiceDownload) transfer.Place {
			return transfer.Place{Address: i.DownloadURL, Expiry: i.Expiry.Time(), Size: -1}
		})
		return invoiceID + ".pdf", place, err
	}
	if _, err := d.begin(ctx, DownloadOptions{}); err != nil {
		return nil, err
	}
	d.object.Options().Check = checkPDF
	return d, nil
}
