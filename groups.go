package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	groupsCreate = operation{"Groups.Create", http.MethodPost, "/groups", transport.Create}
	groupsGet    = operation{"Groups.Get", http.MethodGet, "/groups/{id}", transport.Read}
	groupsUpdate = operation{"Groups.Update", http.MethodPut, "/groups/{id}", transport.IdempotentWrite}
	groupsDelete = operation{"Groups.Delete", http.MethodDelete, "/groups/{id}", transport.IdempotentWrite}
)

func groupsList() *list[models.Group] {
	return paged("Groups.List", "Groups.All", "/groups", func(g *models.Group) string { return g.ID }, withoutPosition)
}

// GroupsService manages authorization groups: sets of users and groups to which
// policies grant access.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/groups.md
type GroupsService service

// GroupListOptions is empty: the service has no options for this list.
type GroupListOptions struct{}

// List returns the first page of the authorization groups of the firm. The
// service takes no paging parameters here; All follows its pages. Deleted
// groups may be among them; see [models.Group.IsDeleted].
//   - API: GET /groups
func (s *GroupsService) List(ctx context.Context, options GroupListOptions, opts ...CallOption) (*Page[models.Group], error) {
	return groupsList().page(ctx, s.client, noOptions(options), opts)
}

// All yields all the authorization groups of the firm.
//   - API: GET /groups
func (s *GroupsService) All(ctx context.Context, options GroupListOptions, opts ...CallOption) iter.Seq2[models.Group, error] {
	return groupsList().walk(ctx, s.client, noOptions(options), opts)
}

// Create adds an authorization group.
//   - API: POST /groups, asynchronous
func (s *GroupsService) Create(ctx context.Context, group models.GroupCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, groupsCreate, opts).with(&group))
}

// Get returns an authorization group.
//   - API: GET /groups/{id}
func (s *GroupsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.Group, error) {
	return send[models.Group](s.client.call(ctx, groupsGet, opts).at(id))
}

// Update replaces the members of a group: a user or group that the body leaves
// out is no member any more, and loses the access that the group grants. The
// name of a group cannot be changed.
//   - API: PUT /groups/{id}, asynchronous
func (s *GroupsService) Update(ctx context.Context, id string, group models.GroupWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, groupsUpdate, opts).at(id).with(&group))
}

// Delete deletes an authorization group.
//   - API: DELETE /groups/{id}, asynchronous
func (s *GroupsService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, groupsDelete, opts).at(id))
}

// Modify reads an authorization group, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data.
//   - API: PUT /groups/{id}, asynchronous
func (s *GroupsService) Modify(ctx context.Context, id string, change func(*models.GroupWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.GroupWrite, models.Link]{
		s.client, "Groups.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}
