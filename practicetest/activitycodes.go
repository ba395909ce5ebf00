package practicetest

import (
	"encoding/json"
	"slices"
	"time"
)

func activityCodeHandlers() handlers {
	return handlers{
		"listActivityCodes":  (*Server).listActivityCodes,
		"createActivityCode": (*Server).createActivityCode,
		"getActivityCode":    (*Server).getActivityCode,
		"updateActivityCode": (*Server).updateActivityCode,
		"deleteActivityCode": (*Server).deleteActivityCode,
	}
}

// activityCode keeps its members as they were written: a PUT replaces them all.
type activityCode struct {
	id      string
	account *account
	version string
	editor  string
	updated time.Time
	deleted bool
	members map[string]json.RawMessage
}

// text is the activity code as the wire has it.
func (a *activityCode) text(l linker) []byte {
	members := map[string]any{
		"id": a.id, "versionId": a.version, "updatedByUserId": orNull(a.editor), "isDeleted": a.deleted,
	}
	for _, name := range []string{"type", "rateType"} {
		members[name] = 0
	}
	for _, name := range []string{"isBillable", "taxInclusive", "taxExempt", "taxZeroRated", "taxOutOfScope"} {
		members[name] = false
	}
	for _, name := range []string{"description", "code", "rate", "quantity", "inputTaxRate", "outputTaxRate"} {
		members[name] = nil
	}
	for name, raw := range a.members {
		members[name] = raw
	}
	head := l.head("ActivityCodes", "activitycodes", a.id)
	members["href"], members["relation"], members["method"], members["self"] = head.Href, head.Relation, head.Method, head.Self
	return encode(members)
}

func (s *Server) listActivityCodes(c *call) ([]byte, error) {
	offset, limit := c.window()
	since := c.moment("UpdatedSince", time.Time{})
	changed := slices.DeleteFunc(slices.Clone(c.account.activityCodes), func(a *activityCode) bool { return a.updated.Before(since) })
	var items [][]byte
	for _, a := range slice(changed, offset, limit) {
		items = append(items, a.text(c.link))
	}
	return c.page(offset, limit, len(changed), "activitycodes").body(items), nil
}

func (s *Server) getActivityCode(c *call) ([]byte, error) {
	a, err := s.ownActivityCode(c)
	if err != nil {
		return nil, err
	}
	return a.text(c.link), nil
}

func (s *Server) createActivityCode(c *call) ([]byte, error) {
	if err := checkActivityCode(c); err != nil {
		return nil, err
	}
	created := &activityCode{id: s.state.ids.next(), account: c.account}
	return s.writeActivityCode(c, created, "activitycode.created", func() {
		s.state.activityCodes[created.id] = created
		created.account.activityCodes = append(created.account.activityCodes, created)
		created.replace(c.body)
	})
}

func (s *Server) updateActivityCode(c *call) ([]byte, error) {
	a, err := s.ownActivityCode(c)
	if err == nil {
		err = checkActivityCode(c)
	}
	if err != nil {
		return nil, err
	}
	return s.writeActivityCode(c, a, "activitycode.updated", func() { a.replace(c.body) })
}

func (s *Server) deleteActivityCode(c *call) ([]byte, error) {
	a, err := s.ownActivityCode(c)
	if err != nil {
		return nil, err
	}
	return s.writeActivityCode(c, a, "activitycode.deleted", func() { a.deleted = true })
}

// writeActivityCode accepts a write and answers with the link of its record.
func (s *Server) writeActivityCode(c *call, a *activityCode, event string, effect func()) ([]byte, error) {
	s.accept(c, "activitycode", a.id, func(now time.Time, from cause) {
		a.editor, a.updated, a.version = from.userID, now, s.state.ids.next()
		effect()
		s.raise(now, from, event, a.text(from.link))
	})
	return encode(c.link.to(a.id, "ActivityCodes", "activitycodes", a.id)), nil
}

// replace takes the members of a body. It says who makes the change, too.
func (a *activityCode) replace(body map[string]json.RawMessage) {
	a.members = map[string]json.RawMessage{}
	for name, raw := range body {
		if name != "updatedByUserId" {
			a.members[name] = raw
		} else if userID, ok := asText(raw); ok {
			a.editor = userID
		}
	}
}

func (s *Server) ownActivityCode(c *call) (*activityCode, error) {
	return own(c, s.state.activityCodes, c.value("id"), "activity code", func(a *activityCode) *account { return a.account })
}

// checkActivityCode knows the rules that span several members.
func checkActivityCode(c *call) error {
	taxes := slices.DeleteFunc([]string{"taxExempt", "taxZeroRated", "taxOutOfScope"}, func(name string) bool { return string(c.body[name]) != "true" })
	if len(taxes) > 1 {
		return c.exclusion(taxes[1], taxes[0], "excludes "+taxes[0])
	}
	return nil
}

// activityCodes makes the activity codes of a firm.
func (sd *seeder) activityCodes(a *account, ids *idSource) {
	for _, entry := range []struct {
		code, description string
		kind              int
	}{{"REV", "Review", 1}, {"TEL", "Telephone call", 1}, {"APP", "Appearance", 0}, {"PRT", "Printing", 2}} {
		one := &activityCode{
			id: ids.next(), account: a, version: ids.next(), editor: a.staff[0].userID, updated: sd.now,
			members: map[string]json.RawMessage{
				"code": encode(entry.code), "description": encode(entry.description), "type": encode(entry.kind),
				"isBillable": encode(true), "quantity": encode(json.Number("0.60")),
			},
		}
		a.activityCodes = append(a.activityCodes, one)
		sd.state.activityCodes[one.id] = one
	}
}
