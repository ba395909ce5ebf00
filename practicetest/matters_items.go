package practicetest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// matterItem is a role or a layout of a matter, seen from above.
type matterItem struct {
	id, name, kind string // kind is the key of the list that it is in
	layout         bool
	contact        string
	below          []matterItem
}

// itemsOf are the items of a matter: what its data holds.
func itemsOf(r *record) []matterItem {
	all, _ := r.data.([]matterItem)
	return all
}

// withItems keeps items with a matter, and names them in its member items.
func withItems(r *record, all []matterItem) {
	r.data, r.fields["items"] = all, refsOf(all)
}

// refsOf names items in lists by kind, as a matter holds them.
func refsOf(all []matterItem) map[string]any {
	kinds := map[string]any{}
	for _, item := range all {
		kind := map[bool]string{false: "role", true: "layout"}[item.layout]
		list, _ := kinds[item.kind].([]any)
		kinds[item.kind] = append(list, map[string]any{"type": kind, "id": item.id, "name": item.name, "subItems": refsOf(item.below)})
	}
	return kinds
}

// written is an item as a record of its own.
func (item matterItem) written(matter string, index int) fields {
	below := []fields{}
	for i, sub := range item.below {
		below = append(below, sub.written(matter, i))
	}
	return fields{
		"head": location{"MatterItems", []string{"matters", matter, "items", item.id}}, "id": item.id, "name": item.name,
		"index": index, "visible": true, "subItems": below,
	}
}

func (matter matterKind) items(s *Server, c *call) (answer, error) {
	r, err := s.tx(c).read(matter.resource, c.values[0], nil)
	if err != nil {
		return nil, err
	}
	v := s.view(c.link)
	return func() []byte {
		all := []fields{}
		for i, item := range itemsOf(r) {
			all = append(all, item.written(r.id, i))
		}
		w := writer{view: v}
		return w.object(&value{object: "MatterItems"}, fields{
			"head": location{"MatterItems", []string{"matters", r.id, "items"}}, "id": r.id, "versionId": r.version, "items": all,
		})
	}, nil
}

func (matter matterKind) item(s *Server, c *call) (answer, error) {
	r, err := s.tx(c).read(matter.resource, c.values[0], nil)
	if err != nil {
		return nil, err
	}
	for i, item := range itemsOf(r) {
		for k, one := range append([]matterItem{item}, item.below...) {
			if one.id == sameID(c.values[1]) {
				v, f := s.view(c.link), one.written(r.id, map[bool]int{true: i, false: k - 1}[k == 0])
				return func() []byte {
					w := writer{view: v}
					return w.object(&value{object: "MatterItem"}, f)
				}, nil
			}
		}
	}
	return nil, notFound("matter item")
}

// itemPatch is an item of a body.
type itemPatch struct {
	ID, ContactID, RoleDescription string
	Contact                        struct{ ID string }
	SubItems                       map[string][]itemPatch
}

// patch changes a matter, its items among the rest, or turns a lead into a matter.
func (matter matterKind) patch(s *Server, c *call) (answer, error) {
	body := c.members()
	var items map[string][]itemPatch
	if raw := body.raw("items"); string(raw) != "null" {
		_ = json.Unmarshal(raw, &items) // the schema has checked it
		for _, name := range []string{"clientIds", "otherSideIds", "isLead"} {
			if c.has(name) && !c.isNull(name) {
				return nil, faulty("items", "cannot go together with %s", name)
			}
		}
	}
	id := sameID(c.values[0])
	w := &write{resource: matter.event, id: id}
	return matter.write(s, c, w, nil, func(t *tx) (*record, error) {
		old, err := t.find(matter.resource, id, nil)
		if err != nil {
			return nil, err
		}
		r, was := t.edit(old), old.fields.str("status")
		if err := t.convert(r, body); err != nil {
			return nil, err
		}
		for _, name := range matter.final {
			if value, given := body[name]; given {
				r.fields[name] = value
			}
		}
		rest := maps.Clone(body)
		delete(rest, "items")
		matter.take(t, r, rest)
		withItems(r, t.mergeItems(itemsOf(r), items))
		if err := t.settle(c, r, updated); err != nil {
			return nil, err
		}
		t.tellOfMatter(r, old, was)
		return r, nil
	})
}

// convert checks what a patch says of being a lead.
func (t *tx) convert(r *record, body fields) error {
	raw, given := body["isLead"]
	if !given {
		return nil
	}
	switch becomes := string(raw.(json.RawMessage)) == "true"; {
	case becomes && !isLead(r):
		return conflict("isLead", "a matter cannot become a lead")
	case becomes || !isLead(r):
		return nil
	case body.str("matterTypeId") == "":
		return conflict("matterTypeId", "needed when a lead becomes a matter")
	case body.str("clientRole") == "":
		return conflict("clientRole", "needed when a lead becomes a matter")
	}
	delete(r.fields, "lead")
	return nil
}

// mergeItems changes the items that a body names and adds those without an id.
func (t *tx) mergeItems(all []matterItem, patches map[string][]itemPatch) []matterItem {
	all = slices.Clone(all)
	for _, kind := range slices.Sorted(maps.Keys(patches)) {
		for i, p := range patches[kind] {
			at := slices.IndexFunc(all, func(item matterItem) bool { return p.ID != "" && item.id == sameID(p.ID) })
			if at < 0 {
				all = append(all, matterItem{id: t.newID("item " + kind + strconv.Itoa(i)), name: kind, kind: kind})
				at = len(all) - 1
			}
			item := all[at]
			if p.RoleDescription != "" {
				item.name = p.RoleDescription
			}
			if contact := p.ContactID + p.Contact.ID; contact != "" {
				item.contact = contact
			}
			item.below = t.mergeItems(item.below, p.SubItems)
			all[at] = item
		}
	}
	return all
}

// tellOfMatter raises the further events of a change.
func (t *tx) tellOfMatter(r, old *record, was string) {
	tell := func(kind string) {
		t.events = append(t.events, Event{Type: kind, Payload: encode(map[string]string{"id": r.id})})
	}
	if string(encode(refsOf(itemsOf(r)))) != string(encode(refsOf(itemsOf(old)))) {
		tell("matteritems.updated")
	}
	if r.fields.str("status") == "Closed" && was != "Closed" {
		tell("matter.closed")
	}
	if isLead(old) && !isLead(r) {
		tell("matter.converted")
	}
}

// tagged are the tags of a matter.
func (matter matterKind) tags(s *Server, c *call) (answer, error) {
	r, err := s.tx(c).read(matter.resource, c.values[0], nil)
	if err != nil {
		return nil, err
	}
	v := s.view(c.link)
	return func() []byte {
		var items [][]byte
		for _, tag := range tagsOf(r) {
			w := writer{view: v, of: r}
			items = append(items, w.object(&value{object: "MatterTag"}, tag))
		}
		return withValue(collection{head: c.link.head("Tags", "matters", r.id, "tags")}, items)
	}, nil
}

// matterTag is a tag of a body.
type matterTag struct{ ID, Name, Color, Type string }

// addTags adds the tags that a matter does not carry. One name is one tag of the firm.
func (matter matterKind) addTags(s *Server, c *call) (answer, error) {
	var wanted []matterTag
	_ = json.Unmarshal(c.rawBody, &wanted) // the schema has checked it
	return matter.retag(s, c, func(t *tx, r *record) error {
		tags := slices.Clone(tagsOf(r))
		for i, tag := range wanted {
			if tag.Type == "Staff" {
				member, err := t.find(t.server.catalog.byTarget["staff"], tag.ID, nil)
				if err != nil {
					return conflict("["+strconv.Itoa(i)+"].id", "no such staff member")
				}
				tag.Name = strings.TrimSpace(member.fields.str("firstName") + " " + member.fields.str("lastName"))
			}
			made := t.server.state.matterTag(r.account, tag.Name, tag.Color, tag.ID)
			if !slices.ContainsFunc(tags, func(f fields) bool { return f["id"] == made["id"] }) {
				tags = append(tags, made)
			}
		}
		r.fields["tags"] = tags
		return nil
	})
}

func (matter matterKind) removeTag(s *Server, c *call) (answer, error) {
	id := sameID(c.values[1])
	return matter.retag(s, c, func(_ *tx, r *record) error {
		if !slices.ContainsFunc(tagsOf(r), func(f fields) bool { return f["id"] == id }) {
			return notFound("tag")
		}
		r.fields["tags"] = slices.DeleteFunc(slices.Clone(tagsOf(r)), func(f fields) bool { return f["id"] == id })
		return nil
	})
}

func (matter matterKind) retag(s *Server, c *call, change func(*tx, *record) error) (answer, error) {
	id := sameID(c.values[0])
	err := s.accept(c, &write{resource: matter.event, id: id}, func(t *tx) error {
		old, err := t.find(matter.resource, id, nil)
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
	return func() []byte { return encode(c.link.to(id, "Tags", "matters", id, "tags")) }, err
}

// matterTag is the tag of a firm with a name: the one that there is, with its colour, or
// a new one.
func (st *state) matterTag(a *account, name, color, staff string) fields {
	id := st.uuid("matter tag of "+a.id+" "+name, 0)
	for _, r := range st.list(st.by.byPath(matterPath), a.id).all {
		for _, tag := range tagsOf(r) {
			if tag["id"] == id {
				return tag
			}
		}
	}
	if color == "" {
		color = "Brown"
	}
	f := fields{"head": location{"MatterTags", []string{"mattertags", id}}, "id": id, "type": "Custom", "name": name, "color": color}
	if staff != "" {
		f["type"], f["staff"] = "Staff", staff
	}
	return f
}
