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
	layoutsGetDesign     = operation{"Layouts.GetDesign", http.MethodGet, "/layouts/{id}", transport.Read}
	layoutsList          = operation{"Layouts.List", http.MethodGet, "/matters/{matterId}/layouts", transport.Read}
	layoutsCreate        = operation{"Layouts.Create", http.MethodPost, "/matters/{matterId}/layouts", transport.Create}
	layoutsGet           = operation{"Layouts.Get", http.MethodGet, "/matters/{matterId}/layouts/{itemId}", transport.Read}
	layoutsPatch         = operation{"Layouts.Patch", http.MethodPatch, "/matters/{matterId}/layouts/{itemId}", transport.IdempotentWrite}
	layoutsDelete        = operation{"Layouts.Delete", http.MethodDelete, "/matters/{matterId}/layouts/{itemId}", transport.IdempotentWrite}
	layoutsListContacts  = operation{"Layouts.ListContacts", http.MethodGet, "/matters/{matterId}/layouts/{itemId}/contacts", transport.Read}
	layoutsAddContact    = operation{"Layouts.AddContact", http.MethodPost, "/matters/{matterId}/layouts/{itemId}/contacts", transport.Create}
	layoutsRemoveContact = operation{"Layouts.RemoveContact", http.MethodDelete, "/matters/{matterId}/layouts/{itemId}/contacts", transport.IdempotentWrite}
)

func layoutsListDesigns() *list[models.LayoutDesignInfo] {
	return paged("Layouts.ListDesigns", "Layouts.AllDesigns", "/layouts", func(l *models.LayoutDesignInfo) string { return l.ID })
}

// LayoutsService manages the layout items of matters, which hold facts in
// fields, and reads the layout designs that describe the fields. Ids of matters
// and layout items must be UUIDs. Writes are asynchronous.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/layouts.md
type LayoutsService service

// LayoutDesignOptions narrow the possible values of a layout design. The zero
// value asks for all of them.
type LayoutDesignOptions struct {
	MatterTypeID string // if set, only values for this matter type
	State        string // if set, only values for the state or region with this code
}

// LayoutWriteOptions sets how values are checked. The zero value checks them
// against the layout design.
type LayoutWriteOptions struct {
	SkipFieldValidation bool // accept values that the design does not allow; meant for migrations
}

func (o LayoutWriteOptions) filter(c *call) {
	if o.SkipFieldValidation {
		c.param("skipFieldValidation", strconv.FormatBool(true))
	}
}

// LayoutDesignListOptions choose the page of a list of layout designs.
type LayoutDesignListOptions struct{ ListOptions }

// ListDesigns returns one page of layout designs, without their fields.
//   - API: GET /layouts
func (s *LayoutsService) ListDesigns(ctx context.Context, options LayoutDesignListOptions, opts ...CallOption) (*Page[models.LayoutDesignInfo], error) {
	return layoutsListDesigns().page(ctx, s.client, options, opts)
}

// AllDesigns yields all layout designs, without their fields. It reads Limit
// records per page from Offset.
//   - API: GET /layouts
func (s *LayoutsService) AllDesigns(ctx context.Context, options LayoutDesignListOptions, opts ...CallOption) iter.Seq2[models.LayoutDesignInfo, error] {
	return layoutsListDesigns().walk(ctx, s.client, options, opts)
}

// GetDesign returns a layout design with its fields.
//   - API: GET /layouts/{id}
func (s *LayoutsService) GetDesign(ctx context.Context, id string, options LayoutDesignOptions, opts ...CallOption) (*models.LayoutDesign, error) {
	c := s.client.call(ctx, layoutsGetDesign, opts).at(id)
	c.param("matterTypeId", options.MatterTypeID)
	c.param("state", options.State)
	return send[models.LayoutDesign](c)
}

// LayoutItemListOptions is empty: the service has no options for this list.
type LayoutItemListOptions struct{}

// List returns the layout items of a matter. The service does not page them:
// Offset, Limit and Size of the page are absent.
//   - API: GET /matters/{matterId}/layouts
func (s *LayoutsService) List(ctx context.Context, matterID string, options LayoutItemListOptions, opts ...CallOption) (*Page[models.LayoutItem], error) {
	return listUnpaged[models.LayoutItem](s.client.call(ctx, layoutsList, opts).at(matterID), noOptions(options))
}

// Create adds a layout item to a matter.
//   - API: POST /matters/{matterId}/layouts, asynchronous
func (s *LayoutsService) Create(ctx context.Context, matterID string, item models.LayoutItemWrite, options LayoutWriteOptions, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, layoutsCreate, opts).at(matterID).with(&item)
	options.filter(c)
	return send[models.Link](c)
}

// Get returns a layout item of a matter.
//   - API: GET /matters/{matterId}/layouts/{itemId}
func (s *LayoutsService) Get(ctx context.Context, matterID, itemID string, opts ...CallOption) (*models.LayoutItem, error) {
	return send[models.LayoutItem](s.client.call(ctx, layoutsGet, opts).at(matterID, itemID))
}

// Patch merges values into a layout item: only the values that are sent change.
// Index and ParentIndex may count as 0 when they are left out, so send what was
// read. It fills in the ItemID of the body when that is empty.
//   - API: PATCH /matters/{matterId}/layouts/{itemId}, asynchronous
func (s *LayoutsService) Patch(ctx context.Context, matterID, itemID string, item models.LayoutItemPatch, options LayoutWriteOptions, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, layoutsPatch, opts).at(matterID, itemID).with(&item)
	options.filter(c)
	return send[models.Link](c)
}

// Delete removes a layout item from a matter. The service probably also removes
// the roles and relationships behind its contacts; this is not documented. The
// link may be zero: whether the answer has one is not documented.
//   - API: DELETE /matters/{matterId}/layouts/{itemId}, asynchronous
func (s *LayoutsService) Delete(ctx context.Context, matterID, itemID string, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, layoutsDelete, opts).at(matterID, itemID))
}

// LayoutContactListOptions is empty: the service has no options for this list.
type LayoutContactListOptions struct{}

// ListContacts returns the contacts of a layout item. The service does not page
// them, and answers 404 when there are none: the error is [ErrNotFound] then.
//   - API: GET /matters/{matterId}/layouts/{itemId}/contacts
func (s *LayoutsService) ListContacts(ctx context.Context, matterID, itemID string, options LayoutContactListOptions, opts ...CallOption) (*Page[models.LayoutContact], error) {
	return listUnpaged[models.LayoutContact](s.client.call(ctx, layoutsListContacts, opts).at(matterID, itemID), noOptions(options))
}

// AddContact puts a contact into a field of a layout item. The contact becomes
// a role of the matter, or a relationship when the item lies below a role.
// Calling it twice may add it twice. The link may be zero: whether the answer
// has one is not documented.
//   - API: POST /matters/{matterId}/layouts/{itemId}/contacts, asynchronous
func (s *LayoutsService) AddContact(ctx context.Context, matterID, itemID string, contact models.LayoutContactWrite, opts ...CallOption) (*models.Link, error) {
	return sendLink(s.client.call(ctx, layoutsAddContact, opts).at(matterID, itemID).with(&contact))
}

// RemoveContact takes a contact out of the field of a layout item that key
// names. The role or relationship behind it leaves the matter too. The key must
// not be empty: what the service removes without one is not published. The link
// may be zero: whether the answer has one is not documented.
//   - API: DELETE /matters/{matterId}/layouts/{itemId}/contacts, asynchronous
func (s *LayoutsService) RemoveContact(ctx context.Context, matterID, itemID, key string, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, layoutsRemoveContact, opts).at(matterID, itemID)
	c.check("key", badText(key))
	c.param("key", key)
	return sendLink(c)
}
