package practicetest

import "github.com/practicesdk/practice-go/models"

// roles are the parts that people play in a matter; a relationship is one who fills a
// role, or the firm itself.
func roles() area {
	role := &resource{path: "/matters/{matterId}/roles/{id}", relation: "Roles", event: "roles"}
	relationship := &resource{path: "/matters/{matterId}/roles/{roleId}/relationships/{id}", relation: "Relationships", event: "roles"}
	return area{name: "Roles", resources: []*resource{role, relationship}, below: func(sd *seeder, m *record, i int) {
		a, people := m.account, sd.all(m.account, "contacts")
		client, other := people[i%len(people)], people[(i+1)%len(people)]
		r := sd.add(a, role, fields{"name": "Client"}, m.id)
		sd.add(a, relationship, fields{
			"name": "Solicitor", "contact": ref{"contacts", client.id}, "representatives": []string{other.id},
		}, m.id, r.id)
		sd.add(a, relationship, fields{"name": "Attorney", "contact": fields{"href": "/firm/", "rel": "Firm"}}, m.id, r.id)
	}}
}

// Relationship returns a relationship, and whether there is one with the id.
func (s *Server) Relationship(id string) (models.Relationship, bool) {
	return recordOf[models.Relationship](s, "/matters/{matterId}/roles/{roleId}/relationships/{id}", id)
}
