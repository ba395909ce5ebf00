package practicetest

import (
	"net/http"
	"slices"
)

// checkUsers checks the users that a body names. Each must be one of the firm. One for
// whom an integration acts is only for server-to-server use: under the token of another
// user that is a mistake, and the service goes by the token.
func (s *Server) checkUsers(_ *http.Request, c *call) error {
	if c.route.body == nil {
		return nil
	}
	for i := range schemas[c.route.body.object] {
		m := &schemas[c.route.body.object][i]
		if m.name != "updatedByUserId" && (m.name != "userId" || m.to != "" || m.kind != kindUUID) {
			continue
		}
		named, _ := asText(c.body[m.name])
		switch {
		case named == "":
		case !s.state.hasUser(c.account, named):
			return conflict(m.name, "no such user")
		case !c.grant.clientCredentials && sameID(named) != c.grant.userID:
			s.violate(c, "%s names another user than that of the token, which is only for server-to-server use", m.name)
			delete(c.body, m.name)
		}
	}
	return nil
}

// hasUser tells whether an account has a user, or a staff member whose user it is.
func (st *state) hasUser(a *account, id string) bool {
	if place := st.slot(st.resource("users"), id); place != nil && place.now != nil {
		return place.account == a
	}
	return slices.ContainsFunc(st.list(st.resource("staff"), a.id).all(), func(r *record) bool { return r.fields.str("user") == sameID(id) })
}
