package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	policiesGet    = operation{"Policies.Get", http.MethodGet, "/policies/{reference}", transport.Read}
	policiesCreate = operation{"Policies.Create", http.MethodPost, "/policies", transport.Create}
	policiesUpdate = operation{"Policies.Update", http.MethodPut, "/policies/{reference}", transport.IdempotentWrite}
)

// PoliciesService manages authorization policies: what users and groups may do
// with matters.
type PoliciesService service

// Get returns the policy with a reference.
//
// API: GET /policies/{reference}
func (s *PoliciesService) Get(ctx context.Context, reference string, opts ...CallOption) (*models.Policy, error) {
	c := s.client.call(ctx, policiesGet, opts)
	c.id("reference", reference)
	return send[models.Policy](c)
}

// Create adds a policy of a user, a group or a resource: policy holds either a
// PrincipalID or a ResourceID. The write is asynchronous.
//
// API: POST /policies
func (s *PoliciesService) Create(ctx context.Context, policy models.PolicyWrite, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, policiesCreate, opts)
	c.json(&policy)
	return send[models.Link](c)
}

// Update replaces a policy with all its rules. A rule that policy leaves out is
// gone, which changes who may see matters. The write is asynchronous.
//
// API: PUT /policies/{reference}
func (s *PoliciesService) Update(ctx context.Context, reference string, policy models.PolicyWrite, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, policiesUpdate, opts)
	c.id("reference", reference)
	c.json(&policy)
	return send[models.Link](c)
}
