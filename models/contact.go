package models

// RelationWrite is the body that sets how one contact is related to another. The service gives relations back
// as links only, so the business role cannot be read again. Specification, Contact relation.
//
//recordgen:body
type RelationWrite struct {
	// RelatedContactID is the UUID of the related contact. Left out when empty. Specification, Contact relation.
	RelatedContactID string `json:"relatedContactId,omitzero"`
	// BusinessRole is what the related contact does, for example Bookkeeper; null clears it.
	// Specification, Contact relation.
	BusinessRole Opt[string] `json:"businessRole,omitzero"`
}
