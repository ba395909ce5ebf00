package practicetest

import (
	"slices"
	"strconv"
)

// checkMatter knows the rules that span several members, and what a matter refers to.
func checkMatter(t *tx, c *call, r *record) error {
	if err := checkMatterType(t, r); err != nil {
		return err
	}
	if role := r.fields.str("clientRole"); role != "" && role == r.fields.str("otherSideRole") {
		return conflict("otherSideRole", "must differ from clientRole")
	}
	if err := checkPeopleOfMatter(t, r); err != nil {
		return err
	}
	for _, pair := range [][2]string{{"personAssistingStaffIds", "personAssistingStaffId"}, {"originatingStaffIds", "originatingStaffId"}} {
		if one := r.fields.str(pair[1]); one != "" && slices.Contains(textsOf(r.fields, pair[0]), one) {
			return c.exclusion(pair[0], pair[1], "must not repeat "+pair[1])
		}
	}
	return checkCheques(t, r)
}

// checkMatterType wants what a new matter needs, and a type of its kind.
func checkMatterType(t *tx, r *record) error {
	if r.revision == 0 {
		for _, name := range []string{"clientIds", "matterTypeId", "status"} {
			if raw := string(r.fields.raw(name)); raw == "null" || raw == "[]" || raw == `""` {
				return conflict(name, "required")
			}
		}
	}
	if r.fields.str("matterTypeId") == "" {
		return nil
	}
	kind, err := t.find(t.server.catalog.byTarget["mattertypes"], r.fields.str("matterTypeId"), nil)
	if err != nil {
		return conflict("matterTypeId", "no such matter type")
	}
	if lead := string(kind.fields.raw("type")) == "1"; lead != isLead(r) {
		return conflict("matterTypeId", "a type of leads is for leads, and no other")
	}
	return nil
}

// checkPeopleOfMatter looks up the contacts and staff members of a matter.
func checkPeopleOfMatter(t *tx, r *record) error {
	for _, name := range []string{"personResponsibleStaffId", "personAssistingStaffId", "originatingStaffId", "supervisorStaffId"} {
		if err := t.refers(r, name, "staff"); err != nil {
			return err
		}
	}
	if err := t.refers(r, "referrerId", "contacts"); err != nil {
		return err
	}
	for _, one := range [][2]string{
		{"clientIds", "contacts"}, {"otherSideIds", "contacts"}, {"personAssistingStaffIds", "staff"}, {"originatingStaffIds", "staff"},
	} {
		if err := t.refersToAll(r, one[0], one[1]); err != nil {
			return err
		}
	}
	return nil
}

// refersToAll tells whether the records that a list names exist.
func (t *tx) refersToAll(r *record, name, to string) error {
	of := t.server.catalog.byTarget[to]
	for i, id := range textsOf(r.fields, name) {
		if _, err := t.find(of, id, nil); err != nil {
			return unlessPending(err, conflict(name+"["+strconv.Itoa(i)+"]", "no such %s", of.name))
		}
	}
	return nil
}
