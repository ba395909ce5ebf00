package practicetest

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// checkUsers checks the members of the body that name a user. The user must
// belong to the firm. Only tokens of the client credentials grant may name
// another user than their own; for other tokens that is a violation, and the
// member is ignored.
func (s *Server) checkUsers(_ *http.Request, c *call) error {
	form := c.route.body
	if form == nil || form.kind != kindList {
		return s.checkUsersOf(c, form, c.body, "")
	}
	if form.elem.kind != kindObject {
		return nil
	}
	all := decoded[[]map[string]json.RawMessage](c.rawBody)
	for i := range all {
		if err := s.checkUsersOf(c, form.elem, all[i], "["+strconv.Itoa(i)+"]."); err != nil {
			return err
		}
	}
	if len(all) > 0 {
		c.rawBody = encode(all)
	}
	return nil
}

// checkUsersOf does what checkUsers does, for one object. It deletes the member
// if it must be ignored.
func (s *Server) checkUsersOf(c *call, form *value, body map[string]json.RawMessage, at string) error {
	if form == nil {
		return nil
	}
	for i := range schemas[form.object] {
		m := &schemas[form.object][i]
		if m.name != "updatedByUserId" && (m.name != "userId" || m.to != "" || m.kind != kindUUID) {
			continue
		}
		named, _ := asText(body[m.name])
		switch {
		case named == "":
		case !s.state.hasUser(c.account, named):
			return conflict(at+m.name, "no such user")
		case !c.grant.clientCredentials && sameID(named) != c.grant.userID:
			s.violate(c, "%s must be the user of the token, except with the client credentials grant", at+m.name)
			delete(body, m.name)
		}
	}
	return nil
}

// hasUser reports whether the account has the user and the user is not deleted.
func (st *state) hasUser(a *account, id string) bool {
	place := st.slot(st.resource("users"), id)
	return place != nil && place.At.account == a && place.Now != nil && !place.Now.deleted
}
