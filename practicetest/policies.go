package practicetest

import (
	"encoding/json"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// policies returns the area of policies, which grant users and groups access to
// resources. Each matter and each of the first two users has a policy. The
// reference of a policy is the id of its subject.
func policies() area {
	policy := policyKind{&resource{
		path: "/policies/{reference}", relation: "Policies", final: []string{"principalId", "resourceId"}, check: checkPolicy,
	}}
	rule := func(principal, resource any, operation string, kind int) fields {
		return fields{"principalId": principal, "resourceId": resource, "operation": operation, "type": kind}
	}
	add := func(sd *seeder, a *account, reference, member string, rules ...fields) {
		sd.addAs(a, policy.resource, reference, fields{"id": sd.newID("policy"), "reference": reference, member: reference, "rules": rules})
	}
	return area{
		name: "Policies", resources: []*resource{policy.resource}, handlers: handlers{"createPolicy": policy.make},
		seed: func(sd *seeder, a *account) {
			first := "matters/" + sd.first("matters", a.id)
			for i := range 2 {
				add(sd, a, sd.user(a, i), "principalId", rule(nil, first, "Access", 1), rule(nil, "matters", "Execute", 1))
			}
		},
		below: func(sd *seeder, m *record, _ int) {
			a, own := m.account, "matters/"+m.id
			add(sd, a, m.id, "resourceId", rule(sd.user(a, 0), own, "Access", 1), rule(sd.user(a, 3), own, "Access", 0))
		},
	}
}

// policyKind is the resource of policies, with the handler that creates them.
type policyKind struct{ *resource }

// about returns the id of the subject of the policy in the body, and the name
// of the member that holds it. The policy of all matters has a fixed id.
func (policy policyKind) about(s *Server, c *call) (id, name string, err error) {
	principal, resource := member[string](c, "principalId"), member[string](c, "resourceId")
	switch {
	case principal == "" && resource == "":
		return "", "", faulty("principalId", "either principalId or resourceId is required")
	case principal != "" && resource != "":
		return "", "", faulty("resourceId", "must not be combined with principalId")
	case principal != "":
		return sameID(principal), "principalId", nil
	case resource == "matters":
		return s.state.uuid("policy of all matters of "+c.account.id, 0), "resourceId", nil
	default:
		return sameID(strings.TrimPrefix(resource, "matters/")), "resourceId", nil
	}
}

// make creates a policy, or replaces the rules of an existing one. The
// behaviour of the real service is unknown.
func (policy policyKind) make(s *Server, c *call) (answer, error) {
	id, name, err := policy.about(s, c)
	if err != nil {
		return nil, err
	}
	s.state.furnish(id) // the policy of a matter is generated with the records below the matter
	w := &write{id: id}
	switch place := s.state.slot(policy.resource, id); {
	case place == nil:
		w = s.making(c, policy.resource, id, "")
	case place.At.account != c.account:
		return nil, conflict(name, "no such user, group or matter")
	}
	return policy.write(s, c, w, nil, func(t *tx) (*record, error) {
		r, what := t.create(policy.resource, id, nil), created
		r.fields["id"] = t.newID("policy")
		// Assumed: a second policy for a record
		if old, err := t.find(policy.resource, id, nil); err == nil {
			r, what = t.edit(old), updated
		}
		r.fields["reference"], r.fields[name], r.fields["rules"] = id, id, rulesOf(c)
		return r, t.settle(c, r, what)
	})
}

func rulesOf(c *call) any {
	if !c.has("rules") || c.isNull("rules") {
		return json.RawMessage("[]")
	}
	return c.body["rules"]
}

// checkPolicy refuses references to matters that do not exist in the firm.
func checkPolicy(t *tx, _ *call, r *record) error {
	if r.fields.str("principalId") == "" {
		if err := t.resource("resourceId", r.fields.str("resourceId")); err != nil {
			return err
		}
	}
	for _, rule := range decoded[[]fields](r.fields.raw("rules")) {
		if name := rule.str("resourceId"); name != "" {
			if err := t.resource("rules", strings.TrimPrefix(name, "matters/")); err != nil {
				return err
			}
		}
	}
	return nil
}

// resource refuses an id that identifies no matter. It accepts the subject of
// the policy of all matters.
func (t *tx) resource(name, id string) error {
	if id == "matters" || id == t.server.state.uuid("policy of all matters of "+t.account.id, 0) {
		return nil
	}
	if err := t.isNamed(name, "matters", id); err != nil {
		return err
	}
	of := t.server.catalog.byTarget["matters"]
	if _, err := t.find(of, id, nil); err != nil {
		return unlessPending(err, conflict(name, "no such %s", of.name))
	}
	return nil
}

// AddPolicy adds a policy to the firm and returns its id.
func (s *Server) AddPolicy(policy models.PolicyWrite) string {
	return s.enter("createPolicy", &policy)
}

// Policy returns the policy with the reference and reports whether it exists.
func (s *Server) Policy(reference string) (models.Policy, bool) {
	return recordOf[models.Policy](s, "/policies/{reference}", reference)
}
