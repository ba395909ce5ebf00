package practicetest

import "maps"

// patch changes a matter and its items, or converts a lead to a matter.
func (matter matterKind) patch(s *Server, c *call) (answer, error) {
	body, id := c.members(), sameID(c.values[0])
	return matter.write(s, c, &write{resource: matter.event, id: id}, nil, func(t *tx) (*record, error) {
		r, what, err := t.alter(matter.resource, id, nil, body)
		if err != nil {
			return nil, err
		}
		if err := t.convert(r, body); err != nil {
			return nil, err
		}
		if err := matter.apply(t, r, body); err != nil {
			return nil, err
		}
		if err := t.settle(c, r, what); err != nil {
			return nil, err
		}
		t.tellOfMatter(r, t.server.state.latest(r))
		return r, nil
	})
}

// apply applies the body of a patch to a matter, its clients and opposing
// parties, and its items.
func (matter matterKind) apply(t *tx, r *record, body fields) error {
	for _, name := range matter.final {
		if value, given := body[name]; given {
			r.fields[name] = value
		}
	}
	rest := maps.Clone(body)
	delete(rest, "items")
	matter.take(t, r, rest)
	for _, kind := range []string{clientItems, otherSideItems} {
		names := sides()[kind]
		role := body.str(names.role)
		if string(body.raw(names.ids)) != "null" {
			matter.graph.setPeople(t, r.id, kind, role, r.fields.ids(names.ids))
		}
		if role != "" {
			matter.graph.renameRoles(t, r.id, kind, role)
		}
	}
	return matter.graph.patchItems(t, r.id, decoded[map[string][]itemPatch](body.raw("items")))
}

// convert converts a lead to a matter if the patch sets isLead to false. The
// patch must then contain the matter type and the client role.
func (t *tx) convert(r *record, body fields) error {
	switch role := body.str("clientRole"); {
	case string(body.raw("isLead")) != "false":
		return nil
	case !isLead(r) && role != "":
		return conflict("clientRole", "is allowed only when a lead becomes a matter")
	case !isLead(r):
		return nil
	case body.str("matterTypeId") == "":
		return conflict("matterTypeId", "is required when a lead becomes a matter")
	case role == "":
		return conflict("clientRole", "is required when a lead becomes a matter")
	}
	delete(r.fields, "lead")
	return nil
}

// tellOfMatter raises matter.closed and matter.converted if the change closed
// or converted the matter.
func (t *tx) tellOfMatter(r, old *record) {
	tell := func(kind string) {
		t.tell(kind, func(v view) []byte { return v.record(t.server.state.completed(r, seenByWrites)) })
	}
	if r.fields.str("status") == "Closed" && old.fields.str("status") != "Closed" {
		tell("matter.closed")
	}
	if isLead(old) && !isLead(r) {
		tell("matter.converted")
	}
}
