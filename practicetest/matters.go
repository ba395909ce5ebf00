package practicetest

import (
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

const (
	matterPath        = "/matters/{matterId}"
	archivePath       = "/matters/{matterId}/archive"
	configurationPath = "/matters/{matterId}/billingconfiguration"
)

// matters returns the area of matters and leads. A lead may become a matter.
// Many other kinds of records belong to a matter.
func matters(people graph) area {
	matter := matterKind{tagged{&resource{
		path: matterPath, relation: "Matters", event: "matter", check: checkMatter, derive: deriveMatter,
		final: []string{"clientIds", "otherSideIds", "clientRole", "otherSideRole"},
		owner: func(r *record) string { return r.account.id + strings.Repeat(leads, len(r.fields.str("lead"))) },
		// Assumed: records below a deleted matter
		remove: func(_ *tx, r *record) { r.fields["status"] = deletedStatus },
		restores: func(body fields) bool {
			status := body.str("status")
			return status != "" && status != deletedStatus
		},
		filters: map[string]filter{
			"Search": mentions("number", "title", "description"), "MatterTypeId": naming("matterTypeId"), "Status": equals("status"),
		},
	}}, people}
	matter.change, matter.resource.complete, matter.seeded = matter.changed, matter.complete, matter.seedMembers
	archive := &resource{path: archivePath, relation: "MatterArchives", event: "archive"}
	configuration := &resource{
		path: configurationPath, relation: "BillingConfigurations", event: "billingconfiguration",
	}
	return area{
		name: "Matters", resources: []*resource{matter.resource, archive, configuration}, seed: matter.seed,
		below: func(sd *seeder, m *record, n int) { sd.details(m, n, archive, configuration) },
		handlers: handlers{
			"listMatters": matter.listKinds, "patchMatter": matter.patch,
			"listMatterItems": matter.items, "getMatterItem": matter.item, "getSearchMapping": matter.reading(matter.searchMapping),
			"listMatterTags": matter.reading(matter.listTags), "addMatterTags": matter.addTags, "removeMatterTag": matter.removeTag,
		},
	}
}

// deletedStatus is the status of a deleted matter. Setting another status
// restores the matter.
const deletedStatus = "Deleted"

// leads is appended to the account id in the key of the list of leads.
const leads = " leads"

// matterKind is the resource of matters, with handlers for leads, items and
// tags. The items are computed from graph.
type matterKind struct {
	tagged
	graph graph
}

// isLead reports whether a matter is a lead. The internal member lead is not
// empty then.
func isLead(r *record) bool { return r.fields.str("lead") != "" }

// deriveMatter computes the members whose names differ between requests and
// responses.
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

// changed converts the body of a create or an update to the members of the
// record.
func (matter matterKind) changed(t *tx, r *record, body fields) {
	if r.revision == 0 {
		if body.is("isLead") {
			r.fields["lead"] = "x"
		}
		if body.str("number") == "" {
			r.fields["number"] = matterNumber(len(t.server.state.list(r.of, r.account.id).Bare()))
		}
		matter.openDetails(t, r)
	}
	delete(r.fields, "isLead")
	r.deleted = r.fields.str("status") == deletedStatus
	if body.str("referralType") != "" {
		kind := referralKind{t.server.catalog.byPath("/referraltypes/{id}")}
		if found := kind.named(t.server.state, r.account.id, body.str("referralType")); found != nil {
			r.fields["referralType"] = found.id
		}
	}
	r.fields["title"] = t.titleOf(r)
}

// side holds the names of two members in a body: the ids of the people on one
// side of a matter, and their role.
type side struct{ ids, role string }

// sides returns the two sides of a matter by the names of their roles.
func sides() map[string]side {
	return map[string]side{clientItems: {"clientIds", "clientRole"}, otherSideItems: {"otherSideIds", "otherSideRole"}}
}

// openDetails creates the roles, the archive details and the billing
// configuration of a new matter.
func (matter matterKind) openDetails(t *tx, r *record) {
	for _, kind := range []string{clientItems, otherSideItems} {
		names := sides()[kind]
		matter.graph.setPeople(t, r.id, kind, r.fields.str(names.role), r.fields.ids(names.ids))
	}
	archive := t.create(t.server.catalog.byPath(archivePath), r.id, []string{r.id})
	archive.fields["isArchived"] = false
	configuration := t.create(t.server.catalog.byPath(configurationPath), r.id, []string{r.id})
	configuration.fields["billingType"] = 0
	t.put(archive, created)
	t.put(configuration, created)
}

// titleOf returns the title that the service generates: number, last name of
// the first client, matter type.
func (t *tx) titleOf(r *record) string {
	parts := []string{r.fields.str("number")}
	for _, id := range r.fields.ids("clientIds")[:min(1, len(r.fields.ids("clientIds")))] {
		if contact, err := t.known(t.server.catalog.byTarget["contacts"], id, nil); err == nil {
			parts = append(parts, lastName(contact))
		}
	}
	if kind, err := t.known(t.server.catalog.byTarget["mattertypes"], r.fields.str("matterTypeId"), nil); err == nil {
		parts = append(parts, kind.fields.str("name"))
	}
	return strings.Join(parts, " - ")
}

// lastName returns the last name of a person, or the name of another kind of
// contact.
func lastName(contact *record) string {
	for _, form := range []string{"person", "company", "groupOfPeople", "trust"} {
		for _, name := range []string{"lastName", "name"} {
			if text := detailsOf(contact, form).str(name); text != "" {
				return text
			}
		}
	}
	return ""
}

// searchMapping returns the data that is sent to the search provider.
func (matter matterKind) searchMapping(_ *Server, _ *call, r *record) (answer, error) {
	return func() []byte {
		return encode(map[string]any{"matterId": r.id, "number": r.fields.str("number"), "title": r.fields.str("title")})
	}, nil
}

// AddMatter adds a matter or a lead to the firm and returns its id.
func (s *Server) AddMatter(matter models.MatterWrite) string { return s.enter("createMatter", &matter) }

// Matter returns the matter or lead with the id and reports whether it exists.
func (s *Server) Matter(id string) (models.Matter, bool) {
	return recordOf[models.Matter](s, matterPath, id)
}

// MatterArchive returns the archive details of a matter and reports whether it
// has any.
func (s *Server) MatterArchive(matterID string) (models.MatterArchive, bool) {
	return recordOf[models.MatterArchive](s, archivePath, matterID)
}

// BillingConfiguration returns the billing configuration of a matter and
// reports whether it has one.
func (s *Server) BillingConfiguration(matterID string) (models.BillingConfiguration, bool) {
	return recordOf[models.BillingConfiguration](s, configurationPath, matterID)
}
