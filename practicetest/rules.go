package practicetest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// rule is a rule of the API about several members of a body. Violations are
// reported for the first member. values lists the required values of the
// second.
type rule struct {
	kind            string
	members, values []string
}

// rulesOf returns the rules for the bodies that create or change a record.
func (r *resource) rulesOf() (all []rule) {
	for i := range operations {
		o := &operations[i]
		if o.body == nil || o.path != r.path && o.path != r.path[:strings.LastIndexByte(r.path, '/')] {
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

// checkRules refuses a body that violates a rule which depends on the body
// alone.
func (s *Server) checkRules(_ *http.Request, c *call) error {
	if c.route.body == nil {
		return nil
	}
	all := rules[c.route.body.object]
	if len(all) == 0 {
		return nil
	}
	body := c.members()
	for i := range all {
		if err := all[i].judgeBody(c, body); err != nil {
			return err
		}
	}
	return nil
}

func (u *rule) judgeBody(c *call, body fields) error {
	subject, other := u.members[0], u.members[len(u.members)-1]
	switch {
	case !body.given(subject):
	case u.kind == "is not the user" && sameID(body.str(subject)) == sameID(c.userID):
		return faulty(subject, "must not be the user who makes the request")
	case u.kind == "comes with" && u.values == nil && !body.given(other):
		return faulty(subject, "is allowed only together with %s", other)
	case u.kind == "comes with" && u.values != nil && !slices.Contains(u.values, body.value(other)):
		return faulty(subject, "is allowed only if %s is %s", other, strings.Join(u.values, " or "))
	case u.kind == "excludes":
		for _, name := range u.members[1:] {
			if c.has(name) && !c.isNull(name) {
				return faulty(subject, "must not be combined with %s", name)
			}
		}
	}
	return nil
}

// keepsRules refuses a write after which the record would violate a rule. It
// also checks a complete body itself, since the record may not contain all its
// members.
func (t *tx) keepsRules(c *call, r *record) error {
	for i := range r.of.rules {
		if err := r.of.rules[i].judge(t, c, r); err != nil {
			return err
		}
	}
	if c == nil || c.route.body == nil || c.route.method == http.MethodPatch || rules[c.route.body.object] == nil {
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

// judge refuses a record that violates the rule.
func (u *rule) judge(t *tx, c *call, r *record) error {
	subject, other := u.members[0], u.members[len(u.members)-1]
	switch text := r.fields.str(other); u.kind {
	case "at most one of", "exactly one of":
		return u.judgeOne(c, r)
	case "needs":
		if r.fields.given(subject) && !slices.Contains(u.values, r.fields.value(other)) {
			return c.exclusion(subject, other, "requires "+other+" to be "+strings.Join(u.values, " or "))
		}
	case "is 0 with":
		if r.fields.is(other) && !r.fields.amount(subject).IsZero() {
			return c.exclusion(subject, other, "must be 0 if "+other+" is true")
		}
	case "differs from":
		if text != "" && r.fields.str(subject) == text {
			return c.exclusion(subject, other, "must differ from "+other)
		}
	case "lacks":
		if text != "" && slices.Contains(r.fields.ids(subject), text) {
			return c.exclusion(subject, other, "must not contain "+other)
		}
	case "never becomes":
		old := t.server.state.latest(r)
		if c != nil && old != nil && string(c.body[subject]) == "true" && !r.of.derive(old).is(subject) {
			return conflict(subject, "must not become true for an existing %s", r.of.name)
		}
	}
	return nil
}

// judgeOne refuses a record in which several of the members are set. If exactly
// one is required, it also refuses a record without any.
func (u *rule) judgeOne(c *call, r *record) error {
	set := slices.DeleteFunc(slices.Clone(u.members), func(name string) bool { return !r.fields.given(name) })
	switch {
	case len(set) > 1:
		return c.exclusion(set[1], set[0], "must not be combined with "+set[0])
	case len(set) == 0 && u.kind == "exactly one of":
		return faulty(u.members[0], "exactly one of %s is required", strings.Join(u.members, ", "))
	}
	return nil
}

// value returns the value of a member: the content of a string, or else its
// JSON.
func (f fields) value(name string) string { return cmp.Or(f.str(name), string(f.raw(name))) }

// given reports whether a member is set to anything but null, false, zero or an
// empty string or list.
func (f fields) given(name string) bool {
	if inner, isObject := f[name].(fields); isObject {
		return inner != nil
	}
	raw := string(f.raw(name))
	return !slices.Contains([]string{"null", "false", "[]", `""`}, raw) && strings.Trim(raw, "0.") != ""
}
