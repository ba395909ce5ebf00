package practicetest

import (
	"encoding/json"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// ownFirm is the identifier by which roles name the firm itself.
const ownFirm = "MyFirm"

// graph holds the people and facts of a matter: its roles with the
// relationships below them, and its layout items. Every change of one of them
// is a change of the whole, whose version covers all of them.
type graph struct{ whole, role, ties, tie, design, item *resource }

// graphParts holds the roles and layout items of a graph, in the order of their
// creation. They never change.
type graphParts struct {
	roles, layouts []*record

	quiet bool // no event about roles: only a layout item has changed, or the matter is new
}

func partsOf(whole *record) graphParts {
	p, _ := whole.data.(graphParts)
	return p
}

// tiesBelow returns the relationships below a role.
func tiesBelow(role *record) []*record {
	ties, _ := role.data.([]*record)
	return ties
}

// withRecord returns a list with the latest state of a record, or without a
// deleted one.
func withRecord(all []*record, r *record) []*record {
	at := slices.IndexFunc(all, func(one *record) bool { return one.id == r.id })
	all = slices.Clone(all)
	switch {
	case at < 0 && !r.deleted:
		return append(all, r)
	case at >= 0 && r.deleted:
		return slices.Delete(all, at, at+1)
	case at >= 0:
		all[at] = r
	}
	return all
}

func newGraph() graph {
	g := graph{
		role: &resource{path: "/matters/{matterId}/roles/{id}", relation: "Roles", derive: roleMembers, vanishes: true},
		tie: &resource{
			path: "/matters/{matterId}/roles/{roleId}/relationships/{id}", relation: "Relationships", vanishes: true,
			derive: tieMembers,
		},
		whole: &resource{path: "/matters/{matterId}/roles", relation: "Roles", event: "roles", derive: func(r *record) fields {
			return fields{"matterId": r.id, "roles": partsOf(r).roles}
		}, payload: func(v view, r *record) []byte {
			if partsOf(r).quiet {
				return nil
			}
			return v.record(r)
		}},
		ties:   &resource{path: "/matters/{matterId}/roles/{roleId}/relationships", relation: "Relationships"},
		design: &resource{path: designPath, relation: "LayoutDesigns", event: "layoutdesign"},
		item: &resource{
			path: layoutPath, relation: "LayoutItems", event: "layoutmatter", vanishes: true, derive: itemMembers, payload: itemPayload,
		},
	}
	g.role.change, g.role.remove = g.changeRole, g.removeRole
	g.tie.change, g.tie.remove = func(t *tx, r *record, _ fields) { g.keepTie(t, r) }, g.keepTie
	g.item.check, g.item.change, g.item.remove = g.checkItem, g.changeItem, g.removeItem
	return g
}

// roles returns the parts that people play in a matter; a relationship is a
// person who fills a role, or the firm itself.
func (g graph) roles() area {
	return area{
		name: "Roles", resources: []*resource{g.role, g.tie, g.whole, g.ties}, below: g.seedRoles,
		handlers: handlers{"listMatterRoles": g.getWhole, "getMatterRelationships": g.getTies},
	}
}

// roleMembers shows a role: its relationships, and on whose side it is.
func roleMembers(r *record) fields {
	name := r.fields.str("name")
	f := fields{
		"relationships": tiesBelow(r), "isClient": name == clientItems, "isOtherSide": name == otherSideItems,
	}
	if shown := r.fields.str("displayName"); shown != "" {
		f["roleDescription"] = shown
	}
	return f
}

// tieMembers shows a relationship: its representatives are contacts.
func tieMembers(r *record) fields {
	var all []any
	for _, id := range r.fields.ids("representativeIds") {
		all = append(all, ref{"contacts", id})
	}
	if all == nil {
		return nil
	}
	return fields{"representatives": all}
}

// changeRole replaces the relationships of a role by those of the body.
func (g graph) changeRole(t *tx, r *record, body fields) {
	var written []fields
	_ = json.Unmarshal(body.raw("relationships"), &written) // the schema has checked it
	g.endTies(t, r)
	var ties []*record
	for _, members := range written {
		tie := t.create(g.tie, t.newID(g.tie.path), []string{r.above[0], r.id})
		tie.fields = members
		ties = append(ties, t.put(tie, created))
	}
	r.data = ties
	delete(r.fields, "relationships")
	g.keep(t, r)
	if r.revision == 0 {
		g.tellOfItems(t, r.above[0])
	}
}

func (g graph) removeRole(t *tx, r *record) {
	g.endTies(t, r)
	g.keep(t, r)
	g.tellOfItems(t, r.above[0])
}

// endTies deletes the relationships below a role.
func (g graph) endTies(t *tx, role *record) {
	for _, tie := range tiesBelow(role) {
		t.drop(tie)
	}
}

// keepTie adds the state of a relationship to its role and to the whole.
func (g graph) keepTie(t *tx, tie *record) {
	role, err := t.find(g.role, tie.above[1], nil)
	if err != nil {
		return // the checks of the write have found it
	}
	role = t.edit(role)
	role.data = withRecord(tiesBelow(role), tie)
	g.keep(t, t.put(role, updated))
}

// keep adds the state of a role to the whole, and that of a layout item to its
// version. A write that changes both stores the layout item first.
func (g graph) keep(t *tx, r *record) {
	whole := t.edit(g.find(t, r.above[0]))
	p := partsOf(whole)
	p.quiet = r.of == g.item || t.opens(r.above[0])
	if r.of == g.role {
		p.roles = withRecord(p.roles, r)
	} else {
		p.layouts = withRecord(p.layouts, r)
	}
	whole.data = p
	t.put(whole, updated)
}

// opens reports whether the write makes a matter.
func (t *tx) opens(matter string) bool {
	place := t.server.state.slot(t.server.catalog.byPath(matterPath), matter)
	return place == nil || place.Now == nil
}

// find returns the graph of a matter as a write sees it; a matter without one
// gets it.
func (g graph) find(t *tx, matter string) *record {
	if whole, err := t.find(g.whole, matter, nil); err == nil {
		return whole
	}
	return t.create(g.whole, sameID(matter), []string{sameID(matter)})
}

// read returns the graph of a matter as a read shows it. If it was never
// written, its version is that of the matter.
func (g graph) read(t *tx, matter string) (*record, error) {
	m, err := t.read(t.server.state.resource("matters"), matter, nil)
	if err != nil {
		return nil, err
	}
	whole, err := t.read(g.whole, matter, nil)
	if err != nil {
		whole = t.create(g.whole, m.id, []string{m.id})
		whole.version = m
	}
	return whole, nil
}

// tellOfItems raises one event when a role or a layout of a matter was added or
// removed. A new matter has only its own event.
func (g graph) tellOfItems(t *tx, matter string) {
	const kind = "matteritems.updated"
	if t.opens(matter) || slices.ContainsFunc(t.further, func(e furtherEvent) bool { return e.kind == kind }) {
		return
	}
	t.tell(kind, func(v view) []byte { return v.writeItems(g.find(t, matter)) })
}

func (g graph) getWhole(s *Server, c *call) (answer, error) {
	whole, err := g.read(s.tx(c), c.value("matterId"))
	return s.recordOr(c, whole, err)
}

// getTies answers the relationships below a role, with the version of the
// whole.
func (g graph) getTies(s *Server, c *call) (answer, error) {
	t, ids := s.tx(c), lower(c.values)
	role, err := t.read(g.role, ids[1], ids[:1])
	if err != nil {
		return nil, err
	}
	whole, err := g.read(t, ids[0])
	if err != nil {
		return nil, err
	}
	all := t.create(g.ties, "", ids)
	all.version, all.fields = whole, fields{"id": nil, "relationships": tiesBelow(role)}
	return s.recordOr(c, all, nil)
}

// seedRoles creates the client of a matter, with a solicitor and the firm, and
// another side.
func (g graph) seedRoles(sd *seeder, m *record, n int) {
	a, kind, other := m.account, practiceKinds[sd.plan(n).kind], sd.all(m.account, "contacts")
	solicitor := other[(n+1)%len(other)]
	role := sd.make(a, g.role, sd.newID(g.role.path), fields{"name": clientItems, "displayName": kind.client, "contactId": m.fields.ids("clientIds")[0]}, []string{m.id})
	role.data = []*record{
		sd.add(a, g.tie, fields{
			"name": "Solicitor", "contact": ref{"contacts", role.fields.str("contactId")}, "representativeIds": []string{solicitor.id},
		}, m.id, role.id),
		sd.add(a, g.tie, fields{"name": "Attorney", "contact": fields{"href": "/firm/", "rel": "Firm"}}, m.id, role.id),
	}
	sd.put(role)
	opponent := sd.add(a, g.role, fields{
		"name": otherSideItems, "displayName": kind.otherSide, "description": "Other side", "contactId": m.fields.ids("otherSideIds")[0],
		"representativeIds": []string{solicitor.id},
	}, m.id)
	whole := sd.make(a, g.whole, m.id, fields{}, []string{m.id})
	whole.data = graphParts{roles: []*record{role, opponent}}
	sd.put(whole)
}

// MatterRoles returns the roles of a matter with everything below them, and
// whether any was ever written. The id is that of the matter.
func (s *Server) MatterRoles(id string) (models.MatterRoles, bool) {
	return recordOf[models.MatterRoles](s, "/matters/{matterId}/roles", id)
}

// AddRole adds a role to a matter and returns its id.
func (s *Server) AddRole(matterID string, role models.RoleWrite) string {
	return s.enter("addMatterRole", &role, matterID)
}

// Role returns a role of a matter, and whether there is one with the id.
func (s *Server) Role(id string) (models.Role, bool) {
	return recordOf[models.Role](s, "/matters/{matterId}/roles/{id}", id)
}

// AddRelationship adds a relationship to a role of a matter and returns its id.
func (s *Server) AddRelationship(matterID, roleID string, relationship models.RelationshipWrite) string {
	return s.enter("addRelationship", &relationship, matterID, roleID)
}

// Relationship returns a relationship, and whether there is one with the id.
func (s *Server) Relationship(id string) (models.Relationship, bool) {
	return recordOf[models.Relationship](s, "/matters/{matterId}/roles/{roleId}/relationships/{id}", id)
}
