package practicetest

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/practicesdk/practice-go/models"
)

// nobodyID is the user id in an invitation that identifies the user only by
// email address.
const nobodyID = "00000000-0000-0000-0000-000000000000"

// users returns the area of users, who can log in to an account. A user who is
// linked to a staff member has access to the firm.
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

// checkPassword refuses a password that lacks one of the four kinds of
// characters.
func checkPassword(_ *tx, c *call, _ *record) error {
	if c != nil && c.has("password") && !c.isNull("password") && !isStrong(member[string](c, "password")) {
		return faulty("password", "must contain lowercase and uppercase letters, digits and other characters")
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

// changeUser removes the password, which is not stored, and sets missing
// members to false. Without a password, the service sends a temporary one by
// email.
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

// removeUser makes the staff member of a deleted user a former one.
func removeUser(t *tx, r *record) {
	if member := t.staffOf(r.id); member != nil && member.fields.is("enabled") {
		t.leave(t.put(t.edit(member), updated))
	}
}

// leave makes a staff member a former one and deletes the member's user. The
// caller adds the staff member to the transaction.
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

// userByAddress returns the user with the email address, or nil if there is
// none.
func (t *tx) userByAddress(address string) *record {
	return t.among("users", func(r *record) bool { return strings.EqualFold(r.fields.str("email"), address) })
}

// staffOf returns the staff member linked to the user, or nil if there is none.
func (t *tx) staffOf(user string) *record {
	return t.among("staff", func(r *record) bool { return r.fields.str("user") == user })
}

// among returns the first record of the account, in the state that writes see,
// for which fits returns true, or nil if there is none.
func (t *tx) among(target string, fits func(*record) bool) *record {
	of := t.server.state.resource(target)
	for _, listed := range t.server.state.list(of, t.account.id).All() {
		if r, err := t.find(of, listed.id, nil); err == nil && fits(r) {
			return r
		}
	}
	return nil
}

// Invitation is an email with a temporary password that was sent to a user.
type Invitation struct {
	// UserID is the id of the user.
	UserID string `json:"userId"`
	// Email is the address that the email was sent to.
	Email string `json:"email"`
	// RequestID is the RequestId of the request. Empty if it had none.
	RequestID string `json:"requestId"`
	// Sent is the time at which the email was sent.
	Sent time.Time `json:"sent"`
}

// Invitations returns the emails with temporary passwords, in order. They are
// sent when a user is invited or added without a password.
func (s *Server) Invitations() []Invitation {
	defer s.settled()()
	return slices.Clone(s.state.invitations)
}

// invite sends an email with a temporary password when the write takes effect.
func (t *tx) invite(user, address string) {
	sent := Invitation{UserID: user, Email: address, RequestID: t.from.requestID, Sent: t.now}
	t.then = func() { t.server.state.invitations = append(t.server.state.invitations, sent) }
}

// inviteUser invites a user. Clients with client credentials send an id of all
// zeros; the user is then found by email address.
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

// AddUser adds a user who is not linked to a staff member and returns the id of
// the user.
func (s *Server) AddUser(user models.UserCreate) string {
	return s.enter("createUser", &user)
}

// User returns the user with the id and reports whether it exists.
func (s *Server) User(id string) (models.User, bool) {
	return recordOf[models.User](s, "/users/{id}", id)
}
