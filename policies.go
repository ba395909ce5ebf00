package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var policiesGet = operation{"Policies.Get", http.MethodGet, "/policies/{reference}", transport.Read}

// PoliciesService reads authorization policies.
type PoliciesService service

// Get returns the policy with a reference.
//
// API: GET /policies/{reference}
func (s *PoliciesService) Get(ctx context.Context, reference string, opts ...CallOption) (*models.Policy, error) {
	c := s.client.call(ctx, policiesGet, opts)
	c.id("reference", reference)
	return send[models.Policy](c)
}
