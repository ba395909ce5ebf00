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
	contactsUpdateRelation = operation{"Contacts.UpdateRelation", http.MethodPut, "/contacts/{contactId}/relations/{relatedContactId}", transport.IdempotentWrite}
	contactsAddTags        = operation{"Contacts.AddTags", http.MethodPost, "/contacts/{id}/tags", transport.Create}
	contactsRemoveTag      = operation{"Contacts.RemoveTag", http.MethodDelete, "/contacts/{id}/tags/{tagId}", transport.IdempotentWrite}
	contactsRemoveTags     = operation{"Contacts.RemoveTags", http.MethodDelete, "/contacts/{id}/tags", transport.IdempotentWrite}
)

func contactsListRelations() pagedList[models.Link] {
	return paged("Contacts.ListRelations", "Contacts.AllRelations", "/contacts/{contactId}/relations",
		func(l *models.Link) string { return l.ID + l.Href }).withoutPosition()
}

// ContactsService manages the relations and tags of contacts.
type ContactsService service

// ListRelations returns the first page of the contacts that a contact is related
// to. The service takes no paging parameters here; AllRelations follows its
// pages.
//
// API: GET /contacts/{contactId}/relations
func (s *ContactsService) ListRelations(ctx context.Context, contactID string, opts ...CallOption) (*Page[models.Link], error) {
	return contactsListRelations().page(ctx, s.client, ListOptions{}, opts, contactID)
}

// AllRelations yields all contacts that a contact is related to.
//
// API: GET /contacts/{contactId}/relations
func (s *ContactsService) AllRelations(ctx context.Context, contactID string, opts ...CallOption) iter.Seq2[models.Link, error] {
	return contactsListRelations().walk(ctx, s.client, ListOptions{}, opts, contactID)
}

// UpdateRelation sets the business role of a related contact. It fills in the
// RelatedContactID of update when that is empty. The service never returns the
// role.
//
// API: PUT /contacts/{contactId}/relations/{relatedContactId}
func (s *ContactsService) UpdateRelation(ctx context.Context, contactID, relatedContactID string, update models.RelationWrite, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, contactsUpdateRelation, opts)
	c.id("contactId", contactID)
	c.uuid("relatedContactId", relatedContactID)
	if update.RelatedContactID == "" {
		update.RelatedContactID = relatedContactID
	}
	c.check("relatedContactId", reasonIf(update.RelatedContactID != relatedContactID, "must be the same in the path and in the body"))
	c.json(&update)
	return send[models.Link](c)
}

// AddTags adds tags to a contact, by name.
//
// API: POST /contacts/{id}/tags
func (s *ContactsService) AddTags(ctx context.Context, contactID string, tags []string, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, contactsAddTags, opts)
	c.id("id", contactID)
	c.tags(tags)
	return send[models.Link](c)
}

// RemoveTag removes one tag from a contact, by the id of the tag.
//
// API: DELETE /contacts/{id}/tags/{tagId}
func (s *ContactsService) RemoveTag(ctx context.Context, contactID, tagID string, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, contactsRemoveTag, opts)
	c.id("id", contactID)
	c.id("tagId", tagID)
	return send[models.Link](c)
}

// RemoveTags removes several tags from a contact at once. It refuses an empty
// list, because the service does not document its effect.
//
// API: DELETE /contacts/{id}/tags
func (s *ContactsService) RemoveTags(ctx context.Context, contactID string, tags []string, opts ...CallOption) (*models.Link, error) {
	c := s.client.call(ctx, contactsRemoveTags, opts)
	c.id("id", contactID)
	c.check("tags", reasonIf(len(tags) == 0, "must not be empty"))
	c.tags(tags)
	return send[models.Link](c)
}

func (c *call) tags(tags []string) {
	for i, tag := range tags {
		c.check("tags["+strconv.Itoa(i)+"]", badText(tag))
	}
	c.texts("tags", tags)
}
