package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var feesPatch = operation{"Fees.Patch", http.MethodPatch, "/matters/{matterId}/fees/{id}", transport.IdempotentWrite}

// FeesService changes the fees of matters.
type FeesService service

// Patch changes the fields of a fee that patch sets, and clears those that it
// sets to null. The service probably leaves omitted fields unchanged; its
// description does not say. The write is asynchronous: it may still fail, and
// only an `error` event says so. A subject must have at least one character.
//
// API: PATCH /matters/{matterId}/fees/{id}
func (s *FeesService) Patch(ctx context.Context, matterID, id string, patch models.FeePatch, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, feesPatch, opts)
	c.id("matterId", matterID)
	c.id("id", id)
	c.json(&patch)
	return send[models.Link](c)
}
