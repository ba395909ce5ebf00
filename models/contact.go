package models

import (
	"cmp"
	"reflect"
	"strings"
)

// Name returns the name of a contact of any kind: for a person, the first and
// last name or, without those, the name used in letters; otherwise the name of
// the company, trust or group. It returns "" if the contact has no name.
func (x *Contact) Name() string {
	person := strings.TrimSpace(strings.TrimSpace(x.Person.FirstName) + " " + strings.TrimSpace(x.Person.LastName))
	others := []string{x.Person.CustomName, x.Company.Name, x.Trust.Name, x.GroupOfPeople.Name}
	for i := range others {
		others[i] = strings.TrimSpace(others[i])
	}
	return cmp.Or(person, cmp.Or(others...))
}

// Kind returns the kind of a contact, according to its details. It returns ""
// for a contact without details, and never ContactKindStaff.
func (x *Contact) Kind() ContactKind {
	for _, of := range []struct {
		kind    ContactKind
		details any // pointer
	}{
		{ContactKindPerson, &x.Person}, {ContactKindOrganisation, &x.Company}, {ContactKindTrust, &x.Trust}, {ContactKindGroupOfPeople, &x.GroupOfPeople},
	} {
		if !reflect.ValueOf(of.details).Elem().IsZero() {
			return of.kind
		}
	}
	return ""
}
