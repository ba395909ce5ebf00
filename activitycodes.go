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
	activityCodesCreate = operation{"ActivityCodes.Create", http.MethodPost, "/activitycodes", transport.Create}
	activityCodesGet    = operation{"ActivityCodes.Get", http.MethodGet, "/activitycodes/{id}", transport.Read}
	activityCodesUpdate = operation{"ActivityCodes.Update", http.MethodPut, "/activitycodes/{id}", transport.IdempotentWrite}
	activityCodesDelete = operation{"ActivityCodes.Delete", http.MethodDelete, "/activitycodes/{id}", transport.IdempotentWrite}
)

func activityCodesList() *list[models.ActivityCode] {
	return paged("ActivityCodes.List", "ActivityCodes.All", "/activitycodes", func(a *models.ActivityCode) string { return a.ID })
}

// ActivityCodesService manages the activity codes of the firm: the defaults
// from which fees and expenses are made.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/activitycodes.md
type ActivityCodesService service

// ActivityCodeListOptions narrow a list of activity codes. The zero value lists
// all.
type ActivityCodeListOptions struct {
	ListOptions
	// UpdatedSince lists activity codes changed at or after a time, to 100 ns.
	UpdatedSince time.Time
}

func (o ActivityCodeListOptions) filter(c *call) { c.time(KindTicks, "UpdatedSince", o.UpdatedSince) }

// List returns one page of activity codes. Deleted ones are probably among
// them; see [models.ActivityCode.IsDeleted].
//   - API: GET /activitycodes
func (s *ActivityCodesService) List(ctx context.Context, options ActivityCodeListOptions, opts ...CallOption) (*Page[models.ActivityCode], error) {
	return activityCodesList().page(ctx, s.client, options, opts)
}

// All yields all activity codes. It reads Limit records per page from Offset.
//   - API: GET /activitycodes
func (s *ActivityCodesService) All(ctx context.Context, options ActivityCodeListOptions, opts ...CallOption) iter.Seq2[models.ActivityCode, error] {
	return activityCodesList().walk(ctx, s.client, options, opts)
}

// Create adds an activity code.
//   - API: POST /activitycodes, asynchronous
func (s *ActivityCodesService) Create(ctx context.Context, code models.ActivityCodeWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, activityCodesCreate, opts).with(&code))
}

// Get returns an activity code.
//   - API: GET /activitycodes/{id}
func (s *ActivityCodesService) Get(ctx context.Context, id string, opts ...CallOption) (*models.ActivityCode, error) {
	return send[models.ActivityCode](s.client.call(ctx, activityCodesGet, opts).at(id))
}

// Update replaces an activity code: the service clears what the body leaves
// out.
//   - API: PUT /activitycodes/{id}, asynchronous
func (s *ActivityCodesService) Update(ctx context.Context, id string, code models.ActivityCodeWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, activityCodesUpdate, opts).at(id).with(&code))
}

// Delete deletes an activity code.
//   - API: DELETE /activitycodes/{id}, asynchronous
func (s *ActivityCodesService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, activityCodesDelete, opts).at(id))
}

// Modify reads an activity code, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. UpdatedByUserID, the id of the user who makes the change,
// cannot be read back and so starts empty.
//   - API: PUT /activitycodes/{id}, asynchronous
func (s *ActivityCodesService) Modify(ctx context.Context, id string, change func(*models.ActivityCodeWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.ActivityCodeWrite, models.Link]{
		s.client, "ActivityCodes.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}
