package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var portalSendMessage = operation{"Portal.SendMessage", http.MethodPost, "/matters/{matterId}/portal/messages", transport.Create}

// PortalService sends messages to clients on the client portal.
type PortalService service

// SendMessage sends a message to a contact on the client portal. Under
// WithClientCredentials, WithUserID must name the lawyer who sends it.
//
// API: POST /matters/{matterId}/portal/messages
func (s *PortalService) SendMessage(ctx context.Context, matterID string, message models.PortalMessage, opts ...CallOption) error {
	c := s.client.call(ctx, portalSendMessage, opts)
	c.id("matterId", matterID)
	c.demandUserID()
	c.check("contactId", badUUID(message.ContactID))
	c.json(&message)
	return sendOnly(c)
}

// demandUserID refuses a call of the client itself where a person must act.
func (c *call) demandUserID() {
	_, asClient := c.client.settings.grant.(ClientCredentials)
	c.check("UserId", reasonIf(asClient && c.settings.userID == "", "must be set by WithUserID under client credentials"))
}
