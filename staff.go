package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	staffGet    = operation{"Staff.Get", http.MethodGet, "/staff/{id}", transport.Read}
	staffDelete = operation{"Staff.Delete", http.MethodDelete, "/staff/{id}", transport.IdempotentWrite}
)

// StaffService manages the staff members of the firm.
type StaffService service

// Get returns a staff member of the firm.
//
// API: GET /staff/{id}
func (s *StaffService) Get(ctx context.Context, id string, opts ...CallOption) (*models.StaffMember, error) {
	c := s.client.call(ctx, staffGet, opts)
	c.id("id", id)
	return send[models.StaffMember](c)
}

// Delete marks a staff member as former. One who is a user becomes a former
// user, and the access is disabled.
//
// API: DELETE /staff/{id}
func (s *StaffService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, staffDelete, opts)
	c.id("id", id)
	return send[models.Link](c)
}
