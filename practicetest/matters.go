package practicetest

import "strconv"

// matters are what a firm works on. Many other records lie below one.
func matters() area {
	matter := &resource{path: "/matters/{matterId}", relation: "Matters", event: "matter"}
	return area{name: "Matters", resources: []*resource{matter}, seed: func(sd *seeder, a *account) {
		people, kinds := sd.all(a, "contacts"), sd.all(a, "mattertypes")
		made := make([]*record, sd.matters)
		for i := range made {
			plan, client := sd.plan(i), people[i%len(people)]
			made[i] = sd.make(a, matter, sd.newID(matter.path), fields{
				"number": strconv.Itoa(10001 + i), "title": lastName(client) + " | " + practiceKinds[plan.kind].name,
				"description": plan.description, "status": plan.status,
				"matterTypeId": kinds[plan.kind].id, "clients": []string{client.id},
			}, nil)
		}
		sd.putAll(made)
	}}
}

// lastName is that of a person.
func lastName(contact *record) string { return contact.fields["person"].(fields).str("lastName") }
