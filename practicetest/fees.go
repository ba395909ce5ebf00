package practicetest

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/govalues/decimal"
)

func feeHandlers() handlers {
	return handlers{
		"patchFee": (*Server).patchFee,
		"getFee":   (*Server).getFee,
	}
}

// fee keeps its members as the wire has them, so that a PATCH merges what was sent
// and nothing else.
type fee struct {
	id       string
	matter   *matter
	version  string
	author   string
	editor   string
	created  time.Time
	members  map[string]json.RawMessage
	itemIDs  []string
	versions *idSource
}

func (s *Server) ownFee(c *call) (*fee, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	f, err := own(c, s.state.fees, c.value("id"), "fee", func(f *fee) *account { return f.matter.account })
	if err == nil && f.matter != m {
		return nil, notFound("fee")
	}
	return f, err
}

// patchFee merges the members that were sent into the fee.
func (s *Server) patchFee(c *call) ([]byte, error) {
	f, err := s.ownFee(c)
	if err != nil {
		return nil, err
	}
	if err := s.checkFee(c, f); err != nil {
		return nil, err
	}
	change := c.body
	s.accept(c, "fee", f.id, func(now time.Time, from cause) {
		f.merge(change, from.userID)
		s.raise(now, from, "fee.updated", encode(f.wire(from.link)))
	})
	return encode(c.link.to(f.id, "Fees", "matters", f.matter.id, "fees", f.id)), nil
}

// checkFee knows the rules that span several members.
func (s *Server) checkFee(c *call, f *fee) error {
	merged := maps.Clone(f.members)
	maps.Copy(merged, c.body)
	if string(merged["taxExempt"]) == "true" && string(merged["taxOutOfScope"]) == "true" {
		return c.exclusion("taxOutOfScope", "taxExempt", "excludes taxExempt")
	}
	if string(merged["isWrittenOff"]) == "true" && string(merged["isBillable"]) != "true" {
		return c.exclusion("isWrittenOff", "isBillable", "only a billable fee can be written off")
	}
	if id := member[string](c, "staffId"); id != "" {
		staff := s.state.staff[strings.ToLower(id)]
		if staff == nil || staff.account != c.account {
			return conflict("staffId", "no such staff member")
		}
	}
	return nil
}

func (f *fee) merge(change map[string]json.RawMessage, userID string) {
	for name, raw := range change {
		switch name {
		case "updatedByUserId":
			userID, _ = asText(raw)
		case "createdFromActivityId": // honoured when a fee is created, not later
		default:
			f.members[name] = raw
		}
	}
	if string(f.members["taxExempt"]) == "true" || string(f.members["taxOutOfScope"]) == "true" {
		f.members["tax"] = json.RawMessage("0")
	}
	f.editor = userID
	f.version = f.versions.next()
}

// total is the rate of a fixed fee, or the rate times the hours of a timed one.
func (f *fee) total() decimal.Decimal {
	rate := exact(json.Number(f.members["rate"]))
	if string(f.members["feeType"]) == "0" {
		return rate.Pad(2)
	}
	hours, err := exact(json.Number(f.members["duration"])).Quo(decimal.MustNew(60, 0))
	if err != nil {
		return decimal.Decimal{}
	}
	return product(rate, hours)
}

// taxes splits the total into the amounts without and with tax.
func (f *fee) taxes() (excluding, including decimal.Decimal) {
	total := f.total()
	tax := decimal.Decimal{}
	if raw := string(f.members["tax"]); raw != "null" {
		tax = exact(json.Number(raw))
	}
	if string(f.members["taxInclusive"]) == "true" {
		less, err := total.Sub(tax)
		if err != nil {
			return total, total
		}
		return less, total
	}
	more, err := total.Add(tax)
	if err != nil {
		return total, total
	}
	return total, more
}

// getFee answers one fee.
func (s *Server) getFee(c *call) ([]byte, error) {
	f, err := s.ownFee(c)
	if err != nil {
		return nil, err
	}
	return encode(f.wire(c.link)), nil
}

// wire writes the fee as a read operation returns it.
func (f *fee) wire(l linker) map[string]any {
	segments := []string{"matters", f.matter.id, "fees", f.id}
	at := l.head("Fees", segments...)
	excluding, including := f.taxes()
	w := map[string]any{
		"id": f.id, "href": at.Href, "relation": at.Relation, "method": at.Method, "self": at.Self,
		"versionId": f.version, "matter": l.matter(f.matter.id), "matterId": f.matter.id,
		"createdByUserId": f.author, "createdDate": utc(f.created), "lastUpdatedByUserId": orNull(f.editor),
		"amount": number(f.total()), "amountExcTax": number(excluding), "amountIncTax": number(including),
		"billableAmountExcTax": number(excluding), "isDeleted": false, "utbmsTaskCode": nil, "createdFromActivityId": nil,
	}
	for name, raw := range maps.All(f.members) {
		w[name] = raw
	}
	if id, given := asText(f.members["staffId"]); given {
		w["staff"] = l.staff(id)
	}
	w["sourceItems"] = f.items()
	return w
}

// items are the source items, each with an id of its own.
func (f *fee) items() []map[string]json.RawMessage {
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(f.members["sourceItems"], &items); err != nil {
		panic("practicetest: the schema let sourceItems pass: " + err.Error())
	}
	for i := range items {
		if i == len(f.itemIDs) {
			f.itemIDs = append(f.itemIDs, f.versions.next())
		}
		items[i]["id"] = encode(f.itemIDs[i])
	}
	return items
}
