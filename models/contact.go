package models

import (
	"cmp"
	"reflect"
	"strings"
)

// Name returns the name of a contact of any kind: the first and last name of a
// person, or, when there is neither, the name used in letters; the name of a
// company, a trust or a group. It is empty when the contact has none.
func (x *Contact) Name() string {
	person := strings.TrimSpace(strings.TrimSpace(x.Person.FirstName) + " " + strings.TrimSpace(x.Person.LastName))
	return cmp.Or(person, x.Person.CustomName, x.Company.Name, x.Trust.Name, x.GroupOfPeople.Name)
}

// Kind returns the kind of a contact by the details that it has. It returns ""
// for a contact without details, and never ContactKindStaff.
func (x *Contact) Kind() ContactKind {
	for _, of := range []struct {
		kind    ContactKind
		details any // a pointer
	}{
		{ContactKindPerson, &x.Person}, {ContactKindOrganisation, &x.Company}, {ContactKindTrust, &x.Trust}, {ContactKindGroupOfPeople, &x.GroupOfPeople},
	} {
		if !reflect.ValueOf(of.details).Elem().IsZero() {
			return of.kind
		}
	}
	return ""
}
