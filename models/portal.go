package models

// PortalMessage is the body that sends a message to a contact on the client portal. Specification, Client portal.
//
//recordgen:body
type PortalMessage struct {
	// Message is the text, at least 1 character. Required. Specification, Client portal; the limit is from the
	// published interface.
	Message string `json:"message"`
	// ContactID is the UUID of the contact who gets the message. Required. Specification, Client portal.
	ContactID string `json:"contactId"`
	// RequireMFA tells whether the contact must pass multi-factor authentication to read it. Always sent.
	// Specification, Client portal.
	RequireMFA bool `json:"requireMFA"`
}
