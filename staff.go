package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	staffCreate = operation{"Staff.Create", http.MethodPost, "/staff", transport.Create}
	staffGet    = operation{"Staff.Get", http.MethodGet, "/staff/{id}", transport.Read}
	staffUpdate = operation{"Staff.Update", http.MethodPut, "/staff/{id}", transport.IdempotentWrite}
	staffDelete = operation{"Staff.Delete", http.MethodDelete, "/staff/{id}", transport.IdempotentWrite}
)

func staffList() *list[models.StaffMember] {
	return paged("Staff.List", "Staff.All", "/staff", func(m *models.StaffMember) string { return m.ID })
}

// StaffService manages the staff members of the firm.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/staff.md
type StaffService service

// StaffListOptions narrow a list of staff members. The zero value lists all of
// them, former ones included.
type StaffListOptions struct {
	ListOptions
	// Search looks for texts in names and e-mail addresses. The syntax for
	// searching one field is not published.
	Search []string
	// Fields names members that a list leaves out otherwise. They are joined
	// with commas, which is likely, but not published.
	Fields []models.StaffField
}

func (o StaffListOptions) filter(c *call) {
	for _, text := range o.Search {
		c.addParam("Search", text)
	}
	c.param("Fields", joined(o.Fields))
}

// List returns one page of staff members. Their rates are absent unless Fields
// asks for them.
//   - API: GET /staff
func (s *StaffService) List(ctx context.Context, options StaffListOptions, opts ...CallOption) (*Page[models.StaffMember], error) {
	return staffList().page(ctx, s.client, options, opts)
}

// All yields all staff members. It reads Limit records per page from Offset.
// Their rates are absent unless Fields asks for them.
//   - API: GET /staff
func (s *StaffService) All(ctx context.Context, options StaffListOptions, opts ...CallOption) iter.Seq2[models.StaffMember, error] {
	return staffList().walk(ctx, s.client, options, opts)
}

// Create adds a staff member. The rate cannot be written.
//   - API: POST /staff, asynchronous
func (s *StaffService) Create(ctx context.Context, member models.StaffMemberWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, staffCreate, opts).with(&member))
}

// Get returns a staff member of the firm.
//   - API: GET /staff/{id}
func (s *StaffService) Get(ctx context.Context, id string, opts ...CallOption) (*models.StaffMember, error) {
	return send[models.StaffMember](s.client.call(ctx, staffGet, opts).at(id))
}

// Update replaces a staff member: the service clears what the body leaves out,
// except the rate and an empty UserID. The value true of Former also takes the
// access of the user away, and no operation restores it.
//   - API: PUT /staff/{id}, asynchronous
func (s *StaffService) Update(ctx context.Context, id string, member models.StaffMemberWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, staffUpdate, opts).at(id).with(&member))
}

// Delete marks a staff member as former. One who is a user becomes a former
// user, and the access is disabled.
//   - API: DELETE /staff/{id}, asynchronous
func (s *StaffService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, staffDelete, opts).at(id))
}

// Modify reads a staff member of the firm, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data.
//   - API: PUT /staff/{id}, asynchronous
func (s *StaffService) Modify(ctx context.Context, id string, change func(*models.StaffMemberWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.StaffMemberWrite, models.Link]{
		s.client, "Staff.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}
