package practicetest

import (
	"encoding/json"
	"strconv"
	"time"
)

// work makes the fees and expenses of a matter.
func (sd *seeder) work(m *matter) {
	author := m.account.staff[0]
	for i, subject := range []string{"Review lease", "Telephone call", "Appearance"} {
		minutes := 6 * (1 + sd.ids.IntN(20))
		f := &fee{
			id: sd.ids.next(), matter: m, version: sd.ids.next(), author: author.userID, created: sd.past(90), versions: sd.ids,
			members: map[string]json.RawMessage{},
		}
		for name, value := range map[string]any{
			"feeDate": sd.date(90), "subject": subject, "staffId": m.account.staff[1+i%2].id, "invoiceId": nil, "activityCode": "REV",
			"feeType": min(i, 1), "description": "", "duration": minutes, "durationWorked": minutes + 6, "rate": cents(m.account.staff[1].rate),
			"tax": json.Number("0.00"), "taxInclusive": false, "taxExempt": false, "taxOutOfScope": false, "finalized": false,
			"isWrittenOff": false, "isBillable": true, "isInvoicedExternally": false, "sourceItems": []any{},
		} {
			f.members[name] = encode(value)
		}
		m.fees = append(m.fees, f)
		sd.fees[f.id] = f
	}
	for _, subject := range []string{"Courier", "Printing"} {
		price, quantity := 100+sd.ids.Int64N(40000), 1+sd.ids.IntN(5)
		e := &expense{
			id: sd.ids.next(), matter: m, staff: m.account.staff[1], version: sd.ids.next(), author: author.userID,
			code: "PRT", task: "E101", subject: subject, date: sd.date(90),
			quantity: json.Number(strconv.Itoa(quantity) + ".0"), price: price, tax: price * int64(quantity) / 11,
		}
		m.expenses = append(m.expenses, e)
		sd.expenses[e.id] = e
	}
}

// banks makes accounts of all four types. What contacts hold in the trust account
// adds up to what its matters hold, and that to its balance.
func (sd *seeder) banks(a *account) {
	add := func(kind int, name string, b bankAccount) {
		b.id, b.kind, b.name = sd.ids.next(), kind, name
		b.number, b.bank = strconv.FormatInt(10_000_000+sd.ids.Int64N(90_000_000), 10), "First Test Bank"
		b.branch, b.branchNo = "Harbour", "011222"
		a.banks = append(a.banks, &b)
	}
	add(0, "Office account", bankAccount{own: 1_000_000 + sd.ids.Int64N(9_000_000)})
	add(0, "Old office account", bankAccount{closed: true})
	trust := bankAccount{cheques: map[*matter]int64{a.matters[0]: 5550}}
	for i, m := range a.matters {
		for k := range 1 + i%3 {
			entry := contactBalance{matter: m, balance: 100 + sd.ids.Int64N(5_000_000), updated: new(sd.updated(k))}
			if k < 2 {
				entry.contact = a.contacts[(i+k)%len(a.contacts)]
			}
			if k == 0 {
				entry.protected = entry.balance / 5
			}
			trust.ledger = append(trust.ledger, entry)
		}
	}
	add(1, "Trust account", trust)
	add(2, "Credit card", bankAccount{own: -1234})
	for _, m := range a.matters[:min(2, len(a.matters))] {
		add(3, "Controlled money "+m.number, bankAccount{matter: m, ledger: []contactBalance{
			{matter: m, balance: 12_345_678_901 + sd.ids.Int64N(100_000), updated: new(sd.updated(2))},
		}})
	}
}

// updated writes a moment in one of the forms that occur: with Z, without a zone,
// with an offset.
func (sd *seeder) updated(form int) string {
	t := sd.past(200)
	switch form {
	case 1:
		return t.Format("2006-01-02T15:04:05")
	case 2:
		return t.In(time.FixedZone("", 11*3600)).Format("2006-01-02T15:04:05.99-07:00")
	default:
		return utc(t)
	}
}
