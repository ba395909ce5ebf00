package practicetest

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// The items of a matter are a view of its graph: roles with their
// relationships, and layout items. They are not stored.

// These constants are names of item lists. A list of roles has the name of the
// roles.
const (
	clientItems    = "Client"
	otherSideItems = "OtherSide"
	layoutsItems   = "Layouts"
)

// matterItem is a role, a relationship or a layout item in the view.
type matterItem struct {
	of    *record
	below []matterItem
}

// itemsOf returns the items of a matter: first its roles, then its layout
// items.
func itemsOf(whole *record) (all []matterItem) {
	p := partsOf(whole)
	for _, role := range p.roles {
		ties := mapped(tiesBelow(role), func(tie *record) matterItem { return matterItem{of: tie} })
		all = append(all, matterItem{role, append(ties, p.layoutsBelow(role.id)...)})
	}
	return append(all, p.layoutsBelow("")...)
}

// layoutsBelow returns the layout items that belong to the role or layout item
// with the id, or to none if id is "". If the parent is deleted, the item
// belongs to none.
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

// kind returns the name of the list that contains the item.
func (item matterItem) kind() string {
	if item.isLayout() {
		return layoutsItems
	}
	return cmp.Or(item.of.fields.str("name"), "Role")
}

func (item matterItem) name() string {
	return cmp.Or(item.of.fields.str("displayName"), item.of.fields.str("name"))
}

// refsOf converts items to the references that a matter contains, grouped by
// kind.
func refsOf(all []matterItem) map[string]any {
	kinds := map[string]any{}
	for _, item := range all {
		kind := map[bool]string{false: "role", true: "layout"}[item.isLayout()]
		list, _ := kinds[item.kind()].([]any)
		kinds[item.kind()] = append(list, map[string]any{"type": kind, "id": item.of.id, "name": item.name(), "subItems": refsOf(item.below)})
	}
	return kinds
}

// writtenItems converts items to records of the item operations.
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

// writeItems encodes the items of a matter with the version of the graph.
func (v view) writeItems(whole *record) []byte {
	w := writer{view: v}
	return w.object(&value{object: "MatterItems"}, fields{
		"head": location{"MatterItems", []string{"matters", whole.id, "items"}}, "id": whole.id, "versionId": whole.versionID(),
		"items": writtenItems(whole.id, itemsOf(whole)),
	})
}

// complete adds the members that are computed from the roles of a matter: its
// items, its clients and the other side.
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

// itemWithID searches items and their sub items, and returns the one with the
// id or nil.
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

// itemPatch is an item in the body of a patch.
type itemPatch struct{ fields }

// below returns the sub items of an item in a body.
func (p itemPatch) below() map[string][]itemPatch {
	return decoded[map[string][]itemPatch](p.raw("subItems"))
}

// members converts an item to the members of a role or relationship.
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

// patchItems applies the items of a patch: it changes those with an id and adds
// the others. An empty list removes all roles of its kind.
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

// endItems removes all roles of a kind from a matter. It refuses to remove the
// clients.
func (g graph) endItems(t *tx, matter, kind string) error {
	if kind == clientItems {
		return faulty("items."+kind, "must have at least one entry")
	}
	for _, role := range rolesNamed(g.find(t, matter), kind) {
		g.dismiss(t, role)
	}
	return nil
}

// patchLayout changes the description of a layout item. Its other members can
// only be changed by the layout operations.
func (g graph) patchLayout(t *tx, at string, item *record, p itemPatch) error {
	if p.members().given("contactId") {
		return conflict(at+".contactId", "is allowed only for items of kind role")
	}
	r := t.edit(item)
	if raw, given := p.fields["description"]; given {
		r.fields["description"] = raw
	}
	g.keep(t, t.put(r, updated))
	g.tellOfItems(t, item.above[0])
	return nil
}

// patchRole changes a role and its relationships. If the item has no id, it
// adds a role.
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

// patchTies applies the sub items of a patch and returns the relationships of
// the role.
func (g graph) patchTies(t *tx, at string, role *record, patches map[string][]itemPatch) ([]*record, error) {
	ties := tiesBelow(role)
	for _, kind := range slices.Sorted(maps.Keys(patches)) {
		for i, p := range patches[kind] {
			at := at + ".subItems." + kind + "[" + strconv.Itoa(i) + "]"
			if len(p.below()) > 0 {
				return nil, faulty(at+".subItems", "must be empty for subitems")
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

// patched returns a changed copy of the role or relationship of an item, or a
// new one if the item has no id, and which of both it did.
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

// setPeople sets the contacts that hold the role name, such as Client, by
// adding and removing roles. shown is the display name of new roles.
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

// renameRoles changes the display name of all roles with the given name.
func (g graph) renameRoles(t *tx, matter, name, shown string) {
	for _, role := range rolesNamed(g.find(t, matter), name) {
		r := t.edit(role)
		r.fields["displayName"] = shown
		g.keep(t, t.put(r, updated))
		g.tellOfItems(t, matter)
	}
}
