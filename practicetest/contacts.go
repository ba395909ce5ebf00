package practicetest

import "slices"

var (
	tagNames   = [...]string{"VIP", "Überweisung", "Newsletter", "Conflict checked", "Referrer"}
	businesses = [...]string{"Bookkeeper", "Spouse", "Director", "Guarantor"}
)

// contacts are the people and companies that a firm knows, with their relations and
// tags.
func contacts() area {
	contact := contactKind{&resource{path: "/contacts/{id}", relation: "Contacts", event: "contact"}}
	return area{
		name: "Contacts", resources: []*resource{contact.resource}, seed: contact.seed,
		handlers: handlers{
			"listContactRelations":  contact.listRelations,
			"updateContactRelation": contact.updateRelation,
			"addContactTags":        contact.addTags,
			"removeContactTags":     contact.removeTag,
			"removeContactTagsBulk": contact.removeTags,
			"listContactTags":       contact.listTags,
		},
	}
}

// contactKind adds the relations and tags to the resource.
type contactKind struct{ *resource }

// ties are what a contact has besides its members: its relations. The role of a
// relation is never answered.
type ties []relation

type relation struct{ to, role string }

// relate makes a relation, or changes the role of the one there is.
func (all ties) relate(to, role string) ties {
	n := slices.DeleteFunc(slices.Clone(all), func(r relation) bool { return r.to == to })
	if i := slices.IndexFunc(all, func(r relation) bool { return r.to == to }); i >= 0 {
		return slices.Insert(n, i, relation{to, role})
	}
	return append(n, relation{to, role})
}

func tiesOf(r *record) ties {
	all, _ := r.data.(ties)
	return all
}

func tagsOf(r *record) []fields {
	all, _ := r.fields["tags"].([]fields)
	return all
}

// ofPath is the contact that the first parameter of the path names.
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
		items = append(items, encode(c.link.contact(r.to)))
	}
	p := c.page(offset, limit, len(all), "contacts", n.id, "relations")
	return func() []byte { return p.body(items) }, nil
}

func (contact contactKind) updateRelation(s *Server, c *call) (answer, error) {
	ids := lower(c.values)
	if named := sameID(member[string](c, "relatedContactId")); named != "" && named != ids[1] {
		return nil, faulty("relatedContactId", "not the contact of the path")
	}
	if ids[0] == ids[1] {
		return nil, faulty("relatedContactId", "a contact is not related to itself")
	}
	role := member[string](c, "businessRole")
	err := contact.alter(s, c, ids[0], func(t *tx, r *record) error {
		_, err := t.find(contact.resource, ids[1], nil)
		r.data = tiesOf(r).relate(ids[1], role)
		return err
	})
	return func() []byte {
		return encode(c.link.to(ids[1], "Contacts", "contacts", ids[0], "relations", ids[1]))
	}, err
}

// alter is a write that changes the contact.
func (contact contactKind) alter(s *Server, c *call, id string, change func(*tx, *record) error) error {
	return s.accept(c, &write{resource: contact.event, id: id}, func(t *tx) error {
		old, err := t.find(contact.resource, id, nil)
		if err != nil {
			return err
		}
		r := t.edit(old)
		if err := change(t, r); err != nil {
			return err
		}
		t.put(r, updated)
		return nil
	})
}

func tagsLink(c *call) answer {
	id := sameID(c.values[0])
	return func() []byte { return encode(c.link.to(id, "Tags", "contacts", id, "tags")) }
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
	return tagsLink(c), err
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
	return tagsLink(c), err
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

func (contact contactKind) seed(sd *seeder, a *account) {
	var all []*record
	for range 24 {
		all = append(all, sd.add(a, contact.resource, fields{"person": fields{"firstName": pick(sd.rand, firstNames[:]), "lastName": pick(sd.rand, lastNames[:])}}))
	}
	for i, n := range all {
		var related ties
		var tags []fields
		for k := range 1 + (i+2)%3 {
			related = related.relate(all[(i+k+1)%len(all)].id, pick(sd.rand, businesses[:]))
			tags = append(tags, fields{"id": sd.newID("tag"), "name": tagNames[(i+k)%len(tagNames)], "type": "Custom"})
		}
		n.data, n.fields["tags"] = related, tags
	}
}
