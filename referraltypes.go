package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	referralTypesList = operation{"ReferralTypes.List", http.MethodGet, "/referraltypes", transport.Read}
	referralTypesGet  = operation{"ReferralTypes.Get", http.MethodGet, "/referraltypes/{id}", transport.Read}
)

// ReferralTypesService reads how clients come to the firm.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/referraltypes.md
type ReferralTypesService service

// ReferralTypeListOptions is empty: the service has no options for this list.
type ReferralTypeListOptions struct{}

// List returns the referral types, the firm's own included. The service does
// not page them: Offset, Limit and Size of the page are absent.
//   - API: GET /referraltypes
func (s *ReferralTypesService) List(ctx context.Context, options ReferralTypeListOptions, opts ...CallOption) (*Page[models.ReferralType], error) {
	return listUnpaged[models.ReferralType](s.client.call(ctx, referralTypesList, opts), noOptions(options))
}

// Get returns the referral type with an id or a name.
//   - API: GET /referraltypes/{id}
func (s *ReferralTypesService) Get(ctx context.Context, id string, opts ...CallOption) (*models.ReferralType, error) {
	return send[models.ReferralType](s.client.call(ctx, referralTypesGet, opts).at(id))
}
