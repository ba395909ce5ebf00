package practice_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnInvoiceHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		i, err := client.Invoices.Get(t.Context(), f.MatterID, f.InvoiceID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/invoices/"+f.InvoiceID, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/invoices/{id}", f.MatterID, f.InvoiceID)), map[string]any{
			"id": i.ID, "href": i.Href, "relation": i.Relation, "method": i.Method, "self": i.Self, "versionId": i.VersionID,
			"matter": i.Matter, "matterId": i.MatterID, "lastUpdatedByUserId": i.LastUpdatedByUserID, "description": i.Description,
			"status": i.Status, "invoiceNumber": i.InvoiceNumber, "invoiceTitle": i.InvoiceTitle, "invoiceTitleLine2": i.InvoiceTitleLine2,
			"issuedDate": i.IssuedDate, "dueDate": i.DueDate, "paidDate": i.PaidDate, "discount": i.Discount, "surcharge": i.Surcharge,
			"debtors": i.Debtors, "entries": i.Entries, "waived": i.Waived, "invoiceTotals": i.InvoiceTotals,
		})
		status, _ := i.Status.Get()
		assert.Equal(t, models.InvoiceStatusPaid, status)
		assert.Equal(t, "0.00", i.InvoiceTotals.Unpaid.String())
	})
}

func TestAnInvoiceIsWhatItsEntriesComeTo(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		invoice, err := client.Invoices.Get(t.Context(), f.MatterID, f.InvoiceID)
		require.NoError(t, err)
		require.Len(t, invoice.Entries, 2)
		fee, err := client.Fees.Get(t.Context(), f.MatterID, invoice.Entries[0].ID)
		require.NoError(t, err)
		expense, err := client.Expenses.Get(t.Context(), f.MatterID, invoice.Entries[1].ID)
		require.NoError(t, err)
		assert.Equal(t, []string{fee.VersionID, expense.VersionID}, []string{invoice.Entries[0].VersionID, invoice.Entries[1].VersionID})
		assert.Equal(t, []string{f.InvoiceID, f.InvoiceID}, []string{fee.InvoiceID, expense.InvoiceID})
		billed, err := fee.AmountExcTax.Add(expense.AmountExcTax)
		require.NoError(t, err)
		assert.True(t, billed.Equal(invoice.InvoiceTotals.Billed), "%s is not %s", billed, invoice.InvoiceTotals.Billed)
	})
}

func TestInvoicesAreListedInPagesAndByChange(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Invoices.All(t.Context(), f.MatterID, practice.InvoiceListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Len(t, all, 3, "one paid, one due, one draft")
		since := server.Clock().Now().Add(time.Second)
		page, err := client.Invoices.List(t.Context(), f.MatterID, practice.InvoiceListOptions{UpdatedSince: since})
		require.NoError(t, err)
		assert.Empty(t, page.Items)
		query := url.Values{"LastUpdated": {since.UTC().Format("2006-01-02T15:04:05.0000000Z")}}
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/invoices", query.Encode())
	})
}

func TestThePDFOfAnInvoiceIsWrittenWhole(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		place, err := client.Invoices.GetDownloadURL(t.Context(), f.MatterID, f.InvoiceID)
		require.NoError(t, err)
		assert.Equal(t, models.InvoiceStatusNamePaid, place.Status)
		assert.NotContains(t, place.DownloadURL.String(), "http", "anyone who has the address can read the invoice")

		var got bytes.Buffer
		n, err := client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, &got)
		require.NoError(t, err)
		assert.EqualValues(t, got.Len(), n)
		assert.True(t, bytes.HasPrefix(got.Bytes(), []byte("%PDF-")) && bytes.HasSuffix(got.Bytes(), []byte("%%EOF\n")))

		dir := t.TempDir()
		file, err := client.Invoices.DownloadFile(t.Context(), f.MatterID, f.InvoiceID, dir)
		require.NoError(t, err)
		assert.Equal(t, filepath.Join(dir, f.InvoiceID+".pdf"), file.Path)
		written, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		assert.Equal(t, got.Bytes(), written)
	})
}

func TestThePDFOfAnInvoiceIsResumedWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, After: 40})
		var got bytes.Buffer
		_, err := client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, &got)
		require.NoError(t, err)
		assert.Equal(t, 1, bytes.Count(got.Bytes(), []byte("%PDF-")), "nothing is written twice")
		assert.True(t, bytes.HasSuffix(got.Bytes(), []byte("%%EOF\n")))
	})
}

// A page of a proxy, or an error document, is no invoice, whatever the status.
func TestOnlyAPDFIsAnInvoice(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, dir := server.Firm(), t.TempDir()
		for _, fault := range []practicetest.Fault{{Kind: practicetest.FaultHTML, Status: 200}, {Status: 200, Body: "not a PDF"}} {
			fault.Operation = "storage.get"
			server.Inject(fault)
			var got bytes.Buffer
			_, err := client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, &got)
			require.NoError(t, err, "another attempt has the invoice")
			assert.True(t, bytes.HasPrefix(got.Bytes(), []byte("%PDF-")))

			fault.Times = -1
			server.Inject(fault)
			got.Reset()
			_, err = client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, &got)
			require.ErrorIs(t, err, practice.ErrNotPDF)
			assert.Empty(t, got.Bytes())
			_, err = client.Invoices.DownloadFile(t.Context(), f.MatterID, f.InvoiceID, dir)
			require.ErrorIs(t, err, practice.ErrNotPDF)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left)
			server.ClearFaults()
		}
		server.Inject(practicetest.Fault{Operation: "storage.get", Status: 200, Times: -1,
			Body: "<Error><Code>InternalError</Code><Message>m</Message></Error>"})
		_, err := client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, io.Discard)
		failed, ok := errors.AsType[*practice.TransferError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "InternalError", failed.Code)
	})
}

func TestATestAddsAnInvoiceOfItsOwn(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		id := server.AddInvoice(f.MatterID, models.Invoice{
			InvoiceNumber: models.Some(77), Status: models.Some(models.InvoiceStatusFinal),
			Entries: []models.InvoiceEntry{{ID: f.FeeID}},
		})
		invoice, err := client.Invoices.Get(t.Context(), f.MatterID, id)
		require.NoError(t, err)
		read, there := server.Invoice(id)
		require.True(t, there)
		assert.Equal(t, read, *invoice)
		assert.Equal(t, f.FeeID, invoice.Entries[0].ID)
		place, err := client.Invoices.GetDownloadURL(t.Context(), f.MatterID, id)
		require.NoError(t, err)
		assert.Equal(t, models.InvoiceStatusNameFinal, place.Status)
		var document bytes.Buffer
		require.NoError(t, testkit.Discard(client.Invoices.Download(t.Context(), f.MatterID, id, &document)))
		assert.Contains(t, document.String(), "Invoice 77")
	})
}

// TestTheFileOfAnInvoiceIsWholeOrNotThere interrupts the transfer and calls
// again.
func TestTheFileOfAnInvoiceIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		path := filepath.Join(t.TempDir(), "invoice.pdf")
		server.Inject(
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, After: 40, Times: 2}, // the first request only gets the size
			practicetest.Fault{Operation: "storage.get", Status: http.StatusServiceUnavailable},                  // no further byte has arrived
		)
		_, err := client.Invoices.DownloadFile(t.Context(), f.MatterID, f.InvoiceID, path, practice.WithRetries(0))
		failed, is := errors.AsType[*practice.TransferError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, f.InvoiceID, failed.FileID)
		_, err = os.Stat(path)
		require.ErrorIs(t, err, fs.ErrNotExist, "half a document is no document")

		server.ResetRequests()
		file, err := client.Invoices.DownloadFile(t.Context(), f.MatterID, f.InvoiceID, path)
		require.NoError(t, err)
		rest := testkit.RequestsTo(server, practicetest.PartStorage)
		require.NotEmpty(t, rest)
		assert.Equal(t, "bytes=40-", rest[len(rest)-1].Header.Get("Range"), "the second call goes on where the first broke off")
		var whole bytes.Buffer
		_, err = client.Invoices.Download(t.Context(), f.MatterID, f.InvoiceID, &whole)
		require.NoError(t, err)
		written, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		assert.Equal(t, whole.Bytes(), written)
		left, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		assert.Len(t, left, 1, "nothing else stays in the folder")
	})
}
