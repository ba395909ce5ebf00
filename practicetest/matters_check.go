package practicetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// checkMatter checks the rules that involve several members.
func checkMatter(t *tx, c *call, r *record) error {
	return cmp.Or(checkMatterType(t, r), checkSplit(t, c, r), checkCheques(t, r))
}

// checkSplit checks how the credit for bringing in a matter is split. Each
// originating staff member must have one share, and shares that are ratios must
// add up to 10,000.
func checkSplit(t *tx, c *call, r *record) error {
	const member = "splitOriginatingStaffSettings"
	written, sent := r.fields.raw(member), c != nil && c.has(member)
	var split struct {
		IsEnabled         bool   `json:"isEnabled"`
		SplitMethod       string `json:"splitMethod"`
		RemainderStaffID  string `json:"remainderStaffId"`
		SplitMatterStaffs []struct {
			MatterStaffID    string `json:"matterStaffId"`
			MatterStaffRatio int64  `json:"matterStaffRatio"`
		} `json:"splitMatterStaffs"`
	}
	_ = json.Unmarshal(written, &split) // cannot fail: the schema check has passed
	if !split.IsEnabled {
		return nil
	}
	if old := t.server.state.latest(r); old != nil && bytes.Equal(old.fields.raw(member), written) {
		return t.keepsOriginators(old, r)
	}
	const at = member + "."
	brought, shares, all := r.fields.ids("originatingStaffIds"), []string(nil), int64(0)
	if one := r.fields.str("originatingStaffId"); one != "" {
		brought = append(brought, one)
	}
	for _, share := range split.SplitMatterStaffs {
		shares, all = append(shares, share.MatterStaffID), all+share.MatterStaffRatio
	}
	switch {
	case split.SplitMethod == "UseRatio" && all != 10_000:
		return breach(sent, at+"splitMatterStaffs", "must add up to 10000")
	case !sameIDs(shares, brought):
		return breach(r.revision == 0, at+"splitMatterStaffs", "must contain each originating staff member exactly once")
	case split.RemainderStaffID != "" && !slices.Contains(lower(shares), sameID(split.RemainderStaffID)):
		return breach(sent, at+"remainderStaffId", "must be one of splitMatterStaffs")
	}
	return nil
}

// keepsOriginators refuses to change the originating staff while the credit is
// split.
func (t *tx) keepsOriginators(old, r *record) error {
	for _, name := range []string{"originatingStaffId", "originatingStaffIds"} {
		if !sameIDs(old.fields.ids(name), r.fields.ids(name)) {
			return conflict(name, "must not change while the credit is split")
		}
	}
	return nil
}

// sameIDs reports whether two lists hold the same ids, in any order.
func sameIDs(a, b []string) bool {
	a, b = lower(a), lower(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// missingOfMatter returns a fault for each required member that a new matter
// lacks.
func missingOfMatter(r *record) (missing []fieldFault) {
	for _, name := range []string{"clientIds", "matterTypeId", "status"} {
		if raw := string(r.fields.raw(name)); raw == "null" || raw == "[]" || raw == `""` {
			missing = append(missing, fieldFault{name, "Invalid", "is required"})
		}
	}
	return missing
}

// checkMatterType requires the mandatory members of a new matter. It refuses a
// matter type for leads on a matter, and the reverse.
func checkMatterType(t *tx, r *record) error {
	if missing := missingOfMatter(r); r.revision == 0 && len(missing) > 0 {
		return invalid(missing...)
	}
	if r.fields.str("matterTypeId") == "" {
		return nil
	}
	kind, err := t.known(t.server.catalog.byTarget["mattertypes"], r.fields.str("matterTypeId"), nil)
	if err != nil {
		return unlessPending(err, nil) // tx.references reports unknown ids
	}
	if lead := string(kind.fields.raw("type")) == "1"; lead != isLead(r) {
		return conflict("matterTypeId", "must be a matter type for leads if isLead is true, and otherwise a matter type for matters")
	}
	return nil
}
