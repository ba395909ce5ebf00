package practicetest

import "slices"

// changeStaff gives a staff member access if the body has a user, and removes
// the access when the member leaves. A former member cannot be restored.
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

// briefStaff removes the rate unless the query asks for it.
func briefStaff(r *record, asked []string) {
	if !slices.Contains(asked, "rate") {
		delete(r.fields, "rate")
	}
}
