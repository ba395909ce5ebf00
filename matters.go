package practice

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	mattersCreate           = operation{"Matters.Create", http.MethodPost, "/matters", transport.Create}
	mattersGet              = operation{"Matters.Get", http.MethodGet, "/matters/{matterId}", transport.Read}
	mattersUpdate           = operation{"Matters.Update", http.MethodPut, "/matters/{matterId}", transport.IdempotentWrite}
	mattersPatch            = operation{"Matters.Patch", http.MethodPatch, "/matters/{matterId}", transport.IdempotentWrite}
	mattersDelete           = operation{"Matters.Delete", http.MethodDelete, "/matters/{matterId}", transport.IdempotentWrite}
	mattersGetItems         = operation{"Matters.GetItems", http.MethodGet, "/matters/{matterId}/items", transport.Read}
	mattersGetItem          = operation{"Matters.GetItem", http.MethodGet, "/matters/{matterId}/items/{id}", transport.Read}
	mattersListTags         = operation{"Matters.ListTags", http.MethodGet, "/matters/{matterId}/tags", transport.Read}
	mattersAddTags          = operation{"Matters.AddTags", http.MethodPost, "/matters/{matterId}/tags", transport.Create}
	mattersRemoveTag        = operation{"Matters.RemoveTag", http.MethodDelete, "/matters/{matterId}/tags/{tagId}", transport.IdempotentWrite}
	mattersGetSearchMapping = operation{"Matters.GetSearchMapping", http.MethodGet, "/matters/{matterId}/integrated-search/mapping", transport.Read}
)

func mattersList() *list[models.Matter] {
	return paged("Matters.List", "Matters.All", "/matters", func(m *models.Matter) string { return m.ID })
}

// MattersService manages matters and leads, with their items, tags, archive
// details and billing configuration.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/matters.md
type MattersService service

// MatterListOptions narrow a list of matters. The zero value lists matters, not
// leads.
type MatterListOptions struct {
	ListOptions
	// UpdatedSince lists matters changed at or after a time, to 100 ns.
	UpdatedSince time.Time
	// Search looks for a text in clients, other sides, description and number.
	Search string
	// MatterTypeID lists only matters of this type.
	MatterTypeID string
	// ContactID lists only matters with this contact.
	ContactID string
	// Status lists only matters in one of these statuses.
	Status []models.MatterStatus
	// Type lists matters, leads or both.
	Type models.MatterListType
	// Sort is the order of the list. The way to write a direction is not
	// published.
	Sort models.MatterSort
	// Fields names members that a list leaves out otherwise: items and tags.
	// They are joined with commas, which is likely, but not published.
	Fields []models.MatterField
}

func (o MatterListOptions) filter(c *call) {
	c.time(KindInstant, "LastUpdated", o.UpdatedSince)
	c.param("Search", o.Search)
	c.param("MatterTypeId", o.MatterTypeID)
	c.param("ContactId", o.ContactID)
	for _, status := range o.Status {
		c.addParam("Status", string(status))
	}
	c.param("Type", string(o.Type))
	c.param("Sort", string(o.Sort))
	c.param("Fields", joined(o.Fields))
}

// List returns one page of matters. Type chooses matters, leads or both. A
// member that Fields does not name is missing, which does not mean that it is
// empty.
//   - API: GET /matters
func (s *MattersService) List(ctx context.Context, options MatterListOptions, opts ...CallOption) (*Page[models.Matter], error) {
	return mattersList().page(ctx, s.client, options, opts)
}

// All yields all matters. It reads Limit records per page from Offset. A member
// that Fields does not name is missing, which does not mean that it is empty.
//   - API: GET /matters
func (s *MattersService) All(ctx context.Context, options MatterListOptions, opts ...CallOption) iter.Seq2[models.Matter, error] {
	return mattersList().walk(ctx, s.client, options, opts)
}

// Create opens a matter, or a lead when IsLead is true. The service demands
// clients, a matter type and a status, although its description calls them
// optional; a lead needs a type of leads. The roles of client and other side
// must differ.
//   - API: POST /matters, asynchronous
func (s *MattersService) Create(ctx context.Context, matter models.MatterWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersCreate, opts).with(&matter))
}

// FindCreated returns the matters and leads that changed since a time and may
// be the one that Create was to open. If matter has an ExternalSystemID, only
// that is compared; otherwise Number, if matter has one. Without both, type,
// clients, other sides and description are compared, where matter has them. See
// [ContactsService.FindCreated] for such methods.
func (s *MattersService) FindCreated(ctx context.Context, matter models.MatterWrite, since time.Time, opts ...CallOption) ([]models.Matter, error) {
	return findCreated(ctx, s.client, "Matters.FindCreated", func(ctx context.Context) iter.Seq2[models.Matter, error] {
		return s.All(ctx, MatterListOptions{UpdatedSince: since, Type: models.MatterListTypeMattersLeads}, wholeLists(opts)...)
	}, func(m *models.Matter) bool { return isMatter(m, &matter) })
}

// isMatter does not compare the status, which may have changed, nor the title,
// which the service creates.
func isMatter(m *models.Matter, w *models.MatterWrite) bool {
	switch {
	case w.ExternalSystemID != "":
		return m.ExternalSystemID == w.ExternalSystemID
	case w.Number != "":
		return m.Number == w.Number
	}
	return sameIDIfGiven(w.MatterTypeID, m.MatterType.TargetID()) && sameIfGiven(w.Description, m.Description) &&
		sameIDsIfGiven(w.ClientIDs, m.Clients) && sameIDsIfGiven(w.OtherSideIDs, m.OtherSides)
}

// Get returns a matter or a lead.
//   - API: GET /matters/{matterId}
func (s *MattersService) Get(ctx context.Context, matterID string, opts ...CallOption) (*models.Matter, error) {
	return send[models.Matter](s.client.call(ctx, mattersGet, opts).at(matterID))
}

// Update replaces a matter, except for its clients and other sides: the service
// clears what the body leaves out. Prefer Patch. A matter cannot become a lead
// again.
//   - API: PUT /matters/{matterId}, asynchronous
func (s *MattersService) Update(ctx context.Context, matterID string, matter models.MatterWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersUpdate, opts).at(matterID).with(&matter))
}

// Patch changes the fields of a matter that the body sets, and clears those
// that it sets to null. With IsLead false, a matter type and a client role it
// turns a lead into a matter, for good. Closing and cancelling are restricted
// while cheques of the matter are unpresented; see
// [BankAccountsService.ListMatterBalances].
//
// Every call adds those Items that have no ID. The client therefore treats such
// a patch as a create: it does not repeat it after a lost answer, and reports
// an [AmbiguousWriteError]. Items exclude ClientIDs, OtherSideIDs and a
// conversion.
//
// ClientRole goes only with a conversion, and SplitOriginatingStaffSettings
// only with OriginatingStaffIDs. PersonAssistingStaffIDs must not hold
// PersonAssistingStaffID, nor OriginatingStaffIDs OriginatingStaffID. While the
// split is on, neither of the latter two can be changed. Client roles in Items
// need at least one entry; other roles may be emptied.
//   - API: PATCH /matters/{matterId}, asynchronous
func (s *MattersService) Patch(ctx context.Context, matterID string, patch models.MatterPatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersPatch, opts).at(matterID).with(&patch))
}

// addsItem reports whether an item, or one below it, has no id and will be
// added.
func addsItem(items map[string][]models.MatterItemPatch) bool {
	for _, kind := range items {
		for i := range kind {
			if kind[i].ID.Or("") == "" || addsItem(kind[i].SubItems) {
				return true
			}
		}
	}
	return false
}

// Delete deletes a matter; its status probably becomes Deleted.
//   - API: DELETE /matters/{matterId}, asynchronous
func (s *MattersService) Delete(ctx context.Context, matterID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersDelete, opts).at(matterID))
}

// GetItems returns the items of a matter, its roles and layouts, in one record.
//   - API: GET /matters/{matterId}/items
func (s *MattersService) GetItems(ctx context.Context, matterID string, opts ...CallOption) (*models.MatterItems, error) {
	return send[models.MatterItems](s.client.call(ctx, mattersGetItems, opts).at(matterID))
}

// GetItem returns an item of a matter with those below it.
//   - API: GET /matters/{matterId}/items/{id}
func (s *MattersService) GetItem(ctx context.Context, matterID, id string, opts ...CallOption) (*models.MatterItem, error) {
	return send[models.MatterItem](s.client.call(ctx, mattersGetItem, opts).at(matterID, id))
}

// MatterTagListOptions is empty: the service has no options for this list.
type MatterTagListOptions struct{}

// ListTags returns the tags of a matter. The service does not page them:
// Offset, Limit and Size of the page are absent.
//   - API: GET /matters/{matterId}/tags
func (s *MattersService) ListTags(ctx context.Context, matterID string, options MatterTagListOptions, opts ...CallOption) (*Page[models.MatterTag], error) {
	return listUnpaged[models.MatterTag](s.client.call(ctx, mattersListTags, opts).at(matterID), noOptions(options))
}

// AddTags adds tags to a matter. Tags with the same name are one tag throughout
// the account; it keeps the colour that it has.
//   - API: POST /matters/{matterId}/tags
func (s *MattersService) AddTags(ctx context.Context, matterID string, tags []models.MatterTagWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersAddTags, opts).at(matterID).with(&tags))
}

// RemoveTag takes a tag off a matter. The tag stays in the account.
//   - API: DELETE /matters/{matterId}/tags/{tagId}, asynchronous
func (s *MattersService) RemoveTag(ctx context.Context, matterID, tagID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersRemoveTag, opts).at(matterID, tagID))
}

// GetSearchMapping returns the JSON that the firm's search provider needs for a
// matter. Its form is not published. For a matter of an unknown type the
// service responds with 400.
//   - API: GET /matters/{matterId}/integrated-search/mapping
func (s *MattersService) GetSearchMapping(ctx context.Context, matterID string, opts ...CallOption) (json.RawMessage, error) {
	var mapping json.RawMessage
	err := s.client.call(ctx, mattersGetSearchMapping, opts).at(matterID).do(func(r result) error { return r.readAny(&mapping) })
	return mapping, err
}

// Modify reads a matter or a lead, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. ClientRole and OtherSideRole cannot be read back: set them,
// or allow their loss by WithLoss("clientRole", "otherSideRole"). Patch sends
// only what changes. Prefer it.
//   - API: PUT /matters/{matterId}, asynchronous
func (s *MattersService) Modify(ctx context.Context, matterID string, change func(*models.MatterWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.MatterWrite, models.Link]{
		s.client, "Matters.Modify", "Matters.Patch", oneID(s.Get, matterID), ontoID(s.Update, matterID), opts,
	}, change)
}
