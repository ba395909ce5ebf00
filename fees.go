package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	feesCreate = operation{"Fees.Create", http.MethodPost, "/matters/{matterId}/fees", transport.Create}
	feesGet    = operation{"Fees.Get", http.MethodGet, "/matters/{matterId}/fees/{id}", transport.Read}
	feesUpdate = operation{"Fees.Update", http.MethodPut, "/matters/{matterId}/fees/{id}", transport.IdempotentWrite}
	feesPatch  = operation{"Fees.Patch", http.MethodPatch, "/matters/{matterId}/fees/{id}", transport.IdempotentWrite}
	feesDelete = operation{"Fees.Delete", http.MethodDelete, "/matters/{matterId}/fees/{id}", transport.IdempotentWrite}
)

func feesList() *list[models.Fee] {
	return paged("Fees.List", "Fees.All", "/matters/{matterId}/fees", func(f *models.Fee) string { return f.ID })
}

// FeesService manages the fees of matters: work that is charged by time or at a
// fixed amount. Amounts are dollars.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/fees.md
type FeesService service

// FeeListOptions narrow a list of fees. The zero value lists all.
type FeeListOptions struct {
	ListOptions
	// UpdatedSince selects fees changed at or after a time, with a
	// precision of 100 ns.
	UpdatedSince time.Time
}

func (o FeeListOptions) filter(c *call) { c.time(KindTicks, "UpdatedSince", o.UpdatedSince) }

// List returns one page of the fees of a matter. Deleted ones are probably
// among them; see [models.Fee.IsDeleted].
//   - API: GET /matters/{matterId}/fees
func (s *FeesService) List(ctx context.Context, matterID string, options FeeListOptions, opts ...CallOption) (*Page[models.Fee], error) {
	return feesList().page(ctx, s.client, options, opts, matterID)
}

// All yields all the fees of a matter. It reads Limit records per page from
// Offset.
//   - API: GET /matters/{matterId}/fees
func (s *FeesService) All(ctx context.Context, matterID string, options FeeListOptions, opts ...CallOption) iter.Seq2[models.Fee, error] {
	return feesList().walk(ctx, s.client, options, opts, matterID)
}

// Create adds a fee to a matter. The client never repeats it after a lost
// answer: it would bill twice. FindCreated looks for it then. It may fail after
// the service accepted it; only an `error` event reports that.
//   - API: POST /matters/{matterId}/fees, asynchronous
func (s *FeesService) Create(ctx context.Context, matterID string, fee models.FeeWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, feesCreate, opts).at(matterID).with(&fee))
}

// FindCreated returns the fees of a matter that changed since a time and may be
// the one that Create was to add: those of the same day and subject and, where
// fee has them, the same staff member, activity code, description, duration and
// rate. A unique description avoids other matches. See
// [ContactsService.FindCreated] for such methods.
func (s *FeesService) FindCreated(ctx context.Context, matterID string, fee models.FeeWrite, since time.Time, opts ...CallOption) ([]models.Fee, error) {
	return findCreated(ctx, s.client, "Fees.FindCreated", func(ctx context.Context) iter.Seq2[models.Fee, error] {
		return s.All(ctx, matterID, FeeListOptions{UpdatedSince: since}, wholeLists(opts)...)
	}, func(f *models.Fee) bool { return isFee(f, &fee) })
}

// isFee compares the members that the service does not change. It ignores the
// duration of a fee with source items, because the service computes it.
func isFee(f *models.Fee, w *models.FeeWrite) bool {
	minutes, timed := w.Duration.Get()
	return f.Subject == w.Subject && f.FeeDate == w.FeeDate && sameIDIfGiven(w.StaffID, f.Staff.TargetID()) &&
		sameIfGiven(w.ActivityCode, f.ActivityCode) && sameIfGiven(w.Description, f.Description) &&
		(!timed || len(w.SourceItems) > 0 || f.Duration == models.Some(minutes)) && (w.Rate.IsZero() || w.Rate.Equal(f.Rate))
}

// Get returns a fee of a matter.
//   - API: GET /matters/{matterId}/fees/{id}
func (s *FeesService) Get(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Fee, error) {
	return send[models.Fee](s.client.call(ctx, feesGet, opts).at(matterID, id))
}

// Update replaces a fee with its source items: the service clears what the body
// leaves out. Patch changes single fields. To repeat an update changes nothing;
// Get shows the result.
//   - API: PUT /matters/{matterId}/fees/{id}, asynchronous
func (s *FeesService) Update(ctx context.Context, matterID, id string, fee models.FeeWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, feesUpdate, opts).at(matterID, id).with(&fee))
}

// Patch changes the fields of a fee that the body sets, and clears those that
// it sets to null. The service probably leaves omitted fields unchanged; this
// is not documented. It may fail after the service accepted it; only an `error`
// event reports that. A subject must have at least one character. To repeat a
// patch changes nothing; Get shows the result.
//   - API: PATCH /matters/{matterId}/fees/{id}, asynchronous
func (s *FeesService) Patch(ctx context.Context, matterID, id string, patch models.FeePatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, feesPatch, opts).at(matterID, id).with(&patch))
}

// Delete deletes a fee.
//   - API: DELETE /matters/{matterId}/fees/{id}, asynchronous
func (s *FeesService) Delete(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, feesDelete, opts).at(matterID, id))
}

// Modify reads a fee of a matter, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. UpdatedByUserID, the id of the user who makes the change,
// cannot be read back and so starts empty. Patch sends only what changes.
//   - API: PUT /matters/{matterId}/fees/{id}, asynchronous
func (s *FeesService) Modify(ctx context.Context, matterID, id string, change func(*models.FeeWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.FeeWrite, models.Link]{
		s.client, "Fees.Modify", "Fees.Patch", twoIDs(s.Get, matterID, id), ontoTwoIDs(s.Update, matterID, id), opts,
	}, change)
}
