package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	rolesGetForMatter       = operation{"Roles.GetForMatter", http.MethodGet, "/matters/{matterId}/roles", transport.Read}
	rolesCreate             = operation{"Roles.Create", http.MethodPost, "/matters/{matterId}/roles", transport.Create}
	rolesGet                = operation{"Roles.Get", http.MethodGet, "/matters/{matterId}/roles/{id}", transport.Read}
	rolesUpdate             = operation{"Roles.Update", http.MethodPut, "/matters/{matterId}/roles/{id}", transport.IdempotentWrite}
	rolesDelete             = operation{"Roles.Delete", http.MethodDelete, "/matters/{matterId}/roles/{id}", transport.IdempotentWrite}
	rolesGetRelationships   = operation{"Roles.GetRelationships", http.MethodGet, "/matters/{matterId}/roles/{roleId}/relationships", transport.Read}
	rolesAddRelationship    = operation{"Roles.AddRelationship", http.MethodPost, "/matters/{matterId}/roles/{roleId}/relationships", transport.Create}
	rolesGetRelationship    = operation{"Roles.GetRelationship", http.MethodGet, "/matters/{matterId}/roles/{roleId}/relationships/{id}", transport.Read}
	rolesUpdateRelationship = operation{"Roles.UpdateRelationship", http.MethodPut, "/matters/{matterId}/roles/{roleId}/relationships/{id}", transport.IdempotentWrite}
	rolesDeleteRelationship = operation{"Roles.DeleteRelationship", http.MethodDelete, "/matters/{matterId}/roles/{roleId}/relationships/{id}", transport.IdempotentWrite}
)

// RolesService manages the roles that contacts have in a matter, and the
// relationships below them. One version covers the roles and relationships of a
// matter; GetForMatter has it. Ids of matters, roles and relationships must be
// UUIDs. Writes are asynchronous.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/roles.md
type RolesService service

// GetForMatter returns all roles of a matter with their relationships, in one
// record.
//   - API: GET /matters/{matterId}/roles
func (s *RolesService) GetForMatter(ctx context.Context, matterID string, opts ...CallOption) (*models.MatterRoles, error) {
	return send[models.MatterRoles](s.client.call(ctx, rolesGetForMatter, opts).at(matterID))
}

// Create adds a role to a matter. It takes [WithVersion].
//   - API: POST /matters/{matterId}/roles, asynchronous
func (s *RolesService) Create(ctx context.Context, matterID string, role models.RoleWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesCreate, opts).at(matterID).with(&role))
}

// FindCreated returns the roles of a matter that may be the one that Create was
// to add: those with the same name and, where role has it, the same contact. A
// role has no time, so the result includes earlier roles. See
// [ContactsService.FindCreated] for such methods.
func (s *RolesService) FindCreated(ctx context.Context, matterID string, role models.RoleWrite, opts ...CallOption) ([]models.Role, error) {
	return findCreated(ctx, s.client, "Roles.FindCreated", func(ctx context.Context) iter.Seq2[models.Role, error] {
		return func(yield func(models.Role, error) bool) {
			all, err := s.GetForMatter(ctx, matterID, opts...)
			if err != nil {
				yield(models.Role{}, err)
				return
			}
			for i := range all.Roles {
				if !yield(all.Roles[i], nil) {
					return
				}
			}
		}
	}, func(r *models.Role) bool {
		return r.Name == role.Name && sameIDIfGiven(role.ContactID, r.Contact.TargetID())
	})
}

// Get returns a role of a matter with its relationships.
//   - API: GET /matters/{matterId}/roles/{id}
func (s *RolesService) Get(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Role, error) {
	return send[models.Role](s.client.call(ctx, rolesGet, opts).at(matterID, id))
}

// Update replaces a role with its representatives and relationships: the
// service clears what the body leaves out. No read shows the DisplayName that
// was written, nor whether a matter item is required.
//   - API: PUT /matters/{matterId}/roles/{id}, asynchronous
func (s *RolesService) Update(ctx context.Context, matterID, id string, role models.RoleWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesUpdate, opts).at(matterID, id).with(&role))
}

// Delete removes a role with its relationships from a matter. It takes
// [WithVersion].
//   - API: DELETE /matters/{matterId}/roles/{id}, asynchronous
func (s *RolesService) Delete(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesDelete, opts).at(matterID, id))
}

// GetRelationships returns the relationships of a role of a matter, in one
// record.
//   - API: GET /matters/{matterId}/roles/{roleId}/relationships
func (s *RolesService) GetRelationships(ctx context.Context, matterID, roleID string, opts ...CallOption) (*models.MatterRelationships, error) {
	return send[models.MatterRelationships](s.client.call(ctx, rolesGetRelationships, opts).at(matterID, roleID))
}

// AddRelationship adds a relationship to a role of a matter. It takes
// [WithVersion].
//   - API: POST /matters/{matterId}/roles/{roleId}/relationships, asynchronous
func (s *RolesService) AddRelationship(ctx context.Context, matterID, roleID string, relationship models.RelationshipWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesAddRelationship, opts).at(matterID, roleID).with(&relationship))
}

// GetRelationship returns a relationship of a role.
//   - API: GET /matters/{matterId}/roles/{roleId}/relationships/{id}
func (s *RolesService) GetRelationship(ctx context.Context, matterID, roleID, id string, opts ...CallOption) (*models.Relationship, error) {
	return send[models.Relationship](s.client.call(ctx, rolesGetRelationship, opts).at(matterID, roleID, id))
}

// UpdateRelationship replaces a relationship with its representatives: the
// service clears what the body leaves out.
//   - API: PUT /matters/{matterId}/roles/{roleId}/relationships/{id},
//     asynchronous
func (s *RolesService) UpdateRelationship(ctx context.Context, matterID, roleID, id string, relationship models.RelationshipWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesUpdateRelationship, opts).at(matterID, roleID, id).with(&relationship))
}

// DeleteRelationship takes a relationship out of a role. It takes
// [WithVersion].
//   - API: DELETE /matters/{matterId}/roles/{roleId}/relationships/{id},
//     asynchronous
func (s *RolesService) DeleteRelationship(ctx context.Context, matterID, roleID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, rolesDeleteRelationship, opts).at(matterID, roleID, id))
}

// Modify reads a role of a matter, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. DisplayName and IsMatterItemRequired cannot be read back:
// set them, or allow their loss by WithLoss("displayName",
// "isMatterItemRequired"). The same holds for those of Relationships, as in
// WithLoss("relationships.displayName"), and for the id of a contact that is
// linked by its address only, as the own firm may be. The relationships
// probably get new ids.
//   - API: PUT /matters/{matterId}/roles/{id}, asynchronous
func (s *RolesService) Modify(ctx context.Context, matterID, id string, change func(*models.RoleWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.RoleWrite, models.Link]{
		s.client, "Roles.Modify", "", twoIDs(s.Get, matterID, id), ontoTwoIDs(s.Update, matterID, id), opts,
	}, change)
}

// ModifyRelationship reads a relationship of a role, calls change with a body
// that would leave it unchanged, and sends the changed body. It returns a
// *ModifyError if the write could lose data. DisplayName and
// IsMatterItemRequired cannot be read back: set them, or allow their loss by
// WithLoss("displayName", "isMatterItemRequired").
//   - API: PUT /matters/{matterId}/roles/{roleId}/relationships/{id},
//     asynchronous
func (s *RolesService) ModifyRelationship(ctx context.Context, matterID, roleID, id string, change func(*models.RelationshipWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.RelationshipWrite, models.Link]{
		s.client, "Roles.ModifyRelationship", "",
		func(ctx context.Context, opts ...CallOption) (any, error) {
			return s.GetRelationship(ctx, matterID, roleID, id, opts...)
		},
		func(ctx context.Context, body models.RelationshipWrite, opts ...CallOption) (*models.Link, error) {
			return s.UpdateRelationship(ctx, matterID, roleID, id, body, opts...)
		}, opts,
	}, change)
}
