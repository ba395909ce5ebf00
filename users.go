package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	usersGet    = operation{"Users.Get", http.MethodGet, "/users/{id}", transport.Read}
	usersDelete = operation{"Users.Delete", http.MethodDelete, "/users/{id}", transport.IdempotentWrite}
	usersCreate = operation{"Users.Create", http.MethodPost, "/users", transport.Create}
	usersInvite = operation{"Users.Invite", http.MethodPost, "/users/{id}/invite", transport.Create}
)

// NoUserID is the id for [UsersService.Invite] if the user is identified by the
// e-mail address alone.
const NoUserID = "00000000-0000-0000-0000-000000000000"

// UsersService manages the users of the account. A user can log in; a staff
// member works in the firm. [FirmService] ties them.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/users.md
type UsersService service

// Get returns a user.
//   - API: GET /users/{id}
func (s *UsersService) Get(ctx context.Context, id string, opts ...CallOption) (*models.User, error) {
	return send[models.User](s.client.call(ctx, usersGet, opts).at(id))
}

// Delete removes a user from the account. The user loses access, and the staff
// member of the user becomes a former one.
//   - API: DELETE /users/{id}, asynchronous
func (s *UsersService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, usersDelete, opts).at(id))
}

// Create adds a user. Without a password the service makes one and sends it by
// e-mail. The user has no access to the firm before [FirmService.UpdateUser]
// ties it to a staff member.
//   - API: POST /users, asynchronous
func (s *UsersService) Create(ctx context.Context, user models.UserCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, usersCreate, opts).with(&user))
}

// Invite sends a temporary password to a user by e-mail; each call sends one.
// With client credentials, NoUserID as the id names the user by the address
// alone.
//   - API: POST /users/{id}/invite, asynchronous
func (s *UsersService) Invite(ctx context.Context, id string, invitation models.UserInvite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, usersInvite, opts).at(id).with(&invitation))
}
