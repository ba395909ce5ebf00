package practicetest

import (
	"net/http"
	"slices"
	"strings"
)

// checkChosen reads the ResourceId and ExternalId headers, with which a client
// chooses the id of a new record and its own id for it. It refuses a ResourceId
// that was used before; how the real service responds is unknown. An ExternalId
// may be used again.
func (s *Server) checkChosen(r *http.Request, c *call) error {
	chosen, external := r.Header.Get("ResourceId"), r.Header.Get("ExternalId")
	if r.Method != http.MethodPost {
		for _, name := range []string{"ResourceId", "ExternalId"} {
			if r.Header.Get(name) != "" {
				return faulty(name, "is allowed only for a create")
			}
		}
		return nil
	}
	c.externalID = external
	if chosen == "" {
		return nil
	}
	if !isUUID(chosen) {
		return invalid(fieldFault{"ResourceId", "Invalid", "must be a UUID"})
	}
	c.chosenID = strings.ToLower(chosen)
	s.state.lookUp(s.state.resource("matters"), c.chosenID)
	if s.state.chosen[c.chosenID] || s.state.holds(c.chosenID) {
		return refuse(http.StatusConflict, "A record with this ResourceId already exists.")
	}
	return nil
}

// holds reports whether a record with the id exists or is reserved by a pending
// write.
func (st *state) holds(id string) bool {
	return slices.ContainsFunc(st.by.resources, func(of *resource) bool { return st.slot(of, id) != nil })
}

// claim holds the ids that a client chose for a new record.
type claim struct {
	id       string
	chosen   bool // whether the client chose id
	external string
}

// idFor returns the id of the record that the call creates. take reserves it
// when the create is accepted.
func (st *state) idFor(c *call, kind string) string {
	c.claim = claim{c.chosenID, c.chosenID != "", c.externalID}
	if !c.claim.chosen {
		c.claim.id = st.newID(kind)
	}
	return c.claim.id
}

// take reserves the ids of an accepted create.
func (st *state) take(of claim) {
	if of.chosen {
		st.chosen[of.id] = true
	}
	if of.external != "" {
		st.external[of.external] = append(st.external[of.external], of.id)
	}
}

// giveBack frees the ids of a create that has failed, so that they can be used
// again.
func (st *state) giveBack(of claim) {
	if of.chosen {
		delete(st.chosen, of.id)
	}
	if of.external != "" {
		st.external[of.external] = slices.DeleteFunc(st.external[of.external], func(id string) bool { return id == of.id })
	}
}

// IDOfExternal returns the id of the latest record that was created with the
// external id, which clients send in the ExternalId header
// (practice.WithExternalID). It reports false if there is none. No operation
// returns the external id, because it is not known in which form the real
// service returns it.
func (s *Server) IDOfExternal(externalID string) (id string, ok bool) {
	defer s.settled()()
	all := s.state.external[externalID]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}
