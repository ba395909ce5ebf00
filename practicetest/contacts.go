package practicetest

import (
	"slices"
	"strings"
	"time"
)

func contactHandlers() handlers {
	return handlers{
		"listContactRelations":  (*Server).listContactRelations,
		"updateContactRelation": (*Server).updateContactRelation,
		"addContactTags":        (*Server).addContactTags,
		"removeContactTags":     (*Server).removeContactTags,
		"removeContactTagsBulk": (*Server).removeContactTagsBulk,
		"listContactTags":       (*Server).listContactTags,
	}
}

// contact is a person or a company that the firm knows.
type contact struct {
	id        string
	account   *account
	firstName string
	lastName  string
	version   string
	relations []*relation
	tags      []tag
}

// relation is a contact's tie to another; its role is never answered.
type relation struct {
	to   *contact
	role string
}

// tag is a label of a contact.
type tag struct {
	id   string
	name string
}

type wireTag struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

func (s *Server) ownContact(c *call, id string) (*contact, error) {
	return own(c, s.state.contacts, id, "contact", func(n *contact) *account { return n.account })
}

// listContactRelations answers the related contacts as links.
func (s *Server) listContactRelations(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("contactId"))
	if err != nil {
		return nil, err
	}
	offset, limit := c.window()
	var items [][]byte
	for _, r := range slice(n.relations, offset, limit) {
		items = append(items, encode(c.link.contact(r.to.id)))
	}
	p := c.page(offset, limit, len(n.relations), "contacts", n.id, "relations")
	return p.body(items), nil
}

// updateContactRelation makes a relation, or changes the role of the one there is.
func (s *Server) updateContactRelation(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("contactId"))
	if err != nil {
		return nil, err
	}
	other, err := s.ownContact(c, c.value("relatedContactId"))
	if err != nil {
		return nil, err
	}
	named := strings.ToLower(member[string](c, "relatedContactId"))
	switch {
	case named != "" && named != other.id:
		return nil, faulty("relatedContactId", "not the contact of the path")
	case other == n:
		return nil, faulty("relatedContactId", "a contact is not related to itself")
	}
	role := member[string](c, "businessRole")
	s.accept(c, "contact", n.id, func(now time.Time, from cause) {
		n.relate(other, role)
		s.raiseContact(now, from, n)
	})
	return encode(c.link.to(other.id, "Contacts", "contacts", n.id, "relations", other.id)), nil
}

func (n *contact) relate(other *contact, role string) {
	for _, r := range n.relations {
		if r.to == other {
			r.role = role
			return
		}
	}
	n.relations = append(n.relations, &relation{other, role})
}

// addContactTags adds the tags whose names the contact does not carry yet.
func (s *Server) addContactTags(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("id"))
	if err != nil {
		return nil, err
	}
	for _, name := range c.list {
		if !slices.ContainsFunc(n.tags, func(t tag) bool { return t.name == name }) {
			n.tags = append(n.tags, tag{s.state.ids.next(), name})
		}
	}
	s.raiseContact(c.now, cause{c.account.id, c.userID, c.requestID, c.link}, n)
	return encode(tagsLink(c, n)), nil
}

func tagsLink(c *call, n *contact) *link {
	return c.link.to(n.id, "Tags", "contacts", n.id, "tags")
}

// removeContactTags removes the tag of the path, and those of the body, if any.
func (s *Server) removeContactTags(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("id"))
	if err != nil {
		return nil, err
	}
	id := c.value("tagId")
	if !slices.ContainsFunc(n.tags, func(t tag) bool { return t.id == id }) {
		return nil, notFound("tag")
	}
	return s.dropTags(c, n, append(c.list, id)), nil
}

// removeContactTagsBulk removes the tags that the body names, by id or by name.
func (s *Server) removeContactTagsBulk(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("id"))
	if err != nil {
		return nil, err
	}
	return s.dropTags(c, n, c.list), nil
}

func (s *Server) dropTags(c *call, n *contact, which []string) []byte {
	s.accept(c, "contact", n.id, func(now time.Time, from cause) {
		n.tags = slices.DeleteFunc(n.tags, func(t tag) bool {
			return slices.Contains(which, t.id) || slices.Contains(which, t.name)
		})
		s.raiseContact(now, from, n)
	})
	return encode(tagsLink(c, n))
}

// listContactTags answers the tags, all at once.
func (s *Server) listContactTags(c *call) ([]byte, error) {
	n, err := s.ownContact(c, c.value("id"))
	if err != nil {
		return nil, err
	}
	var items [][]byte
	for _, t := range n.tags {
		items = append(items, encode(wireTag{t.id, t.name, "Custom"}))
	}
	return withValue(collection{head: c.link.head("Tags", "contacts", n.id, "tags")}, items), nil
}

// raiseContact tells about a changed contact.
func (s *Server) raiseContact(now time.Time, from cause, n *contact) {
	n.version = s.state.ids.next()
	s.raise(now, from, "contact.updated", encode(struct {
		head
		ID          string `json:"id"`
		VersionID   string `json:"versionId"`
		FirstName   string `json:"firstName"`
		LastName    string `json:"lastName"`
		LastUpdated int64  `json:"lastUpdated"`
	}{from.link.head("Contacts", "contacts", n.id), n.id, n.version, n.firstName, n.lastName, ticks(now)}))
}
