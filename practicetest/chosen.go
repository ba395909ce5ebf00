package practicetest

import (
	"net/http"
	"slices"
	"strings"
)

// checkChosen reads the ResourceId header, by which a partner chooses the id of
// a new record, and ExternalId, its own name for it. It refuses an id that was
// used before; the real answer is unknown. The same ExternalId may be used
// again.
func (s *Server) checkChosen(r *http.Request, c *call) error {
	chosen, external := r.Header.Get("ResourceId"), r.Header.Get("ExternalId")
	if r.Method != http.MethodPost {
		for _, name := range []string{"ResourceId", "ExternalId"} {
			if r.Header.Get(name) != "" {
				return faulty(name, "only a create has one")
			}
		}
		return nil
	}
	c.externalID = external
	if chosen == "" {
		return nil
	}
	if !isUUID(chosen) {
		return invalid(fieldFault{"ResourceId", "Invalid", "not a UUID"})
	}
	c.chosenID = strings.ToLower(chosen)
	s.state.lookUp(s.state.resource("matters"), c.chosenID)
	if s.state.chosen[c.chosenID] || s.state.holds(c.chosenID) {
		return refuse(http.StatusConflict, "There is a record with this ResourceId.")
	}
	return nil
}

// holds reports whether any record has the id, or a write has reserved it.
func (st *state) holds(id string) bool {
	return slices.ContainsFunc(st.by.resources, func(of *resource) bool { return st.slot(of, id) != nil })
}

// claim holds the partner's own names for a new record.
type claim struct {
	id       string
	chosen   bool // the partner chose the id
	external string
}

// idFor returns the id of a record that a create makes. It is taken when the
// create is accepted.
func (st *state) idFor(c *call, kind string) string {
	c.claim = claim{c.chosenID, c.chosenID != "", c.externalID}
	if !c.claim.chosen {
		c.claim.id = st.newID(kind)
	}
	return c.claim.id
}

// take assigns the names of a create to its record.
func (st *state) take(of claim) {
	if of.chosen {
		st.chosen[of.id] = true
	}
	if of.external != "" {
		st.external[of.external] = append(st.external[of.external], of.id)
	}
}

// giveBack frees the names of a create that has failed: no record has them.
func (st *state) giveBack(of claim) {
	if of.chosen {
		delete(st.chosen, of.id)
	}
	if of.external != "" {
		st.external[of.external] = slices.DeleteFunc(st.external[of.external], func(id string) bool { return id == of.id })
	}
}

// IDOfExternal returns the id of the latest record that a partner created under
// a name of its own, with the ExternalId header (practice.WithExternalID). It
// reports false when there is none. Nothing is known of how the service shows
// the name, so no operation answers with it.
func (s *Server) IDOfExternal(externalID string) (id string, ok bool) {
	defer s.settled()()
	all := s.state.external[externalID]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}
