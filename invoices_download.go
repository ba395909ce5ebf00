package practice

import (
	"context"
	"io"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// Download writes the PDF of an invoice to w and returns the number of bytes
// written. It keeps the promises of [DocumentsService.Download]: it resumes an
// interrupted transfer with a new address when the old one has expired, as often as
// WithRetries allows, and never mixes two versions of the document. The service
// announces no size, so that of the storage counts. A failure of the transfer is a
// *TransferError with the id of the invoice as its FileID.
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
// [DocumentsService.DownloadFile] does with a file: complete, synced and renamed, or
// not at all; an interrupted transfer is resumed by the next call. When path is a
// folder, the file gets the id of the invoice with .pdf as its name.
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
	return d.begin(ctx, DownloadOptions{})
}
