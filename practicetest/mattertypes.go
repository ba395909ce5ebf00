package practicetest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// matterTypes returns the area of matter types, which define the items of
// matters.
func matterTypes() area {
	kind := matterTypeKind{&resource{
		path: "/mattertypes/{id}", relation: "MatterTypes", event: "mattertype",
		identify: func(st *state, f fields) string {
			return st.newID("mattertype") + "_" + cmp.Or(f.str("location"), "IL")
		},
		form: func(id string) bool {
			before, location, _ := strings.Cut(id, "_")
			return isUUID(before) && location != ""
		},
		filters: map[string]filter{
			"Name": mentions("name"), "Location": equals("location"), "Category": equals("category"), "Type": equals("type"),
		},
	}}
	return area{
		name: "MatterTypes", resources: []*resource{kind.resource}, seed: kind.seed,
		handlers: handlers{"listMatterTypes": kind.listPresent, "getMatterType": kind.read, "listMatterTypeCategories": kind.categories},
	}
}

type matterTypeKind struct{ *resource }

// listPresent lists the matter types without the deleted ones.
func (kind matterTypeKind) listPresent(s *Server, c *call) (answer, error) {
	found, err := kind.find(s, c, nil)
	return s.listing(c, kind.resource, present(found)), err
}

func present(all []*record) []*record {
	return where(all, func(r *record) bool { return !r.deleted })
}

// read handles getMatterType. It refuses an id with an invalid format.
func (kind matterTypeKind) read(s *Server, c *call) (answer, error) {
	if !kind.form(c.values[0]) {
		return nil, invalid(fieldFault{"id", "Invalid", "must be the id of a matter type"})
	}
	return kind.get(s, c)
}

func (kind matterTypeKind) categories(s *Server, c *call) (answer, error) {
	all := present(s.state.list(kind.resource, c.account.id).All())
	names := mapped(all, func(r *record) string { return r.fields.str("category") })
	slices.Sort(names)
	items := mapped(slices.Compact(names), func(name string) []byte { return encode(name) })
	return func() []byte {
		return withValue(collection{head: c.link.head("Categories", "mattertypes", "categories")}, items)
	}, nil
}

// practiceKind describes a matter type: the names of its two roles and of its
// layout.
type practiceKind struct {
	name, category, client, otherSide, layout string
	kind                                      int // 0 for matters, 1 for leads
}

var practiceKinds = [...]practiceKind{
	{"Sale of a home", "Property", "Seller", "Buyer", "Property details", 0},
	{"Purchase of a home", "Property", "Buyer", "Seller", "Property details", 0},
	{"Commercial lease", "Property", "Tenant", "Landlord", "Lease details", 0},
	{"Deceased estate", "Wills and Estates", "Executor", "Beneficiary", "Estate details", 0},
	{"Divorce", "Family Law", "Petitioner", "Respondent", "Marriage details", 0},
	{"Debt recovery", "Litigation", "Plaintiff", "Defendant", "Court details", 0},
	{"Unfair dismissal", "Employment", "Employee", "Employer", "Employment details", 0},
	{"Property enquiry", "Property", "Enquirer", "Other party", "Enquiry", 1},
	{"Personal injury", "Litigation", "Plaintiff", "Defendant", "Accident details", 0},
}

// seed creates the matter types, which belong to one of two states. The last
// one is deleted.
func (kind matterTypeKind) seed(sd *seeder, a *account) {
	for i, k := range practiceKinds {
		state := "IL"
		if i%4 == 3 {
			state = "NSW"
		}
		item := func(provider, name string, below ...fields) fields {
			return fields{
				"head": location{"MatterTypeItems", []string{"mattertypeitems", name}}, "id": name, "providerId": provider,
				"itemId": sd.newID("mattertypeitem"), "name": name, "subItems": below,
			}
		}
		r := sd.addAs(a, kind.resource, sd.newID("mattertype")+"_"+state, fields{
			"name": k.name, "category": k.category, "type": k.kind, "location": state,
			"representativeOptions": []string{k.client, k.otherSide},
			"items": []fields{
				item("roles_provider", k.client, item("roles_provider", "Solicitor")), item("roles_provider", k.otherSide),
				item("layouts_provider", k.layout),
			},
		})
		r.deleted = i == len(practiceKinds)-1
	}
}

// AddMatterType adds a matter type to the firm and returns its id. If the type
// has no id, the new id consists of a UUID and the location.
func (s *Server) AddMatterType(kind models.MatterType) string {
	return s.place("/mattertypes/{id}", &kind)
}

// MatterType returns the matter type with the id and reports whether it exists.
func (s *Server) MatterType(id string) (models.MatterType, bool) {
	return recordOf[models.MatterType](s, "/mattertypes/{id}", id)
}
