package practicetest

import (
	"errors"

	"github.com/practicesdk/practice-go/models"
)

// groups are sets of users and groups to which policies give access. Their names never
// change.
func groups() area {
	group := &resource{path: "/groups/{id}", relation: "Groups", final: []string{"name"}, check: checkGroup}
	return area{name: "Groups", resources: []*resource{group}, seed: func(sd *seeder, a *account) {
		lawyers := sd.add(a, group, fields{"name": "Lawyers", "principalIds": []string{sd.user(a, 1), sd.user(a, 4)}})
		sd.add(a, group, fields{"name": "Office", "principalIds": []string{sd.user(a, 3)}})
		sd.add(a, group, fields{"name": "Everybody", "principalIds": []string{sd.user(a, 0), lawyers.id}})
	}}
}

// checkGroup refuses members that are no users or groups of the firm.
func checkGroup(t *tx, _ *call, r *record) error {
	for _, id := range r.fields.ids("principalIds") {
		if sameID(id) == r.id {
			return conflict("principalIds", "a group is not a member of itself")
		}
		if err := t.principal("principalIds", id); err != nil {
			return err
		}
	}
	return nil
}

// principal tells whether there is a user or a group with the identifier.
func (t *tx) principal(name, id string) error {
	for _, target := range []string{"users", "groups"} {
		_, err := t.find(t.server.state.resource(target), id, nil)
		if pending := (*pendingError)(nil); err == nil || errors.As(err, &pending) {
			return err
		}
	}
	return conflict(name, "no such user or group")
}

// AddGroup adds a group to the firm and returns its id.
func (s *Server) AddGroup(group models.GroupCreate) string {
	return s.enter("createGroup", &group)
}

// Group returns a group, and whether there is one with the id.
func (s *Server) Group(id string) (models.Group, bool) {
	return recordOf[models.Group](s, "/groups/{id}", id)
}
