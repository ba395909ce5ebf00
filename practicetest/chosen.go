package practicetest

import (
	"net/http"
	"strings"
)

// checkChosen reads the ResourceId header, by which a partner chooses the id of
// the record that a POST makes, and ExternalId, its own name for it. It refuses
// an id that was used before; nobody has seen how the service answers one.
func (s *Server) checkChosen(r *http.Request, c *call) error {
	chosen := r.Header.Get("ResourceId")
	switch {
	case chosen == "":
		return nil
	case r.Method != http.MethodPost:
		return invalid(fieldFault{"ResourceId", "Invalid", "only a create has one"})
	case !isUUID(chosen):
		return invalid(fieldFault{"ResourceId", "Invalid", "not a UUID"})
	}
	c.chosenID = strings.ToLower(chosen)
	if s.state.chosen[c.chosenID] {
		return refuse(http.StatusConflict, "There is a record with this ResourceId.")
	}
	return nil
}

// idFor is the id of a record that a create makes.
func (st *state) idFor(c *call, kind string) string {
	if c.chosenID == "" {
		return st.newID(kind)
	}
	st.chosen[c.chosenID] = true
	return c.chosenID
}
