package practicetest

import (
	"net/http"
	"slices"
	"strings"
)

// rule is a sentence of the interface about several members of a body. Its
// first member is the subject; values are those of the second.
type rule struct {
	kind            string
	members, values []string
}

// rulesOf returns the rules of the bodies that create or change a record.
func (r *resource) rulesOf() (all []rule) {
	for i := range operations {
		o := &operations[i]
		if o.body == nil || o.path != r.path && o.path != "/"+strings.Join(r.segments[:len(r.segments)-1], "/") {
			continue
		}
		for _, one := range rules[o.body.object] {
			if !slices.ContainsFunc(all, one.equals) {
				all = append(all, one)
			}
		}
	}
	return all
}

func (u *rule) equals(other rule) bool {
	return u.kind == other.kind && slices.Equal(u.members, other.members) && slices.Equal(u.values, other.values)
}

// checkRules refuses a body that breaks a rule about who sends it.
func (s *Server) checkRules(_ *http.Request, c *call) error {
	if c.route.body == nil {
		return nil
	}
	for _, u := range rules[c.route.body.object] {
		if u.kind != "is not the user" {
			continue
		}
		if named := c.members().str(u.members[0]); named != "" && sameID(named) == sameID(c.userID) {
			return faulty(u.members[0], "is the user who makes the request")
		}
	}
	return nil
}

// keepsRules refuses a record that breaks a rule as a write would leave it, and
// a whole body that breaks one, although the record may not take all of it.
func (t *tx) keepsRules(c *call, r *record) error {
	for i := range r.of.rules {
		if err := r.of.rules[i].judge(t, c, r); err != nil {
			return err
		}
	}
	if c == nil || c.route.body == nil || c.route.method == http.MethodPatch {
		return nil
	}
	body := *r
	body.fields = c.members()
	for _, u := range rules[c.route.body.object] {
		if err := u.judge(t, c, &body); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses a record that breaks the rule.
func (u *rule) judge(t *tx, c *call, r *record) error {
	subject, other := u.members[0], u.members[len(u.members)-1]
	switch text := r.fields.str(other); u.kind {
	case "at most one of", "exactly one of":
		return u.judgeOne(c, r)
	case "needs":
		if r.fields.given(subject) && !slices.Contains(u.values, string(r.fields.raw(other))) {
			return c.exclusion(subject, other, "needs "+other+" to be "+strings.Join(u.values, " or "))
		}
	case "is 0 with":
		if r.fields.is(other) && !r.fields.amount(subject).IsZero() {
			return c.exclusion(subject, other, "must be 0 with "+other)
		}
	case "differs from":
		if text != "" && r.fields.str(subject) == text {
			return c.exclusion(subject, other, "must differ from "+other)
		}
	case "lacks":
		if text != "" && slices.Contains(textsOf(r.fields, subject), text) {
			return c.exclusion(subject, other, "must not repeat "+other)
		}
	case "never becomes":
		old := t.server.state.latest(r)
		if c != nil && old != nil && string(c.body[subject]) == "true" && !r.of.derive(old).is(subject) {
			return conflict(subject, "a %s does not become one", r.of.name)
		}
	}
	return nil
}

// judgeOne refuses a record in which several members are true or have a value,
// or none has one that needs it.
func (u *rule) judgeOne(c *call, r *record) error {
	set := slices.DeleteFunc(slices.Clone(u.members), func(name string) bool { return !r.fields.given(name) })
	switch {
	case len(set) > 1:
		return c.exclusion(set[1], set[0], "excludes "+set[0])
	case len(set) == 0 && u.kind == "exactly one of":
		return faulty(u.members[0], "one of %s is needed", strings.Join(u.members, ", "))
	}
	return nil
}

// given reports whether a member has a value that is not false.
func (f fields) given(name string) bool {
	if inner, isObject := f[name].(fields); isObject {
		return inner != nil
	}
	return !slices.Contains([]string{"null", "false", `""`}, string(f.raw(name)))
}
