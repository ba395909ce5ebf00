package practicetest

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/practicesdk/practice-go/models"
)

// nobodyID is the id of an invitation that identifies the user by the address
// alone.
const nobodyID = "00000000-0000-0000-0000-000000000000"

// users can log in to an account. One who is tied to a staff member has access
// to the firm.
func users() area {
	user := &resource{
		path: "/users/{id}", relation: "Users", events: map[changeKind]string{created: "user.registered", deleted: "user.unregistered"},
		check: checkPassword, change: changeUser, remove: removeUser, vanishes: true,
		derive: func(r *record) fields { return fields{"userId": r.id} },
	}
	return area{
		name: "Users", resources: []*resource{user}, handlers: handlers{"inviteUser": (*Server).inviteUser},
		seed: func(sd *seeder, a *account) {
			for _, member := range sd.all(a, "staff") {
				if member.fields.is("enabled") {
					sd.addAs(a, user, member.fields.str("user"), fields{"email": member.fields["email"], "isInternal": false, "bypassMfa": false})
				}
			}
			sd.add(a, user, fields{"email": "newcomer@firm.example.test", "isInternal": false, "bypassMfa": false})
		},
	}
}

// checkPassword wants a password that is hard to guess.
func checkPassword(_ *tx, c *call, _ *record) error {
	if c != nil && c.has("password") && !c.isNull("password") && !isStrong(member[string](c, "password")) {
		return faulty("password", "needs lower-case and upper-case letters, digits and other characters")
	}
	return nil
}

func isStrong(password string) bool {
	for _, kind := range []func(rune) bool{unicode.IsLower, unicode.IsUpper, unicode.IsDigit, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}} {
		if !strings.ContainsFunc(password, kind) {
			return false
		}
	}
	return true
}

// changeUser drops the password, and sets missing members to false. A password
// that the service must create is sent by e-mail.
func changeUser(t *tx, r *record, body fields) {
	if body.str("password") == "" {
		t.invite(r.id, r.fields.str("email"))
	}
	delete(r.fields, "password")
	for _, name := range []string{"isInternal", "bypassMfa"} {
		if _, given := body[name]; !given {
			r.fields[name] = false
		}
	}
}

// removeUser makes the staff member of a user a former one.
func removeUser(t *tx, r *record) {
	if member := t.staffOf(r.id); member != nil && member.fields.is("enabled") {
		t.leave(t.put(t.edit(member), updated))
	}
}

// leave makes a staff member of the commit a former one whose user is removed.
func (t *tx) leave(member *record) {
	user, enabled := member.fields.str("user"), member.fields.is("enabled")
	member.fields["former"], member.fields["enabled"] = true, false
	if !enabled {
		return
	}
	if r, err := t.find(t.server.state.resource("users"), user, nil); err == nil {
		t.drop(r)
	}
	t.tellOfFirmUser(member)
}

// userByAddress returns the user with an e-mail address, or nil.
func (t *tx) userByAddress(address string) *record {
	return t.among("users", func(r *record) bool { return strings.EqualFold(r.fields.str("email"), address) })
}

// staffOf returns the staff member that a user is tied to, or nil.
func (t *tx) staffOf(user string) *record {
	return t.among("staff", func(r *record) bool { return r.fields.str("user") == user })
}

// among returns the first record of the account that a write sees and that
// fits, or nil.
func (t *tx) among(target string, fits func(*record) bool) *record {
	of := t.server.state.resource(target)
	for _, listed := range t.server.state.list(of, t.account.id).All() {
		if r, err := t.find(of, listed.id, nil); err == nil && fits(r) {
			return r
		}
	}
	return nil
}

// Invitation is an e-mail with a temporary password that was sent to a user.
type Invitation struct {
	// UserID is the user.
	UserID string `json:"userId"`
	// Email is the address that it was sent to.
	Email string `json:"email"`
	// RequestID is the RequestId of the request; empty when it had none.
	RequestID string `json:"requestId"`
	// Sent is the time it was sent.
	Sent time.Time `json:"sent"`
}

// Invitations returns the temporary passwords that were sent to users by
// e-mail, in order: by an invitation, or because a user was added without a
// password.
func (s *Server) Invitations() []Invitation {
	defer s.settled()()
	return slices.Clone(s.state.invitations)
}

// invite sends a temporary password when the write takes effect.
func (t *tx) invite(user, address string) {
	sent := Invitation{UserID: user, Email: address, RequestID: t.from.requestID, Sent: t.now}
	t.then = func() { t.server.state.invitations = append(t.server.state.invitations, sent) }
}

// inviteUser invites a user. The all-zero id stands for the user who has the
// given address; a client that acts for itself sends it.
func (s *Server) inviteUser(c *call) (answer, error) {
	of, id, address := s.state.resource("users"), sameID(c.value("id")), member[string](c, "email")
	if id == nobodyID {
		known := s.tx(c).userByAddress(address)
		if known == nil {
			return nil, notFound(of.name)
		}
		id = known.id
	}
	err := s.accept(c, &write{resource: of.relation, id: id}, func(t *tx) error {
		if _, err := t.find(of, id, nil); err != nil {
			return err
		}
		t.invite(id, address)
		return nil
	})
	return s.link(c, of, id), err
}

// AddUser adds a user, who belongs to no staff member yet, and returns its id.
func (s *Server) AddUser(user models.UserCreate) string {
	return s.enter("createUser", &user)
}

// User returns a user, and whether there is one with the id.
func (s *Server) User(id string) (models.User, bool) {
	return recordOf[models.User](s, "/users/{id}", id)
}
