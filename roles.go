package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var rolesGetRelationships = operation{"Roles.GetRelationships", http.MethodGet, "/matters/{matterId}/roles/{roleId}/relationships", transport.Read}

// RolesService reads the relationships of the roles of a matter.
type RolesService service

// GetRelationships returns the relationships of a role of a matter. Both ids
// must be UUIDs.
//
// API: GET /matters/{matterId}/roles/{roleId}/relationships
func (s *RolesService) GetRelationships(ctx context.Context, matterID, roleID string, opts ...CallOption) (*models.MatterRelationships, error) {
	c := s.client.call(ctx, rolesGetRelationships, opts)
	c.uuid("matterId", matterID)
	c.uuid("roleId", roleID)
	return send[models.MatterRelationships](c)
}
