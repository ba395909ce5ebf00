package practicetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Items of a matter are its graph seen from above: roles with the relationships
// below them, and layout items. They have no state of their own.

// Names of lists of items. Those of roles are the names of the roles.
const (
	clientItems    = "Client"
	otherSideItems = "OtherSide"
	layoutsItems   = "Layouts"
)

// matterItem is a role, a relationship or a layout item, seen from above.
type matterItem struct {
	of    *record
	below []matterItem
}

// itemsOf returns the items of a matter: roles, then layout items.
func itemsOf(whole *record) (all []matterItem) {
	p := partsOf(whole)
	for _, role := range p.roles {
		item := matterItem{of: role}
		for _, tie := range tiesBelow(role) {
			item.below = append(item.below, matterItem{of: tie})
		}
		item.below = append(item.below, p.layoutsBelow(role.id)...)
		all = append(all, item)
	}
	return append(all, p.layoutsBelow("")...)
}

// layoutsBelow returns the layout items below a role or another one; those at
// the top for "". An item below a deleted one is at the top.
func (p graphParts) layoutsBelow(id string) (all []matterItem) {
	for _, item := range p.layouts {
		parent := sameID(item.fields.str("parentItemId"))
		if !slices.ContainsFunc(slices.Concat(p.roles, p.layouts), func(r *record) bool { return r.id == parent }) {
			parent = ""
		}
		if parent == id {
			all = append(all, matterItem{item, p.layoutsBelow(item.id)})
		}
	}
	return all
}

func (item matterItem) isLayout() bool { return item.of.of.target == "layouts" }

// kind returns the name of the list that an item is in.
func (item matterItem) kind() string {
	if item.isLayout() {
		return layoutsItems
	}
	return cmp.Or(item.of.fields.str("name"), "Role")
}

func (item matterItem) name() string {
	return cmp.Or(item.of.fields.str("displayName"), item.of.fields.str("name"))
}

// refsOf names items in lists by kind, as a matter holds them.
func refsOf(all []matterItem) map[string]any {
	kinds := map[string]any{}
	for _, item := range all {
		kind := map[bool]string{false: "role", true: "layout"}[item.isLayout()]
		list, _ := kinds[item.kind()].([]any)
		kinds[item.kind()] = append(list, map[string]any{"type": kind, "id": item.of.id, "name": item.name(), "subItems": refsOf(item.below)})
	}
	return kinds
}

// writtenItems returns items as records of their own.
func writtenItems(matter string, all []matterItem) []fields {
	written := []fields{}
	for i, item := range all {
		written = append(written, fields{
			"head": location{"MatterItems", []string{"matters", matter, "items", item.of.id}}, "id": item.of.id, "name": item.name(),
			"index": i, "visible": true, "subItems": writtenItems(matter, item.below),
		})
	}
	return written
}

// writeItems writes the items of a matter with the version of the whole.
func (v view) writeItems(whole *record) []byte {
	w := writer{view: v}
	return w.object(&value{object: "MatterItems"}, fields{
		"head": location{"MatterItems", []string{"matters", whole.id, "items"}}, "id": whole.id, "versionId": whole.versionID(),
		"items": writtenItems(whole.id, itemsOf(whole)),
	})
}

// complete adds the items of a matter, and the clients and the other side that
// its roles name.
func (matter matterKind) complete(st *state, r *record, seen func(*slot) *record) *record {
	st.furnish(r.id)
	n := r.next()
	n.fields["items"] = map[string]any{}
	place := st.slot(matter.graph.whole, r.id)
	if place == nil || seen(place) == nil {
		return n
	}
	whole := seen(place)
	n.fields["items"] = refsOf(itemsOf(whole))
	for kind, names := range sides() {
		people := []string{}
		for _, role := range rolesNamed(whole, kind) {
			if contact := role.fields.str("contactId"); contact != "" {
				people = append(people, sameID(contact))
			}
		}
		n.fields[names.ids] = people
	}
	return n
}

// rolesNamed returns the roles of a matter with a name.
func rolesNamed(whole *record, name string) []*record {
	return where(partsOf(whole).roles, func(role *record) bool { return role.fields.str("name") == name })
}

func (matter matterKind) items(s *Server, c *call) (answer, error) {
	whole, err := matter.graph.read(s.tx(c), c.values[0])
	if err != nil {
		return nil, err
	}
	v := s.view(c.link)
	return func() []byte { return v.writeItems(whole) }, nil
}

func (matter matterKind) item(s *Server, c *call) (answer, error) {
	whole, err := matter.graph.read(s.tx(c), c.values[0])
	if err != nil {
		return nil, err
	}
	found := itemWithID(writtenItems(whole.id, itemsOf(whole)), sameID(c.values[1]))
	if found == nil {
		return nil, notFound("matter item")
	}
	return s.object(c, found), nil
}

// itemWithID returns an item among others or below them.
func itemWithID(all []fields, id string) fields {
	for _, item := range all {
		if item["id"] == id {
			return item
		}
		if found := itemWithID(item["subItems"].([]fields), id); found != nil {
			return found
		}
	}
	return nil
}

// itemPatch is an item of a body.
type itemPatch struct{ fields }

// below returns the items below that of a body.
func (p itemPatch) below() (all map[string][]itemPatch) {
	_ = json.Unmarshal(p.raw("subItems"), &all) // the schema has checked it; without any there are none
	return all
}

// members returns the members that a role or a relationship takes from an item.
func (p itemPatch) members() fields {
	f := fields{}
	for name, member := range map[string]string{"roleDescription": "displayName", "description": "description", "contactId": "contactId"} {
		if raw, given := p.fields[name]; given {
			f[member] = raw
		}
	}
	if _, given := p.fields["contact"]; given {
		f["contactId"] = idOf(p.raw("contact"))
	}
	return f
}

// patchItems changes the items that a body names, adds those without an id, and
// ends the roles of a kind whose list is empty.
func (g graph) patchItems(t *tx, matter string, patches map[string][]itemPatch) error {
	for _, kind := range slices.Sorted(maps.Keys(patches)) {
		if len(patches[kind]) == 0 {
			if err := g.endItems(t, matter, kind); err != nil {
				return err
			}
		}
		for i, p := range patches[kind] {
			at := "items." + kind + "[" + strconv.Itoa(i) + "]"
			id := p.str("id")
			switch item, err := t.find(g.item, id, []string{matter}); {
			case unlessPending(err, nil) != nil:
				return err
			case err == nil && id != "":
				if err := g.patchLayout(t, at, item, p); err != nil {
					return err
				}
				continue
			}
			if err := g.patchRole(t, at, kind, matter, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// endItems removes the roles of a kind from a matter.
func (g graph) endItems(t *tx, matter, kind string) error {
	if kind == clientItems {
		return faulty("items."+kind, "a client role needs at least one entry")
	}
	for _, role := range rolesNamed(g.find(t, matter), kind) {
		g.dismiss(t, role)
	}
	return nil
}

// patchLayout changes the description of a layout item, which has no contact;
// the rest is left to its own operations.
func (g graph) patchLayout(t *tx, at string, item *record, p itemPatch) error {
	if p.members().given("contactId") {
		return conflict(at+".contactId", "only for items of kind role")
	}
	r := t.edit(item)
	if raw, given := p.fields["description"]; given {
		r.fields["description"] = raw
	}
	g.keep(t, t.put(r, updated))
	g.tellOfItems(t, item.above[0])
	return nil
}

// patchRole changes a role, or adds one when there is no id, with the
// relationships below it.
func (g graph) patchRole(t *tx, at, kind, matter string, p itemPatch) error {
	role, what, err := g.patched(t, g.role, at, kind, []string{matter}, p)
	if err != nil {
		return err
	}
	ties, err := g.patchTies(t, at, role, p.below())
	if err != nil {
		return err
	}
	role.data = ties
	g.keep(t, t.put(role, what))
	g.tellOfItems(t, matter)
	return nil
}

// patchTies returns the relationships below a role with those that a body
// changes or adds.
func (g graph) patchTies(t *tx, at string, role *record, patches map[string][]itemPatch) ([]*record, error) {
	ties := tiesBelow(role)
	for _, kind := range slices.Sorted(maps.Keys(patches)) {
		for i, p := range patches[kind] {
			at := at + ".subItems." + kind + "[" + strconv.Itoa(i) + "]"
			if len(p.below()) > 0 {
				return nil, faulty(at+".subItems", "sub items have none")
			}
			tie, what, err := g.patched(t, g.tie, at, kind, []string{role.above[0], role.id}, p)
			if err != nil {
				return nil, err
			}
			ties = withRecord(ties, t.put(tie, what))
		}
	}
	return ties, nil
}

// patched returns the role or the relationship that an item of a body changes,
// or a new one when it has no id.
func (g graph) patched(t *tx, of *resource, at, kind string, above []string, p itemPatch) (*record, changeKind, error) {
	id := p.str("id")
	if id == "" {
		r := t.create(of, t.newID(of.path), above)
		r.fields = p.members().with(fields{"name": kind})
		return r, created, nil
	}
	if err := t.isNamed(at+".id", "roles", id); err != nil {
		return nil, "", err
	}
	old, err := t.find(of, id, nil)
	if err != nil || !slices.Equal(old.above, above) {
		return nil, "", unlessPending(err, conflict(at+".id", "no such item"))
	}
	r := t.edit(old)
	maps.Copy(r.fields, p.members())
	return r, updated, nil
}

// setPeople sets the contacts in the roles with a name, such as Client. shown
// is the name of the role as the firm writes it.
func (g graph) setPeople(t *tx, matter, name, shown string, contacts []string) {
	have := map[string]bool{}
	for _, role := range rolesNamed(g.find(t, matter), name) {
		contact := sameID(role.fields.str("contactId"))
		if !slices.ContainsFunc(contacts, func(id string) bool { return sameID(id) == contact }) {
			g.dismiss(t, role)
		}
		have[contact] = true
	}
	for _, contact := range contacts {
		if have[sameID(contact)] {
			continue
		}
		role := t.create(g.role, t.newID(g.role.path), []string{matter})
		role.fields = fields{"name": name, "displayName": cmp.Or(shown, name), "contactId": contact}
		g.keep(t, t.put(role, created))
		g.tellOfItems(t, matter)
	}
}

// renameRoles changes the shown name of roles.
func (g graph) renameRoles(t *tx, matter, name, shown string) {
	for _, role := range rolesNamed(g.find(t, matter), name) {
		r := t.edit(role)
		r.fields["displayName"] = shown
		g.keep(t, t.put(r, updated))
		g.tellOfItems(t, matter)
	}
}
