package practicetest

// policies say what a user or a group may do with a resource. There is one of each
// matter, and one of each of the first users.
func policies() area {
	policy := &resource{path: "/policies/{reference}", relation: "Policies"}
	rule := func(principal, resource any, operation string, kind int) fields {
		return fields{"principalId": principal, "resourceId": resource, "operation": operation, "type": kind}
	}
	add := func(sd *seeder, a *account, reference, member string, rules ...fields) {
		sd.addAs(a, policy, reference, fields{"id": sd.newID("policy"), "reference": reference, member: reference, "rules": rules})
	}
	return area{
		name: "Policies", resources: []*resource{policy},
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
