package practicetest

import (
	"slices"
	"time"
)

// portal is the client portal of a firm.
func portal() area {
	return area{name: "Portal", handlers: handlers{"sendPortalMessage": (*Server).sendPortalMessage}}
}

// PortalMessage is a message that was sent to a contact on the client portal.
type PortalMessage struct {
	// MatterID is the matter that the message is about.
	MatterID string
	// ContactID is the contact that received it.
	ContactID string
	// UserID is the user on whose behalf it was sent.
	UserID string
	// Text is the message.
	Text string
	// RequireMFA tells whether the contact must pass a second factor.
	RequireMFA bool
	// RequestID is the RequestId of the request; empty when it had none.
	RequestID string
	// Sent is the time it was sent.
	Sent time.Time
}

// sendPortalMessage sends a message. Under client credentials the UserId header says
// for whom.
func (s *Server) sendPortalMessage(c *call) (answer, error) {
	if c.userID == "" {
		return nil, invalid(fieldFault{"UserId", "NotNull", "required with client credentials"})
	}
	if !c.has("contactId") {
		return nil, invalid(fieldFault{"contactId", "NotNull", "required"})
	}
	message := PortalMessage{
		MatterID: sameID(c.value("matterId")), ContactID: sameID(member[string](c, "contactId")), UserID: sameID(c.userID),
		Text: member[string](c, "message"), RequireMFA: member[bool](c, "requireMFA"), RequestID: c.requestID,
	}
	return nil, s.accept(c, &write{resource: "message", id: message.MatterID}, func(t *tx) error {
		if _, err := t.find(s.state.resource("matters"), message.MatterID, nil); err != nil {
			return err
		}
		if _, err := t.find(s.state.resource("contacts"), message.ContactID, nil); err != nil {
			return err
		}
		message.Sent = t.now
		t.then = func() { s.state.messages = append(s.state.messages, message) }
		return nil
	})
}

// PortalMessages returns the messages that were sent on the client portal, in order.
func (s *Server) PortalMessages() []PortalMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	return slices.Clone(s.state.messages)
}
