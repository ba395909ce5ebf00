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

// PoliciesService manages authorization policies: the permissions of users and
// groups on matters.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/policies.md
type PoliciesService service

// Get returns a policy, by its reference.
//   - API: GET /policies/{reference}
func (s *PoliciesService) Get(ctx context.Context, reference string, opts ...CallOption) (*models.Policy, error) {
	return send[models.Policy](s.client.call(ctx, policiesGet, opts).at(reference))
}

// Create adds a policy of a user, a group or a resource: the body holds either
// a PrincipalID or a ResourceID.
//   - API: POST /policies, asynchronous
func (s *PoliciesService) Create(ctx context.Context, policy models.PolicyWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, policiesCreate, opts).with(&policy))
}

// Update replaces a policy with all its rules. A rule that the body leaves out
// is gone, which changes who may see matters.
//   - API: PUT /policies/{reference}, asynchronous
func (s *PoliciesService) Update(ctx context.Context, reference string, policy models.PolicyWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, policiesUpdate, opts).at(reference).with(&policy))
}

// Modify reads a policy, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data.
//   - API: PUT /policies/{reference}, asynchronous
func (s *PoliciesService) Modify(ctx context.Context, reference string, change func(*models.PolicyWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.PolicyWrite, models.Link]{
		s.client, "Policies.Modify", "", oneID(s.Get, reference), ontoID(s.Update, reference), opts,
	}, change)
}
