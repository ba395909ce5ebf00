package practicetest

import "github.com/practicesdk/practice-go/models"

// groups returns the area of groups: sets of users and groups to which policies
// grant access. A group cannot be renamed.
func groups() area {
	group := &resource{path: "/groups/{id}", relation: "Groups", final: []string{"name"}, check: checkGroup}
	return area{name: "Groups", resources: []*resource{group}, seed: func(sd *seeder, a *account) {
		lawyers := sd.add(a, group, fields{"name": "Lawyers", "principalIds": []string{sd.user(a, 1), sd.user(a, 4)}})
		sd.add(a, group, fields{"name": "Office", "principalIds": []string{sd.user(a, 3)}})
		sd.add(a, group, fields{"name": "Everybody", "principalIds": []string{sd.user(a, 0), lawyers.id}})
	}}
}

// checkGroup refuses a group that contains itself.
func checkGroup(_ *tx, _ *call, r *record) error {
	if naming("principalIds")(r, r.id) {
		return faulty("principalIds", "must not contain the group itself")
	}
	return nil
}

// AddGroup adds a group to the firm and returns its id.
func (s *Server) AddGroup(group models.GroupCreate) string {
	return s.enter("createGroup", &group)
}

// Group returns the group with the id and reports whether it exists.
func (s *Server) Group(id string) (models.Group, bool) {
	return recordOf[models.Group](s, "/groups/{id}", id)
}
