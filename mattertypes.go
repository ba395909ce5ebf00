package practice

import (
	"context"
	"iter"
	"net/http"
	"strconv"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	matterTypesGet            = operation{"MatterTypes.Get", http.MethodGet, "/mattertypes/{id}", transport.Read}
	matterTypesListCategories = operation{"MatterTypes.ListCategories", http.MethodGet, "/mattertypes/categories", transport.Read}
)

func matterTypesList() *list[models.MatterTypeInfo] {
	return paged("MatterTypes.List", "MatterTypes.All", "/mattertypes", func(m *models.MatterTypeInfo) string { return m.ID })
}

// MatterTypesService reads the types of matters and leads: which roles and
// layouts a matter of each type has.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/mattertypes.md
type MatterTypesService service

// MatterTypeListOptions narrow a list of matter types. The zero value lists the
// types of every location.
type MatterTypeListOptions struct {
	ListOptions
	// Name lists only types whose name contains this text.
	Name string
	// Location lists only types of this state or region, such as IL or NSW.
	Location string
	// Category lists only types of this category; see
	// [MatterTypesService.ListCategories].
	Category string
	// Type lists only types of matters or only types of leads. If it is absent,
	// both are listed.
	Type models.Opt[models.MatterTypeKind]
}

func (o MatterTypeListOptions) filter(c *call) {
	c.param("Name", o.Name)
	c.param("Location", o.Location)
	c.param("Category", o.Category)
	if kind, set := o.Type.Get(); set {
		c.param("Type", strconv.Itoa(int(kind)))
	}
}

// List returns one page of matter types, without their items. They are those of
// every location unless one is given. Deleted types are left out.
//   - API: GET /mattertypes
func (s *MatterTypesService) List(ctx context.Context, options MatterTypeListOptions, opts ...CallOption) (*Page[models.MatterTypeInfo], error) {
	return matterTypesList().page(ctx, s.client, options, opts)
}

// All yields all matter types, without their items. It reads Limit records per
// page from Offset.
//   - API: GET /mattertypes
func (s *MatterTypesService) All(ctx context.Context, options MatterTypeListOptions, opts ...CallOption) iter.Seq2[models.MatterTypeInfo, error] {
	return matterTypesList().walk(ctx, s.client, options, opts)
}

// Get returns a matter type with its items. An id consists of a UUID and the
// code of a location, such as 4fa3…_IL; pass it on as the service wrote it.
//   - API: GET /mattertypes/{id}
func (s *MatterTypesService) Get(ctx context.Context, id string, opts ...CallOption) (*models.MatterType, error) {
	return send[models.MatterType](s.client.call(ctx, matterTypesGet, opts).at(id))
}

// MatterTypeCategoryListOptions is empty: the service offers no options.
type MatterTypeCategoryListOptions struct{}

// ListCategories returns the categories of matter types. The service does not
// page them: Offset, Limit and Size of the page are absent.
//   - API: GET /mattertypes/categories
func (s *MatterTypesService) ListCategories(ctx context.Context, options MatterTypeCategoryListOptions, opts ...CallOption) (*Page[string], error) {
	return listUnpaged[string](s.client.call(ctx, matterTypesListCategories, opts), noOptions(options))
}
