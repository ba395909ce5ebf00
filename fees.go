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
	c.feePatch(patch)
	c.json(&patch)
	return send[models.Link](c)
}

func (c *call) feePatch(patch models.FeePatch) {
	subject, set := patch.Subject.Get()
	c.check("subject", reasonIf(patch.Subject.IsNull() || set && subject == "", "must have at least one character"))
	date, set := patch.FeeDate.Get()
	c.check("feeDate", reasonIf(set && date.IsZero(), "must be a date; Null clears it"))
	rate, set := patch.Rate.Get()
	c.check("rate", reasonIf(set && rate.IsZero(), "must be a number; Null clears it"))
	tax, set := patch.Tax.Get()
	c.check("tax", reasonIf(set && tax.IsZero(), "must be a number; Null clears it"))
	c.check("feeType", badChoice(patch.FeeType, models.FeeFixed, models.FeeTime))
}
