package practicetest

import "slices"

// ties holds a contact's relations. The role of a relation is never answered.
type ties []relation

type relation struct{ to, role string }

// relate adds a relation, or changes the role of an existing one.
func (all ties) relate(to, role string) ties {
	n := slices.DeleteFunc(slices.Clone(all), func(r relation) bool { return r.to == to })
	if i := slices.IndexFunc(all, func(r relation) bool { return r.to == to }); i >= 0 {
		return slices.Insert(n, i, relation{to, role})
	}
	return append(n, relation{to, role})
}

// has reports whether there is a relation to a contact.
func (all ties) has(to string) bool {
	return slices.ContainsFunc(all, func(r relation) bool { return r.to == to })
}

func tiesOf(r *record) ties {
	all, _ := r.data.(ties)
	return all
}

func tagsOf(r *record) []fields {
	all, _ := r.fields["tags"].([]fields)
	return all
}

// ofPath returns the contact that the first parameter of the path names.
func (contact contactKind) ofPath(s *Server, c *call) (*record, error) {
	return s.tx(c).read(contact.resource, c.values[0], nil)
}

// listRelations answers the related contacts as links.
func (contact contactKind) listRelations(s *Server, c *call) (answer, error) {
	n, err := contact.ofPath(s, c)
	if err != nil {
		return nil, err
	}
	offset, limit := c.window()
	all := tiesOf(n)
	var items [][]byte
	for _, r := range slice(all, offset, limit) {
		items = append(items, encode(s.view(c.link).to(r.to, "Contacts", "contacts", r.to)))
	}
	p := c.page(offset, limit, len(all), "contacts", n.id, "relations")
	return func() []byte { return p.body(items) }, nil
}

func (contact contactKind) createRelation(s *Server, c *call) (answer, error) {
	related := sameID(member[string](c, "relatedContactId"))
	if related == "" {
		return nil, faulty("relatedContactId", "required")
	}
	return contact.setRelation(s, c, sameID(c.values[0]), related)
}

func (contact contactKind) updateRelation(s *Server, c *call) (answer, error) {
	ids := lower(c.values)
	if named := sameID(member[string](c, "relatedContactId")); named != "" && named != ids[1] {
		return nil, faulty("relatedContactId", "not the contact of the path")
	}
	return contact.setRelation(s, c, ids[0], ids[1])
}

// setRelation adds a relation, or changes its role.
func (contact contactKind) setRelation(s *Server, c *call, from, to string) (answer, error) {
	if from == to {
		return nil, faulty("relatedContactId", "a contact is not related to itself")
	}
	role := member[string](c, "businessRole")
	err := contact.alter(s, c, from, func(t *tx, r *record) error {
		_, err := t.find(contact.resource, to, nil)
		r.data = tiesOf(r).relate(to, role)
		return err
	})
	return relationLink(s.view(c.link), from, to), err
}

func relationLink(v view, from, to string) answer {
	return func() []byte { return encode(v.to(to, "Contacts", "contacts", from, "relations", to)) }
}

// getRelation answers the link to a related contact.
func (contact contactKind) getRelation(s *Server, c *call) (answer, error) {
	r, err := contact.ofPath(s, c)
	if err != nil {
		return nil, err
	}
	to, err := s.tx(c).read(contact.resource, c.values[1], nil)
	if err != nil {
		return nil, err
	}
	if !tiesOf(r).has(to.id) {
		return nil, notFound("relation")
	}
	return relationLink(s.view(c.link), r.id, to.id), nil
}

func (contact contactKind) deleteRelation(s *Server, c *call) (answer, error) {
	from, to := sameID(c.values[0]), sameID(c.values[1])
	err := contact.alter(s, c, from, func(t *tx, r *record) error {
		if _, err := t.find(contact.resource, to, nil); err != nil {
			return err
		}
		if !tiesOf(r).has(to) {
			return notFound("relation")
		}
		r.data = slices.DeleteFunc(slices.Clone(tiesOf(r)), func(one relation) bool { return one.to == to })
		return nil
	})
	return relationLink(s.view(c.link), from, to), err
}

// alter accepts a write that changes the contact.
func (contact contactKind) alter(s *Server, c *call, id string, change func(*tx, *record) error) error {
	return s.accept(c, &write{resource: contact.event, id: id}, func(t *tx) error {
		return t.change(contact.resource, id, nil, func(r *record) error { return change(t, r) })
	})
}

func tagsLink(s *Server, c *call) answer {
	v, id := s.view(c.link), sameID(c.values[0])
	return func() []byte { return encode(v.to(id, "Tags", "contacts", id, "tags")) }
}

// addTags adds the tags whose names the contact does not carry yet.
func (contact contactKind) addTags(s *Server, c *call) (answer, error) {
	err := contact.alter(s, c, sameID(c.values[0]), func(t *tx, r *record) error {
		tags := slices.Clone(tagsOf(r))
		for _, name := range c.list {
			if !slices.ContainsFunc(tags, func(f fields) bool { return f["name"] == name }) {
				tags = append(tags, fields{"id": t.newID("tag"), "name": name, "type": "Custom"})
			}
		}
		r.fields["tags"] = tags
		return nil
	})
	return tagsLink(s, c), err
}

// removeTag removes the tag of the path, and those of the body, if any.
func (contact contactKind) removeTag(s *Server, c *call) (answer, error) {
	id := sameID(c.values[1])
	return contact.dropTags(s, c, id, append(c.list, id))
}

// removeTags removes the tags that the body names, by id or by name.
func (contact contactKind) removeTags(s *Server, c *call) (answer, error) {
	return contact.dropTags(s, c, "", c.list)
}

// dropTags removes tags, of which one has to be there.
func (contact contactKind) dropTags(s *Server, c *call, must string, which []string) (answer, error) {
	err := contact.alter(s, c, sameID(c.values[0]), func(_ *tx, r *record) error {
		tags := tagsOf(r)
		if must != "" && !slices.ContainsFunc(tags, func(f fields) bool { return f["id"] == must }) {
			return notFound("tag")
		}
		r.fields["tags"] = slices.DeleteFunc(slices.Clone(tags), func(f fields) bool {
			return slices.Contains(which, f.str("id")) || slices.Contains(which, f.str("name"))
		})
		return nil
	})
	return tagsLink(s, c), err
}

// listTags answers the tags, all at once.
func (contact contactKind) listTags(s *Server, c *call) (answer, error) {
	n, err := contact.ofPath(s, c)
	if err != nil {
		return nil, err
	}
	return func() []byte {
		var items [][]byte
		for _, t := range tagsOf(n) {
			items = append(items, encode(t))
		}
		return withValue(collection{head: c.link.head("Tags", "contacts", n.id, "tags")}, items)
	}, nil
}
