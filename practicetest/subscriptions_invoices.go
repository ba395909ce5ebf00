package practicetest

import (
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"time"

	"github.com/govalues/decimal"

	"github.com/practicesdk/practice-go/models"
)

const subscriptionInvoicePath = "/subscriptions/invoices/{invoiceId}"

// newSubscriptionInvoices declares the invoices for a firm's subscription.
// Lists show the newest first.
func newSubscriptionInvoices() *resource {
	return &resource{
		path: subscriptionInvoicePath, relation: "SubscriptionInvoices", schema: "SubscriptionInvoice",
		owner: func(r *record) string { return r.account.id }, // the path does not contain the subscription
		order: func(a, b *record) int { return cmp.Compare(b.number, a.number) },
		filters: map[string]filter{
			"From": createdFrom, "To": createdTo,
			"SubscriptionId": func(r *record, text string) bool { return r.above[0] == sameID(text) },
		},
	}
}

// line is a line of an invoice: an amount before tax, the discount by
// promotions, and the tax on the difference. Amounts are in cents.
type line struct {
	product             *record
	description         string
	interval            string
	amount, credit, tax int64
	seats               int64
}

// pricesOf returns the prices of a product.
func pricesOf(product *record) []fields { return decoded[[]fields](product.fields.raw("prices")) }

// priceOf returns the active price of a product for a billing interval, or else
// its default price.
func priceOf(product *record, interval string) (found fields) {
	for _, price := range pricesOf(product) {
		if price.is("active") && (price.str("interval") == interval || found == nil && price.is("default")) {
			found = price
		}
	}
	return found
}

// seats returns the number of seats of a subscription.
func seats(r *record) int64 {
	n, _, _ := r.fields.amount("quantity").Int64(0)
	return n
}

func wholePrice(cents int64) int64 { return cents }

// lines returns the invoice lines for the selected products. part computes the
// share of a price to bill. The descriptions begin with what.
func (c selection) lines(seats int64, part func(int64) int64, what string) (all []line) {
	for i, product := range append([]*record{c.tier}, c.addOns...) {
		price, _, _ := priceOf(product, c.interval).amount("amount").Int64(0)
		l := line{product: product, interval: c.interval, amount: part(price * seats), seats: seats}
		l.description = fmt.Sprintf("%s %s, %d seats", what, product.fields.str("name"), seats)
		if i == 0 {
			l.credit = part(c.credit(price * seats))
		}
		l.tax = wholeCents((&reckoning{}).share(whole(l.amount-l.credit), whole(10), whole(100)))
		all = append(all, l)
	}
	return all
}

// credit returns the discount of the promotions on the price of the tier, at
// most that price.
func (c selection) credit(price int64) int64 {
	off, k := decimal.Decimal{}, &reckoning{}
	for _, promotion := range c.promotions {
		off = k.sum(off, promotion.fields.amount("amountOff"))
		off = k.sum(off, k.share(whole(price), promotion.fields.amount("percentOff"), whole(100)))
	}
	return min(price, wholeCents(off))
}

func wholeCents(d decimal.Decimal) int64 {
	n, _, _ := d.Round(0).Int64(0) // cannot overflow for amounts that passed the checks
	return n
}

// atOnce returns the invoice lines for changing the products of a subscription
// now. If the interval stays the same, they cover the rest of the current
// period; another interval starts a new period. In both cases the unused rest
// of the old products is credited.
func atOnce(r *record, old, next selection, now time.Time) []line {
	begin, _ := r.fields["currentPeriodStartDate"].(time.Time)
	end, _ := r.fields["currentPeriodEndDate"].(time.Time)
	left, period := max(0, int64(end.Sub(now)/time.Second)), int64(end.Sub(begin)/time.Second)
	rest := func(cents int64) int64 { return cents * left / period }
	unused := func(cents int64) int64 { return -rest(cents) }
	switch {
	case next.same(old):
		return nil
	case next.interval != old.interval:
		return append(old.lines(seats(r), unused, "Unused time of"), next.lines(seats(r), wholePrice, "A period of")...)
	}
	return append(old.lines(seats(r), unused, "Unused time of"), next.lines(seats(r), rest, "Remaining time of")...)
}

func totals(lines []line) fields {
	var amount, credit, tax int64
	for _, l := range lines {
		amount, credit, tax = amount+l.amount, credit+l.credit, tax+l.tax
	}
	return fields{"subTotal": amount, "preTaxCredit": credit, "tax": tax, "total": amount - credit + tax}
}

func (l line) fields() fields {
	return fields{"description": l.description, "interval": l.interval, "amount": l.amount, "preTaxCredit": l.credit, "tax": l.tax}
}

func previewOf(lines []line, due any) fields {
	items := mapped(lines, func(l line) fields { return l.fields().with(fields{"product": billedProduct(l.product)}) })
	return totals(lines).with(fields{"previewLineItems": items, "dueDate": due})
}

// billedProduct returns a product in the format of the payment processor.
func billedProduct(product *record) fields {
	note := []fields{{"key": "catalogue", "value": "standard"}}
	prices := mapped(pricesOf(product), func(price fields) fields {
		return price.with(fields{"metadata": note, "meter": fields{"externalMeterId": "meter_1", "eventName": "seat"}})
	})
	kind := 0
	if product.of.relation == "AddOns" {
		kind = 1
	}
	return fields{
		"id": product.id, "vendorId": product.fields["vendorId"], "source": paymentSystem, "externalProductId": "product_" + product.fields.str("vendorId"),
		"vendorProductType": kind, "productSuite": product.fields["productSuite"], "name": product.fields["name"],
		"description": product.fields["description"], "trialPeriodDays": product.fields["trialPeriodDays"],
		"created": product.fields["createdDate"], "updated": product.fields["updatedDate"], "prices": prices, "metadata": note,
		"testEnvironment": false, "active": true, "isDeleted": false,
	}
}

// bill creates an invoice if its total is positive.
func (p plans) bill(t *tx, r *record, status, description string, lines []line) {
	if total := totals(lines)["total"].(int64); total <= 0 {
		return
	}
	invoice := t.create(p.invoice, t.newID(p.invoice.path), []string{r.id})
	number := 1 + len(t.server.state.list(p.invoice, t.account.id).All())
	invoice.fields = invoiceFields(number, status, description, lines)
	t.put(invoice, created)
}

func invoiceFields(number int, status, description string, lines []line) fields {
	items := mapped(lines, func(l line) fields {
		return l.fields().with(fields{"product": ref{l.product.of.target, l.product.id}, "quantity": l.seats})
	})
	return totals(lines).with(fields{"lineItems": items, "number": fmt.Sprintf("S-%04d", number), "status": status, "description": description})
}

// listInvoices lists the invoices of one subscription, newest first. The limit
// defaults to 10.
func (p plans) listInvoices(s *Server, c *call, subscription *record) (answer, error) {
	asked := *c
	asked.query, asked.queries = maps.Clone(c.query), map[string][]string{"SubscriptionId": {subscription.id}}
	asked.query["limit"] = cmp.Or(c.query["limit"], "10")
	found, err := p.invoice.find(s, &asked, nil)
	return s.listing(&asked, p.invoice, found), err
}

// issued refuses a draft, for which there is no document.
func (p plans) issued(r *record) error {
	if r.fields.str("status") == "Draft" {
		return notFound("document of the " + p.invoice.name)
	}
	return nil
}

// downloadInvoice responds with the PDF file of an invoice.
func (p plans) downloadInvoice(_ *Server, c *call, r *record) (answer, error) {
	c.media, c.saveAs = "application/pdf", saveAs(r)
	return func() []byte { return subscriptionPDF(r) }, p.issued(r)
}

// getInvoiceURL responds with a pre-signed address of the PDF file.
func (p plans) getInvoiceURL(s *Server, c *call, r *record) (answer, error) {
	if err := p.issued(r); err != nil {
		return nil, err
	}
	if s.outside == nil { // an external store already holds the PDF files of the seed
		s.store.Put(pdfKey(r), subscriptionPDF(r))
	}
	address, _, err := s.address(c.now, http.MethodGet, pdfKey(r), saveAs(r))
	return s.object(c, fields{"url": address}), err
}

func saveAs(r *record) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": "Invoice " + r.fields.str("number") + ".pdf"})
}

func subscriptionPDF(r *record) []byte {
	return pdf(fmt.Sprintf("Invoice %s: %s", r.fields.str("number"), dollarsOf(r.fields.raw("total"))))
}

// bills seeds three invoices: a paid one for the previous period, an open one
// and a draft.
func (s planSeed) bills(subscription *record) {
	has := selectionOf(subscription)
	for i, status := range []string{"Paid", "Open", "Draft"} {
		r := s.add(s.account, s.invoice, invoiceFields(i+1, status, "Subscription", has.lines(seats(subscription), wholePrice, "A period of")), subscription.id)
		r.created = s.date(-72 + 30*i)
		s.objects.Put(pdfKey(r), subscriptionPDF(r))
	}
	for _, one := range [][2]string{{"TierId", has.tier.id}, {"Interval", has.interval}} {
		s.add(s.account, s.change, fields{
			"type": "Update", "accountId": s.account.id, "name": one[0], "value": one[1], "timestamp": s.date(-90),
		}, subscription.id)
	}
}

// AddSubscriptionInvoice adds an invoice for a subscription and returns its id.
func (s *Server) AddSubscriptionInvoice(subscriptionID string, i models.SubscriptionInvoice) string {
	return s.place(subscriptionInvoicePath, &i, subscriptionID)
}

// SubscriptionInvoice returns the invoice for a subscription with the id and
// reports whether it exists.
func (s *Server) SubscriptionInvoice(id string) (models.SubscriptionInvoice, bool) {
	return recordOf[models.SubscriptionInvoice](s, subscriptionInvoicePath, id)
}
