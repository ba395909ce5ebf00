package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var rolesRelationships = operation{"Roles.Relationships", http.MethodGet, "/matters/{matterId}/roles/{roleId}/relationships", transport.Read}

// RolesService reads who stands behind the roles of a matter (Specification,
// Matter roles).
type RolesService service

// Relationships returns the relationships of a role of a matter. Both ids
// must be UUIDs. Specification, Matter roles.
func (s *RolesService) Relationships(ctx context.Context, matterID, roleID string, opts ...CallOption) (*models.MatterRelationships, error) {
	c := s.client.call(ctx, rolesRelationships, opts)
	c.uuid("matterId", matterID)
	c.uuid("roleId", roleID)
	return send[models.MatterRelationships](c)
}
