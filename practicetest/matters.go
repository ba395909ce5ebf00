package practicetest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

const (
	matterPath        = "/matters/{matterId}"
	archivePath       = "/matters/{matterId}/archive"
	configurationPath = "/matters/{matterId}/billingconfiguration"
)

// matters are what a firm works on; a lead is one that may come. Many other records lie
// below one.
func matters() area {
	matter := matterKind{&resource{
		path: matterPath, relation: "Matters", event: "matter", change: changeMatter, check: checkMatter, derive: deriveMatter,
		final:  []string{"clientIds", "otherSideIds", "clientRole", "otherSideRole"},
		owner:  func(r *record) string { return r.account.id + strings.Repeat(leads, len(r.fields.str("lead"))) },
		remove: func(_ *tx, r *record) { r.fields["status"] = "Deleted" },
		filters: map[string]func(*record, string) bool{
			"Search": matterHas, "MatterTypeId": equals("matterTypeId"), "ContactId": matterNames,
		},
	}}
	archive := &resource{path: archivePath, relation: "MatterArchives", event: "archive"}
	configuration := &resource{
		path: configurationPath, relation: "BillingConfigurations", event: "billingconfiguration",
		check: func(t *tx, _ *call, r *record) error { return t.refersToAll(r, "debtorIds", "contacts") },
	}
	return area{
		name: "Matters", resources: []*resource{matter.resource, archive, configuration}, seed: matter.seed,
		below: func(sd *seeder, m *record, n int) { sd.details(m, n, archive, configuration) },
		handlers: handlers{
			"listMatters": matter.listKinds, "patchMatter": matter.patch, "createMatter": matter.open,
			"listMatterItems": matter.items, "getMatterItem": matter.item, "getSearchMapping": matter.searchMapping,
			"listMatterTags": matter.tags, "addMatterTags": matter.addTags, "removeMatterTag": matter.removeTag,
		},
	}
}

// leads follows the id of the account in the name of the list of its leads.
const leads = " leads"

// matterKind adds leads, items and tags to the resource.
type matterKind struct{ *resource }

// lead tells whether a record is one; its member lead is written for that.
func isLead(r *record) bool { return r.fields.str("lead") != "" }

// deriveMatter gives the links that have other names in a body.
func deriveMatter(r *record) fields {
	f := fields{"versionId": strconv.FormatInt(ticks(r.updated), 10), "isLead": isLead(r), "clients": r.fields["clientIds"], "otherSides": r.fields["otherSideIds"]}
	for name, body := range map[string]string{
		"personResponsible": "personResponsibleStaffId", "personAssisting": "personAssistingStaffId",
		"personAssistingStaffs": "personAssistingStaffIds", "originatingStaff": "originatingStaffId",
		"originatingStaffs": "originatingStaffIds", "supervisor": "supervisorStaffId",
	} {
		f[name] = r.fields[body]
	}
	return f
}

// changeMatter keeps what a body says in the form of the record.
func changeMatter(t *tx, r *record, body fields) {
	if r.revision == 0 {
		if body.is("isLead") {
			r.fields["lead"] = "x"
		}
		if body.str("number") == "" {
			r.fields["number"] = strconv.Itoa(10001 + len(t.server.state.list(r.of, r.account.id).all))
		}
		t.openDetails(r)
	}
	delete(r.fields, "isLead")
	if body.str("referralType") != "" {
		kind := referralKind{t.server.catalog.byPath("/referraltypes/{id}")}
		if found := kind.named(t.server.state, r.account.id, body.str("referralType")); found != nil {
			r.fields["referralType"] = found.id
		}
	}
	r.fields["title"] = t.titleOf(r)
}

// openDetails gives a new matter its items, archive details and billing configuration.
func (t *tx) openDetails(r *record) {
	var items []matterItem
	for kind, name := range map[string]string{"Client": "clientIds", "OtherSide": "otherSideIds"} {
		for _, contact := range textsOf(r.fields, name) {
			items = append(items, matterItem{id: t.newID("item of " + r.id), name: kind, kind: kind, contact: contact})
		}
	}
	slices.SortStableFunc(items, func(a, b matterItem) int { return strings.Compare(a.kind, b.kind) })
	withItems(r, items)
	archive := t.create(t.server.catalog.byPath(archivePath), r.id, []string{r.id})
	archive.fields["isArchived"] = false
	configuration := t.create(t.server.catalog.byPath(configurationPath), r.id, []string{r.id})
	configuration.fields["billingType"] = 0
	t.put(archive, created)
	t.put(configuration, created)
}

// titleOf is the title that the service makes: number, first client, type.
func (t *tx) titleOf(r *record) string {
	parts := []string{r.fields.str("number")}
	for _, id := range textsOf(r.fields, "clientIds")[:min(1, len(textsOf(r.fields, "clientIds")))] {
		if contact, err := t.find(t.server.catalog.byTarget["contacts"], id, nil); err == nil {
			parts = append(parts, lastName(contact))
		}
	}
	if kind, err := t.find(t.server.catalog.byTarget["mattertypes"], r.fields.str("matterTypeId"), nil); err == nil {
		parts = append(parts, kind.fields.str("name"))
	}
	return strings.Join(parts, " - ")
}

// textsOf are the texts of a member that is a list.
func textsOf(f fields, name string) []string {
	var all []string
	for _, one := range elements(f[name]) {
		if text := (fields{"": one}).str(""); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// lastName is that of a person, or the name of a company.
func lastName(contact *record) string {
	for _, form := range []string{"person", "company", "groupOfPeople", "trust"} {
		var members fields
		if raw := contact.fields.raw(form); string(raw) != "null" {
			_ = json.Unmarshal(raw, &members) // it was written by the service
		}
		for _, name := range []string{"lastName", "name"} {
			if text, is := members[name].(string); is && text != "" {
				return text
			}
		}
	}
	return ""
}

// checkMatter knows the rules that span several members, and what a matter refers to.
func checkMatter(t *tx, c *call, r *record) error {
	if r.revision == 0 {
		for _, name := range []string{"clientIds", "matterTypeId", "status"} {
			if raw := string(r.fields.raw(name)); raw == "null" || raw == "[]" || raw == `""` {
				return conflict(name, "required")
			}
		}
	}
	if kind, err := t.find(t.server.catalog.byTarget["mattertypes"], r.fields.str("matterTypeId"), nil); r.fields.str("matterTypeId") != "" {
		if err != nil {
			return conflict("matterTypeId", "no such matter type")
		}
		if lead := string(kind.fields.raw("type")) == "1"; lead != isLead(r) {
			return conflict("matterTypeId", "a type of leads is for leads, and no other")
		}
	}
	if role := r.fields.str("clientRole"); role != "" && role == r.fields.str("otherSideRole") {
		return conflict("otherSideRole", "must differ from clientRole")
	}
	for name, to := range map[string]string{
		"personResponsibleStaffId": "staff", "personAssistingStaffId": "staff", "originatingStaffId": "staff", "supervisorStaffId": "staff", "referrerId": "contacts",
	} {
		if err := t.refers(r, name, to); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{
		"clientIds": "contacts", "otherSideIds": "contacts", "personAssistingStaffIds": "staff", "originatingStaffIds": "staff",
	} {
		if err := t.refersToAll(r, name, to); err != nil {
			return err
		}
	}
	for _, pair := range [][2]string{{"personAssistingStaffIds", "personAssistingStaffId"}, {"originatingStaffIds", "originatingStaffId"}} {
		if one := r.fields.str(pair[1]); one != "" && slices.Contains(textsOf(r.fields, pair[0]), one) {
			return c.exclusion(pair[0], pair[1], "must not repeat "+pair[1])
		}
	}
	return checkCheques(t, r)
}

// refersToAll tells whether the records that a list names exist.
func (t *tx) refersToAll(r *record, name, to string) error {
	of := t.server.catalog.byTarget[to]
	for i, id := range textsOf(r.fields, name) {
		if _, err := t.find(of, id, nil); err != nil {
			return conflict(name+"["+strconv.Itoa(i)+"]", "no such %s", of.name)
		}
	}
	return nil
}

// matterHas finds a text in clients, other sides, description and number.
func matterHas(r *record, text string) bool {
	for _, name := range []string{"number", "title", "description"} {
		if strings.Contains(strings.ToLower(r.fields.str(name)), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

func matterNames(r *record, contact string) bool {
	return slices.Contains(append(textsOf(r.fields, "clientIds"), textsOf(r.fields, "otherSideIds")...), contact)
}

// listKinds lists matters, leads or both.
func (matter matterKind) listKinds(s *Server, c *call) (answer, error) {
	all := s.state.list(matter.resource, c.account.id).all
	other := s.state.list(matter.resource, c.account.id+leads).all
	switch {
	case c.query["Type"] == "Leads" || c.query["IsLead"] == "true":
		all = other
	case strings.Contains(c.query["Type"], "Leads"):
		all = slices.Concat(all, other)
	}
	keep := matter.wanted(c)
	found := slices.DeleteFunc(slices.Clone(all), func(r *record) bool {
		status := c.queries["Status"]
		return keep != nil && !keep(r) || len(status) > 0 && !slices.Contains(status, r.fields.str("status"))
	})
	switch c.query["Sort"] {
	case "status":
		slices.SortStableFunc(found, func(a, b *record) int { return strings.Compare(a.fields.str("status"), b.fields.str("status")) })
	case "lastUpdated":
		slices.SortStableFunc(found, func(a, b *record) int { return a.updated.Compare(b.updated) })
	}
	without := fields{}
	for _, name := range []string{"items", "tags"} {
		if !slices.Contains(strings.Split(c.query["Fields"], ","), name) {
			without[name] = nil
		}
	}
	offset, limit := c.window()
	p, some, v := c.page(offset, limit, len(found), "matters"), slice(found, offset, limit), s.view(c.link)
	return func() []byte {
		texts := make([][]byte, len(some))
		for i, r := range some {
			f, w := deriveMatter(r), writer{view: v, of: r}
			f["of"] = r
			for name := range without {
				f[name] = nil
			}
			texts[i] = w.object(&value{object: matter.schema}, f)
		}
		return p.body(texts)
	}, nil
}

// open makes a matter with its details and items.
func (matter matterKind) open(s *Server, c *call) (answer, error) {
	role, other := member[string](c, "clientRole"), member[string](c, "otherSideRole")
	if role != "" && role == other {
		return nil, faulty("otherSideRole", "must differ from clientRole")
	}
	return matter.create(s, c)
}

// searchMapping is what the search provider is told.
func (matter matterKind) searchMapping(s *Server, c *call) (answer, error) {
	r, err := s.tx(c).read(matter.resource, c.values[0], nil)
	if err != nil {
		return nil, err
	}
	return func() []byte {
		return encode(map[string]any{"matterId": r.id, "number": r.fields.str("number"), "title": r.fields.str("title")})
	}, nil
}

// AddMatter opens a matter or a lead and returns its id.
func (s *Server) AddMatter(matter models.MatterWrite) string { return s.enter("createMatter", &matter) }

// Matter returns a matter or a lead, and whether there is one with the id.
func (s *Server) Matter(id string) (models.Matter, bool) {
	return recordOf[models.Matter](s, matterPath, id)
}

// MatterArchive returns the archive details of a matter, and whether it has some.
func (s *Server) MatterArchive(matterID string) (models.MatterArchive, bool) {
	return recordOf[models.MatterArchive](s, archivePath, matterID)
}

// BillingConfiguration returns how a matter is billed, and whether that is known.
func (s *Server) BillingConfiguration(matterID string) (models.BillingConfiguration, bool) {
	return recordOf[models.BillingConfiguration](s, configurationPath, matterID)
}
