package practicetest

func roleHandlers() handlers {
	return handlers{"getMatterRelationships": (*Server).getMatterRelationships}
}

// role is a role of a matter with those who fill it.
type role struct {
	id            string
	matter        *matter
	version       string
	relationships []relationship
}

// relationship is one who fills a role; without a contact it is the firm itself.
type relationship struct {
	id              string
	name            string
	contact         *contact
	representatives []*contact
}

type wireRelationship struct {
	head
	ID              string  `json:"id"`
	Name            string  `json:"name"`
	Contact         any     `json:"contact"`
	Representatives []*link `json:"representatives"`
}

type wireRelationships struct {
	ID *string `json:"id"`
	head
	VersionID     string             `json:"versionId"`
	Relationships []wireRelationship `json:"relationships"`
}

// firmLink is how the service points at the own firm: a relative address.
type firmLink struct {
	Href string `json:"href"`
	Rel  string `json:"rel"`
}

func (r *role) wire(l linker) wireRelationships {
	at := []string{"matters", r.matter.id, "roles", r.id, "relationships"}
	w := wireRelationships{head: l.head("Relationships", at...), VersionID: r.version}
	for _, one := range r.relationships {
		line := wireRelationship{
			head: l.head("Relationships", append(at, one.id)...), ID: one.id, Name: one.name,
			Contact: firmLink{"/firm/", "Firm"},
		}
		if one.contact != nil {
			line.Contact = l.contact(one.contact.id)
		}
		for _, person := range one.representatives {
			line.Representatives = append(line.Representatives, l.contact(person.id))
		}
		w.Relationships = append(w.Relationships, line)
	}
	return w
}

// getMatterRelationships answers who fills a role of a matter.
func (s *Server) getMatterRelationships(c *call) ([]byte, error) {
	m, err := s.ownMatter(c)
	if err != nil {
		return nil, err
	}
	r, err := own(c, s.state.roles, c.value("roleId"), "role", func(r *role) *account { return r.matter.account })
	if err == nil && r.matter != m {
		err = notFound("role")
	}
	if err != nil {
		return nil, err
	}
	return encode(r.wire(c.link)), nil
}
