package practicetest

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/models"
)

const invoicePath = "/matters/{matterId}/invoices/{invoiceId}"

// invoices returns the area of invoices. The API can only read them.
func invoices() area {
	i := invoiceKind{&resource{path: invoicePath, relation: "Invoices", event: "invoice", placed: storePDF}}
	return area{
		name: "Invoices", resources: []*resource{i.resource}, below: i.seed,
		handlers: handlers{"getInvoiceDownload": i.reading(i.download)},
	}
}

// invoiceKind is the resource of invoices, with the handler for their PDF
// files.
type invoiceKind struct{ *resource }

// storePDF stores the PDF file of a new invoice.
func storePDF(t *tx, r *record) error {
	t.then = func() { t.server.store.Put(pdfKey(r), invoicePDF(r)) }
	return nil
}

// invoiceStates holds the names of the states, indexed by their numbers.
var invoiceStates = [...]string{"Draft", "Final", "Paid", "Deleted", "Void"}

func (i invoiceKind) download(s *Server, c *call, r *record) (answer, error) {
	saveAs := mime.FormatMediaType("attachment", map[string]string{"filename": "Invoice " + string(r.fields.raw("invoiceNumber")) + ".pdf"})
	address, expiry, err := s.address(c.now, http.MethodGet, pdfKey(r), saveAs)
	return s.object(c, fields{"invoiceId": r.id, "versionId": r.versionID(), "downloadUrl": address, "expiry": expiry, "status": stateOf(r)}), err
}

// stateOf returns the name of an invoice's state.
func stateOf(r *record) string {
	number, err := strconv.Atoi(string(r.fields.raw("status")))
	if err != nil || number < 0 || number >= len(invoiceStates) {
		return invoiceStates[0]
	}
	return invoiceStates[number]
}

func pdfKey(r *record) string { return r.account.id + "/invoices/" + r.id }

// seed creates a paid invoice, an open one and a draft. The first two bill one
// fee and one expense each; the first fee and the first expense of the matter
// remain unbilled.
func (i invoiceKind) seed(sd *seeder, m *record, n int) {
	fees, expenses := sd.list(sd.resource("fees"), m.id).All(), sd.list(sd.resource("expenses"), m.id).All()
	people := sd.all(m.account, "contacts")
	for k, status := range []int{2, 1, 0} {
		f := fields{
			"description": "Work on " + m.fields.str("title"), "status": status, "invoiceNumber": 1001 + 3*n + k,
			"invoiceTitle": "Tax invoice", "invoiceTitleLine2": m.fields.str("title"), "waived": false, "discount": invoiceDiscounts[k],
			"surcharge": fields{"type": 0, "fixedSurcharge": cents(0), "percentage": cents(0), "description": "None", "applyTo": 0},
			"debtors":   []fields{{"contact": ref{"contacts", people[n%len(people)].id}}},
		}
		issued := sd.past(60).Truncate(24 * time.Hour)
		f["issuedDate"], f["dueDate"] = midnight(issued), midnight(issued.AddDate(0, 0, 14))
		if status == 2 {
			f["paidDate"] = midnight(issued.AddDate(0, 0, 9))
		}
		made := sd.add(m.account, i.resource, f, m.id)
		var billed []*record
		if status != 0 {
			billed = []*record{fees[k+1], expenses[k+1]}
		}
		f["entries"] = bill(made, billed)
		f["invoiceTotals"] = invoiceTotals(billed, f)
		sd.objects.Put(pdfKey(made), invoicePDF(made))
	}
}

// bill marks the records as billed by the invoice and returns its entries.
func bill(invoice *record, billed []*record) []fields {
	entries := []fields{}
	for _, r := range billed {
		r.fields["invoiceId"] = invoice.id
		kind := 1
		if r.of.target == "expenses" {
			kind = 2
		}
		entries = append(entries, fields{"id": r.id, "versionId": r.versionID(), "type": kind})
	}
	return entries
}

func midnight(t time.Time) string { return t.Format("2006-01-02T15:04:05") + "+00:00" }

// invoiceDiscounts holds the discounts of the seeded invoices: 10 percent, a
// fixed amount, and none.
var invoiceDiscounts = [...]fields{
	{"type": 1, "percentage": json.Number("10"), "description": "A tenth off"},
	{"type": 0, "fixedDiscount": cents(500), "description": "Rounded off"},
	{"type": 0, "fixedDiscount": cents(0), "description": "None"},
}

func invoiceTotals(billed []*record, f fields) fields {
	var fees, expenses, tax, discount decimal.Decimal
	k := &reckoning{} // its error is ignored: the amounts were checked individually
	for _, r := range billed {
		tax = k.sum(tax, r.fields.amount("tax"))
		if amount := exact(r.of.derive(r)["amountExcTax"].(json.Number)); r.of.target == "fees" {
			fees = k.sum(fees, amount)
		} else {
			expenses = k.sum(expenses, amount)
		}
	}
	whole := k.sum(fees, expenses)
	total, off := k.sum(whole, tax), f["discount"].(fields)
	if discount = off.amount("fixedDiscount"); string(off.raw("type")) == "1" {
		discount = k.share(whole, off.amount("percentage"), decimal.MustNew(100, 0))
	}
	due, paid := k.sum(total, discount.Neg()), decimal.Decimal{}
	if f["status"] == 2 {
		due, paid = paid, due
	}
	money := func(d decimal.Decimal) json.Number { return number(d.Pad(2)) }
	return fields{
		"paid": money(paid), "billed": money(whole), "unpaid": money(due), "unpaidExcInterest": money(due), "writtenOff": cents(0),
		"waived": cents(0), "discount": money(discount), "total": money(total), "tax": money(tax), "interest": cents(0),
		"feeTotal": money(fees), "writtenOffFeeTotal": cents(0), "expenseTotal": money(expenses), "writtenOffExpenseTotal": cents(0),
	}
}

// invoicePDF returns a one-page PDF file with the number and the total of the
// invoice.
func invoicePDF(r *record) []byte {
	totals, _ := r.fields["invoiceTotals"].(fields)
	return pdf(fmt.Sprintf("Invoice %s: %s", r.fields.raw("invoiceNumber"), totals.raw("total")))
}

// pdf returns a one-page PDF file that contains line.
func pdf(line string) []byte {
	text := "BT /F1 18 Tf 72 720 Td (" + line + ") Tj ET"
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(text), text), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	}
	var b, table strings.Builder
	b.WriteString("%PDF-1.4\n")
	for n, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj%s\nendobj\n", n+1, object)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, at)
	return []byte(b.String())
}

// AddInvoice adds an invoice with a PDF file to a matter and returns its id.
// The totals are stored unchanged, and no fees or expenses are billed.
func (s *Server) AddInvoice(matterID string, invoice models.Invoice) string {
	return s.place(invoicePath, &invoice, matterID)
}

// Invoice returns the invoice with the id and reports whether it exists.
func (s *Server) Invoice(id string) (models.Invoice, bool) {
	return recordOf[models.Invoice](s, invoicePath, id)
}
