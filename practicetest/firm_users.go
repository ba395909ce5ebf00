package practicetest

import (
	"cmp"
	"net/http"

	"github.com/practicesdk/practice-go/models"
)

// firmUsers is a view of the staff members who are or were users.
type firmUsers struct{ *resource }

// of returns the firm user record of a staff member.
func (u firmUsers) of(member *record) *record {
	r := *member
	r.of, r.text, r.sparse = u.resource, &recordTexts{}, false
	r.fields = fields{"staffId": member.id, "userId": member.fields["user"], "isFormerUser": !member.fields.is("enabled")}
	return &r
}

// tellOfFirmUser raises firmuser.updated for a staff member whose user was
// added or removed.
func (t *tx) tellOfFirmUser(member *record) {
	users := firmUsers{t.server.state.resource("firmusers")}
	t.tell("firmuser.updated", func(v view) []byte { return v.record(users.of(member)) })
}

// named returns the staff member identified by id, which is the id of the
// member or of the member's user. Unless tie is set, a member who was never a
// user is not found.
func (u firmUsers) named(t *tx, id string, tie bool) (*record, error) {
	people := t.server.state.resource("staff")
	if t.server.state.slot(people, id) == nil {
		member := t.staffOf(sameID(id))
		if _, err := t.find(t.server.state.resource("users"), id, nil); member == nil && (err != nil || !tie) {
			return nil, cmp.Or[error](err, notFound(u.name))
		}
		return member, nil
	}
	member, err := t.find(people, id, nil)
	if err == nil && !tie && member.fields.str("user") == "" {
		err = notFound(u.name)
	}
	return member, err
}

func (u firmUsers) list(s *Server, c *call) (answer, error) {
	var all []*record
	for _, member := range s.state.list(s.state.resource("staff"), c.account.id).All() {
		if member.fields.str("user") != "" {
			all = append(all, u.of(member))
		}
	}
	return s.listing(c, u.resource, all), nil
}

func (u firmUsers) get(s *Server, c *call) (answer, error) {
	member, err := u.named(s.tx(c), c.value("id"), false)
	if err != nil {
		return nil, err
	}
	return s.recordOr(c, u.of(member), nil)
}

// update links a user to a staff member, or removes the link if the body names
// no user. The staff member defaults to the one in the path.
func (u firmUsers) update(s *Server, c *call) (answer, error) {
	id, body := c.value("id"), c.members()
	target := ""
	err := s.accept(c, &write{resource: u.relation, id: id}, func(t *tx) error {
		member, err := u.named(t, id, true)
		if err != nil {
			return err
		}
		if staff := body.str("staffId"); staff != "" {
			if member, err = t.find(s.state.resource("staff"), staff, nil); err != nil {
				return unlessPending(err, conflict("staffId", "no such staff member"))
			}
		}
		if member == nil {
			return conflict("staffId", "the user is not linked to a staff member")
		}
		target = member.id
		return u.tie(t, member, sameID(body.str("userId")))
	})
	return s.link(c, u.resource, target), err
}

// tie links a user to a staff member; "" removes the link.
func (u firmUsers) tie(t *tx, member *record, user string) error {
	if user != "" {
		if _, err := t.find(t.server.state.resource("users"), user, nil); err != nil {
			return unlessPending(err, conflict("userId", "no such user"))
		}
		if other := t.staffOf(user); other != nil && other.id != member.id {
			return conflict("userId", "is already linked to a different staff member")
		}
	}
	if member.fields.is("former") {
		return conflict("staffId", "must not be a former staff member")
	}
	member = t.edit(member)
	member.fields["user"], member.fields["enabled"] = user, user != ""
	t.put(member, updated)
	t.tellOfFirmUser(member)
	return nil
}

// delete removes the user from a staff member. If that was done before, the
// service responds with 200 instead of 202.
func (u firmUsers) delete(s *Server, c *call) (answer, error) {
	id := c.value("id")
	gone := false
	err := s.accept(c, &write{resource: u.relation, id: id}, func(t *tx) error {
		member, err := u.named(t, id, false)
		if err != nil {
			return err
		}
		if gone = !member.fields.is("enabled"); gone {
			return nil
		}
		t.leave(t.put(t.edit(member), updated))
		return nil
	})
	if err != nil || !gone {
		return nil, err
	}
	c.status = http.StatusOK
	return s.link(c, u.resource, id), nil
}

// FirmUser returns the firm user of the staff member with the id and reports
// whether there is one.
func (s *Server) FirmUser(id string) (models.FirmUser, bool) {
	defer s.settled()()
	slot := s.state.slot(s.state.resource("staff"), id)
	if slot == nil || slot.Now == nil || slot.Now.fields.str("user") == "" {
		return models.FirmUser{}, false
	}
	return readBack[models.FirmUser](s, firmUsers{s.state.resource("firmusers")}.of(slot.Now)), true
}
