package practicetest

import (
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// ownFirm is the id that refers to the firm itself in roles.
const ownFirm = "MyFirm"

// graph is the resource of a matter's people and facts: roles with their
// relationships, and layout items. They share one version: a change of one of
// them changes the version of the whole.
type graph struct{ whole, role, ties, tie, design, item *resource }

// graphParts holds the roles and layout items of a graph in the order of
// creation. It must not be modified.
type graphParts struct {
	roles, layouts []*record

	quiet bool // no roles event: only a layout item has changed, or the matter is new
}

func partsOf(whole *record) graphParts {
	p, _ := whole.data.(graphParts)
	return p
}

// tiesBelow returns the relationships of a role.
func tiesBelow(role *record) []*record {
	ties, _ := role.data.([]*record)
	return ties
}

// withRecord returns a copy of the list in which r replaces the state with the
// same id. A deleted r is removed.
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

// roles returns the area of roles: the parts that people play in a matter. A
// relationship connects a person, or the firm, with a role.
func (g graph) roles() area {
	return area{
		name: "Roles", resources: []*resource{g.role, g.tie, g.whole, g.ties}, below: g.seedRoles,
		handlers: handlers{"listMatterRoles": g.getWhole, "getMatterRelationships": g.getTies},
	}
}

// roleMembers returns the computed members of a role: its relationships and its
// side.
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

// tieMembers returns the computed members of a relationship: its
// representatives as links to contacts.
func tieMembers(r *record) fields {
	people := r.fields.ids("representativeIds")
	if len(people) == 0 {
		return nil
	}
	return fields{"representatives": mapped(people, func(id string) any { return ref{"contacts", id} })}
}

// changeRole replaces the relationships of a role by those in the body.
func (g graph) changeRole(t *tx, r *record, body fields) {
	g.endTies(t, r)
	r.data = mapped(decoded[[]fields](body.raw("relationships")), func(members fields) *record {
		tie := t.create(g.tie, t.newID(g.tie.path), []string{r.above[0], r.id})
		tie.fields = members
		return t.put(tie, created)
	})
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

func (g graph) endTies(t *tx, role *record) {
	for _, tie := range tiesBelow(role) {
		t.drop(tie)
	}
}

// keepTie stores the state of a relationship in its role and in the graph.
func (g graph) keepTie(t *tx, tie *record) {
	role, err := t.find(g.role, tie.above[1], nil)
	if err != nil {
		return // cannot happen: the checks of the write have found the role
	}
	role = t.edit(role)
	role.data = withRecord(tiesBelow(role), tie)
	g.keep(t, t.put(role, updated))
}

// keep stores the state of a role or layout item in the graph. A write that
// changes both must store the layout item first, because the last call decides
// whether a roles event is raised.
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

// opens reports whether the write creates the matter.
func (t *tx) opens(matter string) bool {
	place := t.server.state.slot(t.server.catalog.byPath(matterPath), matter)
	return place == nil || place.Now == nil
}

// find returns the graph of a matter in the state that writes see, or a new
// graph if the matter has none.
func (g graph) find(t *tx, matter string) *record {
	if whole, err := t.find(g.whole, matter, nil); err == nil {
		return whole
	}
	return t.create(g.whole, sameID(matter), []string{sameID(matter)})
}

// read returns the graph of a matter in the state that reads see. If the matter
// has none, it returns an empty graph with the version of the matter.
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

// tellOfItems raises matteritems.updated after a role or layout item was added
// or removed. It raises at most one per write, and none for a new matter.
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

// getTies returns the relationships of a role, with the version of the graph.
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

// seedRoles creates the client's role, with a solicitor and the firm as
// relationships, and the role of the opposing party.
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

// MatterRoles returns the roles of the matter with the id, with everything
// below them, and reports whether roles were ever written.
func (s *Server) MatterRoles(id string) (models.MatterRoles, bool) {
	return recordOf[models.MatterRoles](s, "/matters/{matterId}/roles", id)
}

// AddRole adds a role to a matter and returns its id.
func (s *Server) AddRole(matterID string, role models.RoleWrite) string {
	return s.enter("addMatterRole", &role, matterID)
}

// Role returns the role with the id and reports whether it exists.
func (s *Server) Role(id string) (models.Role, bool) {
	return recordOf[models.Role](s, "/matters/{matterId}/roles/{id}", id)
}

// AddRelationship adds a relationship to a role of a matter and returns its id.
func (s *Server) AddRelationship(matterID, roleID string, relationship models.RelationshipWrite) string {
	return s.enter("addRelationship", &relationship, matterID, roleID)
}

// Relationship returns the relationship with the id and reports whether it
// exists.
func (s *Server) Relationship(id string) (models.Relationship, bool) {
	return recordOf[models.Relationship](s, "/matters/{matterId}/roles/{roleId}/relationships/{id}", id)
}
