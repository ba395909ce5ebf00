package practice

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	contactsCreate         = operation{"Contacts.Create", http.MethodPost, "/contacts", transport.Create}
	contactsGet            = operation{"Contacts.Get", http.MethodGet, "/contacts/{id}", transport.Read}
	contactsGetMany        = operation{"Contacts.GetMany", http.MethodPost, "/contacts/batch", transport.Read}
	contactsUpdate         = operation{"Contacts.Update", http.MethodPut, "/contacts/{id}", transport.IdempotentWrite}
	contactsDelete         = operation{"Contacts.Delete", http.MethodDelete, "/contacts/{id}", transport.IdempotentWrite}
	contactsCreateRelation = operation{"Contacts.CreateRelation", http.MethodPost, "/contacts/{contactId}/relations", transport.Create}
	contactsGetRelation    = operation{"Contacts.GetRelation", http.MethodGet, "/contacts/{contactId}/relations/{relatedContactId}", transport.Read}
	contactsUpdateRelation = operation{"Contacts.UpdateRelation", http.MethodPut, "/contacts/{contactId}/relations/{relatedContactId}", transport.IdempotentWrite}
	contactsDeleteRelation = operation{"Contacts.DeleteRelation", http.MethodDelete, "/contacts/{contactId}/relations/{relatedContactId}", transport.IdempotentWrite}
	contactsListTags       = operation{"Contacts.ListTags", http.MethodGet, "/contacts/{id}/tags", transport.Read}
	contactsAddTags        = operation{"Contacts.AddTags", http.MethodPost, "/contacts/{id}/tags", transport.Create}
	contactsRemoveTag      = operation{"Contacts.RemoveTag", http.MethodDelete, "/contacts/{id}/tags/{tagId}", transport.IdempotentWrite}
	contactsRemoveTags     = operation{"Contacts.RemoveTags", http.MethodDelete, "/contacts/{id}/tags", transport.IdempotentWrite}
)

func contactsList() *list[models.Contact] {
	return paged("Contacts.List", "Contacts.All", "/contacts", func(c *models.Contact) string { return c.ID })
}

func contactsListRelations() *list[models.Link] {
	return paged("Contacts.ListRelations", "Contacts.AllRelations", "/contacts/{contactId}/relations",
		func(l *models.Link) string { return l.ID + l.Href }, withoutPosition)
}

// ContactsService manages contacts: persons, companies, trusts and groups of
// people, with their relations and tags.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/contacts.md
type ContactsService service

// ContactListOptions narrow a list of contacts. The zero value lists all of
// them, deleted ones included.
type ContactListOptions struct {
	ListOptions
	// UpdatedSince lists contacts changed at or after a time, to 100 ns.
	UpdatedSince time.Time
	// ExcludeDeleted leaves deleted contacts out.
	ExcludeDeleted bool
	// Type lists only contacts of these kinds.
	Type []models.ContactKind
	// Search looks for texts in names, e-mail addresses and telephone numbers.
	// The syntax for searching one field is not published.
	Search []string
	// Sort is the order of the list. The way to write a direction is not
	// published.
	Sort models.ContactSort
	// Fields names members that a list leaves out otherwise. They are joined
	// with commas, which is likely, but not published.
	Fields []models.ContactField
}

func (o ContactListOptions) filter(c *call) {
	c.time(KindTicks, "UpdatedSince", o.UpdatedSince)
	if o.ExcludeDeleted {
		c.param("ExcludeDeletedContacts", "true")
	}
	for _, kind := range o.Type {
		c.addParam("Type", string(kind))
	}
	for _, text := range o.Search {
		c.addParam("Search", text)
	}
	c.param("Sort", string(o.Sort))
	c.param("Fields", joined(o.Fields))
}

// List returns one page of contacts. A member that Fields does not name is
// missing, which does not mean that it is empty.
//   - API: GET /contacts
func (s *ContactsService) List(ctx context.Context, options ContactListOptions, opts ...CallOption) (*Page[models.Contact], error) {
	return contactsList().page(ctx, s.client, options, opts)
}

// All yields all contacts. It reads Limit records per page from Offset. A
// member that Fields does not name is missing, which does not mean that it is
// empty.
//   - API: GET /contacts
func (s *ContactsService) All(ctx context.Context, options ContactListOptions, opts ...CallOption) iter.Seq2[models.Contact, error] {
	return contactsList().walk(ctx, s.client, options, opts)
}

// Create adds a contact, which has exactly one of Person, Company, Trust and
// GroupOfPeople.
//   - API: POST /contacts, asynchronous
func (s *ContactsService) Create(ctx context.Context, contact models.ContactWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsCreate, opts).with(&contact))
}

// FindCreated returns the contacts that changed since a time and may be the one
// that Create was to add. If contact has an ExternalSystemID, only that is
// compared. Otherwise first and last name, name of the company or trust, and
// people of a group must be equal, and also e-mail address, day of birth and
// number of the company where contact has them.
//
// Every FindCreated method returns all records that match, deleted ones
// included; a match is not proof that it is the wanted record. A create is
// found only once it has taken effect, so an empty result is not proof either:
// await the record, or use package once. Choose a time some minutes before the
// create, since clocks differ.
func (s *ContactsService) FindCreated(ctx context.Context, contact models.ContactWrite, since time.Time, opts ...CallOption) ([]models.Contact, error) {
	return findCreated(ctx, s.client, "Contacts.FindCreated", func(ctx context.Context) iter.Seq2[models.Contact, error] {
		return s.All(ctx, ContactListOptions{UpdatedSince: since}, wholeLists(opts)...)
	}, func(c *models.Contact) bool { return isContact(c, &contact) })
}

// isContact compares the names of all kinds of contacts, since those of the
// other kinds are empty.
func isContact(c *models.Contact, w *models.ContactWrite) bool {
	// Assumed: one record for an external id
	if w.ExternalSystemID != "" {
		return c.ExternalSystemID == w.ExternalSystemID
	}
	person, company := &w.Person, &w.Company
	return c.Person.FirstName == person.FirstName && c.Person.LastName == person.LastName &&
		c.Company.Name == company.Name && c.Trust.Name == w.Trust.Name && sameIDs(w.GroupOfPeople.PeopleIDs, c.GroupOfPeople.People) &&
		sameIfGiven(person.Email, c.Person.Email) && sameIfGiven(person.BirthDate, c.Person.BirthDate) &&
		sameIfGiven(company.Email, c.Company.Email) && sameIfGiven(company.CompanyNumber, c.Company.CompanyNumber)
}

// Get returns a contact with all its members. A deleted one is returned too;
// see IsDeleted.
//   - API: GET /contacts/{id}
func (s *ContactsService) Get(ctx context.Context, id string, opts ...CallOption) (*models.Contact, error) {
	return send[models.Contact](s.client.call(ctx, contactsGet, opts).at(id))
}

// GetMany returns the contacts with these ids, in their order. The service
// leaves unknown ids and those of other accounts out, so match the contacts by
// ID, not by position. One request takes 500 ids: GetMany splits longer lists,
// and refuses WithRequestID and WithResponse for them. It refuses an empty
// list, because the service does not document its effect. Offset, Limit and
// Size of the page are absent.
//   - API: POST /contacts/batch
func (s *ContactsService) GetMany(ctx context.Context, ids []string, opts ...CallOption) (*Page[models.Contact], error) {
	if len(ids) <= contactsPerBatch {
		return listPage[models.Contact](s.batch(ctx, ids, opts))
	}
	ctx, observer := s.client.observers.aggregate(ctx, Observation{Operation: contactsGetMany.name})
	err := transport.ErrNoReturn
	defer func() { observer.end(err) }()
	all, err := s.getInBatches(ctx, ids, opts)
	return all, err
}

// contactsPerBatch is the maximum number of contacts in one request.
const contactsPerBatch = 500

func (s *ContactsService) batch(ctx context.Context, ids []string, opts []CallOption) *call {
	return s.client.call(ctx, contactsGetMany, wholeLists(opts)).with(&models.BatchContactsRequest{IDs: ids})
}

// getInBatches joins the results of several requests. Its error joins the
// errors of contacts that could not be decoded; the page lacks these contacts.
func (s *ContactsService) getInBatches(ctx context.Context, ids []string, opts []CallOption) (*Page[models.Contact], error) {
	all := &Page[models.Contact]{}
	var faults []error
	for some := range slices.Chunk(ids, contactsPerBatch) {
		c := s.batch(ctx, some, opts)
		c.refuseForWalk()
		page, err := listPage[models.Contact](c)
		if page == nil {
			return nil, err
		}
		faults = append(faults, err)
		all.Items, all.Response = append(all.Items, page.Items...), page.Response
	}
	return all, errors.Join(faults...)
}

// Update replaces a contact: the service clears what the body leaves out, also
// the numbers of identity papers, which cannot be read back
// (IdentificationDetails). The value false of IsDeleted restores a deleted
// contact.
//   - API: PUT /contacts/{id}, asynchronous
func (s *ContactsService) Update(ctx context.Context, id string, contact models.ContactWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsUpdate, opts).at(id).with(&contact))
}

// Modify reads a contact, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. The numbers of a person's identity papers cannot be read
// back: set IdentificationDetails, or allow their loss by
// WithLoss("person.identificationDetails").
//   - API: PUT /contacts/{id}, asynchronous
func (s *ContactsService) Modify(ctx context.Context, id string, change func(*models.ContactWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.ContactWrite, models.Link]{
		s.client, "Contacts.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}

// Delete deletes a contact. It stays visible, see [models.Contact.IsDeleted],
// and Update can restore it.
//   - API: DELETE /contacts/{id}, asynchronous
func (s *ContactsService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsDelete, opts).at(id))
}

// ContactRelationListOptions is empty: the service offers no options.
type ContactRelationListOptions struct{}

// ListRelations returns the first page of the contacts that a contact is
// related to. The service takes no paging parameters here; AllRelations follows
// its pages.
//   - API: GET /contacts/{contactId}/relations
func (s *ContactsService) ListRelations(ctx context.Context, contactID string, options ContactRelationListOptions, opts ...CallOption) (*Page[models.Link], error) {
	return contactsListRelations().page(ctx, s.client, noOptions(options), opts, contactID)
}

// AllRelations yields all the contacts that a contact is related to.
//   - API: GET /contacts/{contactId}/relations
func (s *ContactsService) AllRelations(ctx context.Context, contactID string, options ContactRelationListOptions, opts ...CallOption) iter.Seq2[models.Link, error] {
	return contactsListRelations().walk(ctx, s.client, noOptions(options), opts, contactID)
}

// CreateRelation relates a contact to another one, which RelatedContactID of
// the body names: the service demands it, although its description calls it
// optional. The service never returns the business role.
//   - API: POST /contacts/{contactId}/relations, asynchronous
func (s *ContactsService) CreateRelation(ctx context.Context, contactID string, relation models.RelationWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsCreateRelation, opts).at(contactID).with(&relation))
}

// GetRelation returns the link to a related contact. It is [ErrNotFound] when
// the two are not related. The service never returns the business role.
//   - API: GET /contacts/{contactId}/relations/{relatedContactId}
func (s *ContactsService) GetRelation(ctx context.Context, contactID, relatedContactID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsGetRelation, opts).at(contactID, relatedContactID))
}

// UpdateRelation sets the business role of a related contact. It fills in the
// RelatedContactID of the body when that is empty. The service never returns
// the role.
//   - API: PUT /contacts/{contactId}/relations/{relatedContactId}, asynchronous
func (s *ContactsService) UpdateRelation(ctx context.Context, contactID, relatedContactID string, update models.RelationWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsUpdateRelation, opts).at(contactID, relatedContactID).with(&update))
}

// DeleteRelation ends the relation of a contact to another one.
//   - API: DELETE /contacts/{contactId}/relations/{relatedContactId},
//     asynchronous
func (s *ContactsService) DeleteRelation(ctx context.Context, contactID, relatedContactID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsDeleteRelation, opts).at(contactID, relatedContactID))
}

// ContactTagListOptions is empty: the service has no options for this list.
type ContactTagListOptions struct{}

// ListTags returns the tags of a contact. Those that the service makes from
// roles have no ID. The service does not page them: Offset, Limit and Size of
// the page are absent.
//   - API: GET /contacts/{id}/tags
func (s *ContactsService) ListTags(ctx context.Context, contactID string, options ContactTagListOptions, opts ...CallOption) (*Page[models.ContactTag], error) {
	return listUnpaged[models.ContactTag](s.client.call(ctx, contactsListTags, opts).at(contactID), noOptions(options))
}

// AddTags adds tags to a contact, by name.
//   - API: POST /contacts/{id}/tags
func (s *ContactsService) AddTags(ctx context.Context, contactID string, tags []string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsAddTags, opts).at(contactID).with(&tags))
}

// RemoveTag removes one tag from a contact, by the id of the tag.
//   - API: DELETE /contacts/{id}/tags/{tagId}, asynchronous
func (s *ContactsService) RemoveTag(ctx context.Context, contactID, tagID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsRemoveTag, opts).at(contactID, tagID))
}

// RemoveTags removes several tags from a contact at once. It refuses an empty
// list, because the service does not document its effect.
//   - API: DELETE /contacts/{id}/tags, asynchronous
func (s *ContactsService) RemoveTags(ctx context.Context, contactID string, tags []string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, contactsRemoveTags, opts).at(contactID).with(&tags))
}
