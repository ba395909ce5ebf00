package practicetest

import (
	"slices"
	"strings"
	"time"
)

func portalHandlers() handlers { return handlers{"sendPortalMessage": (*Server).sendPortalMessage} }

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
func (s *Server) sendPortalMessage(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	if c.userID == "" {
		return nil, invalid(fieldFault{"UserId", "NotNull", "required with client credentials"})
	}
	if !c.has("contactId") {
		return nil, invalid(fieldFault{"contactId", "NotNull", "required"})
	}
	to, err := s.ownContact(c, member[string](c, "contactId"))
	if err != nil {
		return nil, err
	}
	message := PortalMessage{
		MatterID: m.id, ContactID: to.id, UserID: strings.ToLower(c.userID), Text: member[string](c, "message"),
		RequireMFA: member[bool](c, "requireMFA"), RequestID: c.requestID,
	}
	s.accept(c, "message", m.id, func(now time.Time, _ cause) {
		message.Sent = now
		s.state.messages = append(s.state.messages, message)
	})
	return nil, nil
}

// PortalMessages returns the messages that were sent on the client portal, in order.
func (s *Server) PortalMessages() []PortalMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	return slices.Clone(s.state.messages)
}
