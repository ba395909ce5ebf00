package practicetest

import "slices"

// ties holds the ids of the contacts that a contact is related to. The service
// never returns the role of a relation, so it is not stored.
type ties []string

func tiesOf(r *record) ties {
	all, _ := r.data.(ties)
	return all
}

// listRelations lists the related contacts as links.
func (contact contactKind) listRelations(s *Server, c *call, r *record) (answer, error) {
	return pageOf(s, c, tiesOf(r), func(v view, some []string) [][]byte {
		return mapped(some, func(to string) []byte { return encode(v.to(to, "Contacts", "contacts", to)) })
	}), nil
}

func (contact contactKind) createRelation(s *Server, c *call) (answer, error) {
	related := sameID(member[string](c, "relatedContactId"))
	if related == "" {
		return nil, faulty("relatedContactId", "is required")
	}
	return contact.setRelation(s, c, sameID(c.values[0]), related)
}

func (contact contactKind) updateRelation(s *Server, c *call) (answer, error) {
	ids := lower(c.values)
	if named := sameID(member[string](c, "relatedContactId")); named != "" && named != ids[1] {
		return nil, faulty("relatedContactId", "must be the contact in the path")
	}
	return contact.setRelation(s, c, ids[0], ids[1])
}

// setRelation adds a relation from one contact to another if it does not exist
// yet.
func (contact contactKind) setRelation(s *Server, c *call, from, to string) (answer, error) {
	if from == to {
		return nil, faulty("relatedContactId", "must not be the contact itself")
	}
	err := contact.alter(s, c, &write{resource: contact.event, id: from}, from, nil, func(t *tx, r *record) error {
		_, err := t.find(contact.resource, to, nil)
		if !slices.Contains(tiesOf(r), to) {
			r.data = append(slices.Clone(tiesOf(r)), to)
		}
		return err
	})
	return relationLink(s.view(c.link), from, to), err
}

func relationLink(v view, from, to string) answer {
	return func() []byte { return encode(v.to(to, "Contacts", "contacts", from, "relations", to)) }
}

// getRelation returns the link to one related contact.
func (contact contactKind) getRelation(s *Server, c *call, r *record) (answer, error) {
	to, err := s.tx(c).read(contact.resource, c.values[1], nil)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(tiesOf(r), to.id) {
		return nil, notFound("relation")
	}
	return relationLink(s.view(c.link), r.id, to.id), nil
}

func (contact contactKind) deleteRelation(s *Server, c *call) (answer, error) {
	from, to := sameID(c.values[0]), sameID(c.values[1])
	err := contact.alter(s, c, &write{resource: contact.event, id: from}, from, nil, func(t *tx, r *record) error {
		if _, err := t.find(contact.resource, to, nil); err != nil {
			return err
		}
		if !slices.Contains(tiesOf(r), to) {
			return notFound("relation")
		}
		r.data = slices.DeleteFunc(slices.Clone(tiesOf(r)), func(id string) bool { return id == to })
		return nil
	})
	return relationLink(s.view(c.link), from, to), err
}

// addTags adds the tags in the body. It skips names that the contact already
// has.
func (contact contactKind) addTags(s *Server, c *call) (answer, error) {
	return contact.retag(s, c, func(t *tx, tags []fields) ([]fields, error) {
		for _, name := range c.list {
			if !slices.ContainsFunc(tags, func(f fields) bool { return f["name"] == name }) {
				tags = append(tags, fields{"id": t.newID("tag"), "name": name, "type": "Custom"})
			}
		}
		return tags, nil
	})
}

// removeTags removes the tags that the body lists by id or by name.
func (contact contactKind) removeTags(s *Server, c *call) (answer, error) {
	return contact.retag(s, c, func(_ *tx, tags []fields) ([]fields, error) { return without(tags, c.list), nil })
}
