package models

import "reflect"

// Kind tells what a contact is by the details that it has. It returns "" for one without details, and never
// ContactKindStaff.
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
