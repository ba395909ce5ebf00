package practicetest

import "slices"

// changeStaff links a staff member to a user, who has access from then on, and
// removes the access of one who has left. No write restores a former member.
func changeStaff(t *tx, r *record, body fields) {
	if old := t.server.state.latest(r); old != nil && old.fields.is("former") {
		r.fields["former"] = true
	}
	if user := sameID(body.str("userId")); user != "" && !r.fields.is("former") {
		r.fields["user"], r.fields["enabled"] = user, true
	}
	delete(r.fields, "userId")
	for _, name := range []string{"former", "enabled"} {
		r.fields[name] = r.fields.is(name)
	}
	if r.fields.is("former") && r.fields.is("enabled") {
		t.put(r, updated)
		t.leave(r)
	}
}

// briefStaff leaves out the rate.
func briefStaff(r *record, asked []string) {
	if !slices.Contains(asked, "rate") {
		delete(r.fields, "rate")
	}
}
