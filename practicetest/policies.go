package practicetest

// policies say what a user or a group may do with a resource. There is one of each
// matter, and one of each of the first users.
func policies() area {
	policy := &resource{path: "/policies/{reference}", relation: "Policies"}
	return area{name: "Policies", resources: []*resource{policy}, seed: func(sd *seeder, a *account) {
		matters := sd.all(a, "matters")
		rule := func(principal, resource any, operation string, kind int) fields {
			return fields{"principalId": principal, "resourceId": resource, "operation": operation, "type": kind}
		}
		add := func(reference, member string, rules ...fields) {
			sd.addAs(a, policy, reference, fields{"id": sd.newID("policy"), "reference": reference, member: reference, "rules": rules})
		}
		for _, m := range matters {
			add(m.id, "resourceId", rule(sd.user(a, 0), "matters/"+m.id, "Access", 1), rule(sd.user(a, 3), "matters/"+m.id, "Access", 0))
		}
		for i := range 2 {
			add(sd.user(a, i), "principalId", rule(nil, "matters/"+matters[0].id, "Access", 1), rule(nil, "matters", "Execute", 1))
		}
	}}
}
