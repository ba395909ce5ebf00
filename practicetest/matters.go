package practicetest

import "strconv"

var matterKinds = [...]string{"Sale", "Purchase", "Lease", "Estate", "Family", "Litigation"}

// matters are what a firm works on. Many other records lie below one.
func matters() area {
	matter := &resource{path: "/matters/{matterId}", relation: "Matters", event: "matter"}
	return area{name: "Matters", resources: []*resource{matter}, seed: func(sd *seeder, a *account) {
		people := sd.all(a, "contacts")
		made := make([]*record, sd.matters)
		for i := range made {
			kind, client := matterKinds[i%len(matterKinds)], people[i%len(people)]
			made[i] = sd.make(a, matter, sd.newID(matter.path), fields{
				"number": strconv.Itoa(10001 + i), "title": lastName(client) + " | " + kind, "description": kind, "status": "Open",
				"matterTypeId": sd.newID("mattertype") + "_IL", "clients": []string{client.id},
			}, nil)
		}
		sd.putAll(made)
	}}
}

// lastName is that of a person.
func lastName(contact *record) string { return contact.fields["person"].(fields).str("lastName") }
