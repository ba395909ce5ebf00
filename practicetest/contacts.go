package practicetest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// contacts returns the area of contacts, which includes their relations and
// tags.
func contacts() area {
	contact := contactKind{tagged{&resource{
		path: "/contacts/{id}", relation: "Contacts", event: "contact",
		form:   func(id string) bool { return isUUID(id) || id == ownFirm },
		change: changeContact, restores: undeletes, derive: contactMembers, brief: briefContact,
		filters: map[string]filter{
			"ExcludeDeletedContacts": notDeleted,
			"Type":                   isOfKind, "Search": func(r *record, text string) bool { return r.mentions(text, contactTexts) },
		},
	}}}
	return area{
		name: "Contacts", resources: []*resource{contact.resource}, seed: contact.seed,
		handlers: handlers{
			"batchContacts":         contact.batch,
			"listContactRelations":  contact.reading(contact.listRelations),
			"createContactRelation": contact.createRelation,
			"getContactRelation":    contact.reading(contact.getRelation),
			"updateContactRelation": contact.updateRelation,
			"deleteContactRelation": contact.deleteRelation,
			"addContactTags":        contact.addTags,
			"removeContactTags":     contact.removeTag,
			"removeContactTagsBulk": contact.removeTags,
			"listContactTags":       contact.reading(contact.listTags),
		},
	}
}

// contactKind is the resource of contacts, with handlers for their relations
// and tags.
type contactKind struct{ tagged }

// contactForms lists the members that define the kind of a contact. A contact
// has exactly one of them.
var contactForms = [...]string{"person", "company", "trust", "groupOfPeople"}

// detailsOf returns the members of the given form, or nil if the contact is of
// another kind.
func detailsOf(r *record, form string) fields {
	f, _ := r.fields[form].(fields)
	return f
}

// with returns a copy of f that is updated with others.
func (f fields) with(others fields) fields {
	n := maps.Clone(f)
	maps.Copy(n, others)
	return n
}

// changeContact parses the member that defines the kind of contact. It sets the
// name of a group from the names of its people, as the service does.
func changeContact(t *tx, r *record, _ fields) {
	for _, form := range contactForms {
		raw, written := r.fields[form].(json.RawMessage)
		if !written {
			continue
		}
		delete(r.fields, form)
		if members, err := parseObject(raw); err == nil { // fails only for null, which needs no members
			r.fields[form] = asFields(members)
		}
	}
	if group := detailsOf(r, "groupOfPeople"); group != nil {
		group["name"] = t.namesOf(group.ids("peopleIds"))
	}
	delete(r.fields, "isDeleted")
}

// namesOf joins the names of the contacts that exist.
func (t *tx) namesOf(ids []string) string {
	var names []string
	for _, id := range ids {
		if r, err := t.known(t.server.catalog.byTarget["contacts"], id, nil); err == nil {
			names = append(names, fullName(r))
		}
	}
	return strings.Join(names, " & ")
}

func fullName(contact *record) string {
	return strings.TrimSpace(detailsOf(contact, "person").str("firstName") + " " + lastName(contact))
}

// contactMembers returns the members that are computed for responses: ids are
// replaced by links, and members that clients cannot write are added.
func contactMembers(r *record) fields {
	f := fields{}
	if person := detailsOf(r, "person"); person != nil {
		f["person"] = person.with(fields{"voiDetails": r.fields["voiDetails"]})
	}
	if company := detailsOf(r, "company"); company != nil {
		manager := map[string]string{"0": "Members", "1": "Managers"}[string(company.raw("companyManagedBy"))]
		f["company"] = company.with(fields{"staff": company["staffIds"], "directors": company["directorIds"], "companyManagedBy": orNull(manager)})
	}
	if trust := detailsOf(r, "trust"); trust != nil {
		f["trust"] = trust.with(fields{"contacts": r.fields["contactsOfTrust"]})
	}
	if group := detailsOf(r, "groupOfPeople"); group != nil {
		f["groupOfPeople"] = group.with(fields{"people": group["peopleIds"]})
	}
	return f
}

// briefContact removes the members that a list contains only if the client asks
// for them.
func briefContact(r *record, asked []string) {
	for _, name := range []string{"passportDetails", "deathDetails", "citizenshipDetails", "utbmsDetails", "executionOptions", "voiDetails", "tags"} {
		if slices.Contains(asked, name) {
			continue
		}
		delete(r.fields, name)
		for _, form := range contactForms {
			if details := detailsOf(r, form); details[name] != nil {
				details = maps.Clone(details)
				delete(details, name)
				r.fields[form] = details
			}
		}
	}
}

func isOfKind(r *record, kind string) bool {
	form := map[string]string{"Person": "person", "Organisation": "company", "GroupOfPeople": "groupOfPeople", "Trust": "trust"}[kind]
	return detailsOf(r, form) != nil
}

// contactTexts returns the texts that a search looks through: name, email
// address and telephone numbers.
func contactTexts(r *record) []string {
	texts := []string{fullName(r)}
	for _, form := range contactForms {
		details := detailsOf(r, form)
		texts = append(texts, details.str("email"))
		for _, name := range []string{"phone", "phone2", "cell"} {
			var phone struct{ AreaCode, Number string }
			_ = json.Unmarshal(details.raw(name), &phone) // a null leaves the number empty
			texts = append(texts, phone.AreaCode+phone.Number)
		}
	}
	return texts
}

// batch returns the contacts with the ids in the body, in that order. It skips
// unknown ids.
func (contact contactKind) batch(s *Server, c *call) (answer, error) {
	t := s.tx(c)
	var found []*record
	for _, id := range c.members().ids("ids") {
		if r, err := t.read(contact.resource, id, nil); err == nil {
			found = append(found, r)
		}
	}
	return s.listing(c, contact.resource, found), nil
}

// AddContact adds a contact to the firm and returns its id.
func (s *Server) AddContact(contact models.ContactWrite) string {
	return s.enter("createContact", &contact)
}

// Contact returns the contact with the id and reports whether it exists.
func (s *Server) Contact(id string) (models.Contact, bool) {
	return recordOf[models.Contact](s, "/contacts/{id}", id)
}
