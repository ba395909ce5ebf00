package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	firmGet        = operation{"Firm.Get", http.MethodGet, "/firm", transport.Read}
	firmUpdate     = operation{"Firm.Update", http.MethodPut, "/firm", transport.IdempotentWrite}
	firmCreate     = operation{"Firm.Create", http.MethodPost, "/firm", transport.Create}
	firmListUsers  = operation{"Firm.ListUsers", http.MethodGet, "/firmusers", transport.Read}
	firmGetUser    = operation{"Firm.GetUser", http.MethodGet, "/firmusers/{id}", transport.Read}
	firmUpdateUser = operation{"Firm.UpdateUser", http.MethodPut, "/firmusers/{id}", transport.IdempotentWrite}
	firmDeleteUser = operation{"Firm.DeleteUser", http.MethodDelete, "/firmusers/{id}", transport.IdempotentWrite}
)

// FirmService manages the firm of the account, and which user belongs to which
// staff member.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/firm.md
type FirmService service

// Get returns the firm of the account.
//   - API: GET /firm
func (s *FirmService) Get(ctx context.Context, opts ...CallOption) (*models.Firm, error) {
	return send[models.Firm](s.client.call(ctx, firmGet, opts))
}

// Update replaces the details of the firm, status and product included: the
// service clears what the body leaves out. That can change what the firm pays,
// or suspend it. To learn what became of it, read the firm again: its VersionID
// changes with every change.
//   - API: PUT /firm, asynchronous
func (s *FirmService) Update(ctx context.Context, firm models.FirmWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, firmUpdate, opts).with(&firm))
}

// Create registers a firm with its owner. The user of the staff member who
// becomes the owner has to exist already and be in no other firm. The service
// answers 403, not 400, to a request that it does not support. It takes a
// permission that few clients have. To learn what became of it, call Get for
// the account of the new firm.
//   - API: POST /firm, asynchronous
func (s *FirmService) Create(ctx context.Context, firm models.FirmCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, firmCreate, opts).with(&firm))
}

// FirmUserListOptions is empty: the service has no options for this list.
type FirmUserListOptions struct{}

// ListUsers returns which user belongs to which staff member. Former users are
// probably among them; see [models.FirmUser.IsFormerUser]. The service does not
// page them: Offset, Limit and Size of the page are absent.
//   - API: GET /firmusers
func (s *FirmService) ListUsers(ctx context.Context, options FirmUserListOptions, opts ...CallOption) (*Page[models.FirmUser], error) {
	return listUnpaged[models.FirmUser](s.client.call(ctx, firmListUsers, opts), noOptions(options))
}

// GetUser returns a firm user: which user belongs to which staff member. The id
// is that of either.
//   - API: GET /firmusers/{id}
func (s *FirmService) GetUser(ctx context.Context, id string, opts ...CallOption) (*models.FirmUser, error) {
	return send[models.FirmUser](s.client.call(ctx, firmGetUser, opts).at(id))
}

// UpdateUser ties a user to a staff member, which grants the user access. The
// id is probably that of either; this is not documented.
//   - API: PUT /firmusers/{id}, asynchronous
func (s *FirmService) UpdateUser(ctx context.Context, id string, user models.FirmUserWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, firmUpdateUser, opts).at(id).with(&user))
}

// DeleteUser removes a user from the firm: the user loses access, and the staff
// member becomes a former one. The interface cannot undo that. The id is that
// of either. The service answers with a link or with nothing; then the link is
// zero.
//   - API: DELETE /firmusers/{id}, asynchronous
func (s *FirmService) DeleteUser(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, firmDeleteUser, opts).at(id))
}

// ModifyUser reads a firm user, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data.
//   - API: PUT /firmusers/{id}, asynchronous
func (s *FirmService) ModifyUser(ctx context.Context, id string, change func(*models.FirmUserWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.FirmUserWrite, models.Link]{
		s.client, "Firm.ModifyUser", "", oneID(s.GetUser, id), ontoID(s.UpdateUser, id), opts,
	}, change)
}

// Modify reads the firm of the account, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data.
//   - API: PUT /firm, asynchronous
func (s *FirmService) Modify(ctx context.Context, change func(*models.FirmWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.FirmWrite, models.Link]{
		s.client, "Firm.Modify", "", func(ctx context.Context, opts ...CallOption) (any, error) { return s.Get(ctx, opts...) }, s.Update, opts,
	}, change)
}
