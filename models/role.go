package models

// MatterRelationships holds who has a role in a matter. Specification, Matter relationships.
type MatterRelationships struct {
	Hypermedia
	// ID identifies the record; usually empty. Specification, Matter relationships.
	ID string `json:"id"`
	// VersionID identifies the version of the record, a UUID. Empty when absent.
	// Specification, Matter relationships.
	VersionID string `json:"versionId"`
	// Relationships holds the relationships. Empty when absent. Specification, Matter relationships.
	Relationships []Relationship `json:"relationships"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// Relationship ties a contact to a role of a matter. Specification, Matter relationships.
type Relationship struct {
	Hypermedia
	// ID identifies the relationship, a UUID. Empty when absent. Specification, Matter relationships.
	ID string `json:"id"`
	// Name is the name of the relationship, for example Solicitor. Empty when absent.
	// Specification, Matter relationships.
	Name string `json:"name"`
	// Contact links to the contact. It may hold only an identifier, such as MyFirm for the own firm, or only an
	// address without host. Specification, Matter relationships.
	Contact Link `json:"contact"`
	// Representatives links to those who act for the contact. Empty when absent.
	// Specification, Matter relationships.
	Representatives []Link `json:"representatives"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
