package practicetest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

const (
	designPath = "/layouts/{id}"
	layoutPath = "/matters/{matterId}/layouts/{itemId}"
)

// layouts returns the area of layouts. A layout item holds facts about a matter
// in the fields of its layout design. A contact in a field is a role of the
// matter, or a relationship if the layout item belongs to a role.
func (g graph) layouts() area {
	return area{
		name: "Layouts", resources: []*resource{g.design, g.item}, seed: g.seedDesigns, below: g.seedLayout,
		handlers: handlers{
			"getLayoutDesign": g.design.reading(g.getDesign), "addMatterLayout": g.addItem, "patchMatterLayout": g.patchItem,
			"listLayoutContacts": g.item.reading(g.listContacts), "addLayoutContact": g.addContact, "removeLayoutContact": g.removeContact,
		},
	}
}

// itemMembers returns the computed members of a layout item. Its itemId
// defaults to the id of the design.
func itemMembers(r *record) fields {
	return fields{"itemId": orNull(cmp.Or(r.fields.str("itemId"), r.fields.str("layoutDesignId")))}
}

// itemPayload returns the event payload for a layout item: the id of its
// matter, and the item unless it is deleted.
func itemPayload(v view, r *record) []byte {
	items := []json.RawMessage{}
	if !r.deleted {
		items = append(items, v.record(r))
	}
	return encode(map[string]any{"id": r.above[0], "items": items})
}

// getDesign returns a layout design. If the query names a state or a matter
// type, it leaves out the possible values of other states.
func (g graph) getDesign(s *Server, c *call, r *record) (answer, error) {
	var states []string
	if state := c.query["state"]; state != "" {
		states = append(states, state)
	}
	if id := c.query["matterTypeId"]; id != "" {
		kind, err := s.tx(c).read(s.state.resource("mattertypes"), id, nil)
		if err != nil {
			return nil, err
		}
		states = append(states, kind.fields.str("location"))
	}
	if len(states) > 0 {
		r = narrowed(r, states)
	}
	return s.recordOr(c, r, nil)
}

// addItem creates a layout item. It refuses values that the design does not
// allow.
func (g graph) addItem(s *Server, c *call) (answer, error) {
	c.meets = g.judging(c)
	return g.item.create(s, c)
}

// patchItem updates a layout item. Values are merged by key; other members are
// replaced.
func (g graph) patchItem(s *Server, c *call) (answer, error) {
	_, id := g.item.named(c)
	if given := member[string](c, "itemId"); given != "" && sameID(given) != sameID(id) {
		return nil, faulty("itemId", "must be the id in the path")
	}
	c.meets = g.judging(c)
	body := c.members()
	delete(body, "itemId")
	return g.item.alterRecord(s, c, func(t *tx, r *record) {
		before := r.fields["values"]
		g.item.take(t, r, body)
		r.fields["values"] = mergeValues(before, body["values"])
	})
}

// checkItem requires the parent of a layout item to exist.
func (g graph) checkItem(t *tx, _ *call, r *record) error {
	_, err := g.roleAbove(t, r)
	return err
}

// roleAbove returns the role that a layout item belongs to, directly or through
// other items. It returns nil if it belongs to no role.
func (g graph) roleAbove(t *tx, item *record) (*record, error) {
	for at := item; at.fields.str("parentItemId") != ""; {
		parent := at.fields.str("parentItemId")
		if sameID(parent) == item.id {
			return nil, breach(at == item, "parentItemId", "must not be the layout item itself or an item below it")
		}
		if err := t.isNamed("parentItemId", "roles", parent); err != nil {
			return nil, err
		}
		role, err := t.find(g.role, parent, item.above)
		if err == nil {
			return role, nil
		}
		found, other := t.find(g.item, parent, item.above)
		if other != nil {
			return nil, unlessPending(err, unlessPending(other, conflict("parentItemId", "no such item")))
		}
		at = found
	}
	return nil, nil
}

// changeItem sets the defaults of a new layout item, or removes the item if
// isRemoved is true.
func (g graph) changeItem(t *tx, r *record, _ fields) {
	if r.revision == 0 {
		if design, err := t.find(g.design, r.fields.str("layoutDesignId"), nil); err == nil {
			for _, name := range []string{"name", "description"} {
				if r.fields.str(name) == "" {
					r.fields[name] = design.fields.str(name)
				}
			}
		}
		for _, name := range []string{"index", "parentIndex"} {
			if r.fields[name] == nil {
				r.fields[name] = 0
			}
		}
		g.tellOfItems(t, r.above[0])
	}
	removed := r.fields.is("isRemoved")
	delete(r.fields, "isRemoved")
	if removed {
		r.deleted = true
		g.removeItem(t, r)
		return
	}
	g.keep(t, r)
}

// removeItem removes a layout item from its matter, with the contacts in its
// fields.
func (g graph) removeItem(t *tx, r *record) {
	g.keep(t, r)
	for _, contact := range g.contactsOf(partsOf(g.find(t, r.above[0])), r.id) {
		g.dismiss(t, contact)
	}
	g.tellOfItems(t, r.above[0])
}

// contactsOf returns the roles and relationships that represent contacts in the
// fields of a layout item.
func (g graph) contactsOf(p graphParts, item string) (all []*record) {
	for _, role := range p.roles {
		for _, r := range append([]*record{role}, tiesBelow(role)...) {
			if r.fields.str("layoutItemId") == item {
				all = append(all, r)
			}
		}
	}
	return all
}

// dismiss removes a role or relationship from the matter.
func (g graph) dismiss(t *tx, contact *record) {
	r := t.edit(contact)
	r.deleted = true
	r.of.remove(t, r)
	t.put(r, deleted)
}

func (g graph) listContacts(s *Server, c *call, item *record) (answer, error) {
	whole, err := g.read(s.tx(c), item.above[0])
	if err != nil {
		return nil, err
	}
	var all []fields
	for _, r := range g.contactsOf(partsOf(whole), item.id) {
		all = append(all, fields{
			"head": location{"LayoutContacts", append(g.item.at(item.path()...), "contacts", r.id)},
			"id":   r.id, "key": r.fields.str("layoutKey"), "contact": r.fields["contactId"],
		})
	}
	if len(all) == 0 {
		return nil, refuse(http.StatusNotFound, "The layout item has no contacts.")
	}
	v := s.view(c.link)
	return func() []byte { return bareList(v.objects("LayoutContact", all)) }, nil
}

// addContact adds a contact to a field, as a role or a relationship.
func (g graph) addContact(s *Server, c *call) (answer, error) {
	key := member[string](c, "key")
	return g.alterContacts(s, c, func(t *tx, item *record) error {
		if design, err := t.find(g.design, item.fields.str("layoutDesignId"), nil); err == nil {
			if field := fieldOf(design, key); field != nil && field.Type != string(models.LayoutFieldTypeRole) {
				return conflict("key", "must be a field for a contact")
			}
		}
		role, err := g.roleAbove(t, item)
		if err != nil {
			return err
		}
		of, above := g.role, item.above
		if role != nil {
			of, above = g.tie, []string{item.above[0], role.id}
		}
		r := t.create(of, t.newID(of.path), above)
		of.take(t, r, fields{"name": lastPart(key), "displayName": lastPart(key), "contactId": member[string](c, "contactId"), "layoutItemId": item.id, "layoutKey": key})
		return t.settle(nil, r, created)
	})
}

// removeContact removes the contacts in a field from the matter.
func (g graph) removeContact(s *Server, c *call) (answer, error) {
	key := c.query["key"]
	if key == "" {
		return nil, faulty("key", "is required: the API description does not say what happens without it")
	}
	return g.alterContacts(s, c, func(t *tx, item *record) error {
		all := g.contactsOf(partsOf(g.find(t, item.above[0])), item.id)
		all = slices.DeleteFunc(all, func(r *record) bool { return r.fields.str("layoutKey") != key })
		for _, contact := range all {
			g.dismiss(t, contact)
		}
		if len(all) == 0 {
			return notFound("contact of the layout item")
		}
		return nil
	})
}

// alterContacts accepts a write that changes the contacts in a layout item.
func (g graph) alterContacts(s *Server, c *call, change func(t *tx, item *record) error) (answer, error) {
	above, id := lower(c.values[:1]), sameID(c.values[1])
	return nil, s.accept(c, &write{resource: g.item.event, id: id}, func(t *tx) error {
		item, err := t.find(g.item, id, above)
		if err != nil {
			return err
		}
		item = t.put(t.edit(item), updated)
		g.keep(t, item)
		return change(t, item)
	})
}

// AddLayoutDesign adds a layout design to the firm and returns its id.
func (s *Server) AddLayoutDesign(design models.LayoutDesign) string {
	return s.place(designPath, &design)
}

// LayoutDesign returns the layout design with the id and reports whether it
// exists.
func (s *Server) LayoutDesign(id string) (models.LayoutDesign, bool) {
	return recordOf[models.LayoutDesign](s, designPath, id)
}

// AddLayoutItem adds a layout item to a matter and returns its id. The values
// must be valid for the layout design.
func (s *Server) AddLayoutItem(matterID string, item models.LayoutItemWrite) string {
	return s.enter("addMatterLayout", &item, matterID)
}

// LayoutItem returns the layout item with the id and reports whether it exists.
func (s *Server) LayoutItem(id string) (models.LayoutItem, bool) {
	return recordOf[models.LayoutItem](s, layoutPath, id)
}

// AddLayoutContact adds a contact to a field of a layout item.
func (s *Server) AddLayoutContact(matterID, itemID string, contact models.LayoutContactWrite) {
	s.enter("addLayoutContact", &contact, matterID, itemID)
}
