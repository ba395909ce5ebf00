package practicetest

import (
	"encoding/json"
	"maps"
)

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
