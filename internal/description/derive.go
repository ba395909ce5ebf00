package description

// derive marks what is reached only by planned operations.
func (l *loader) derive() {
	for _, s := range l.document.Schemas {
		s.Planned = true
	}
	for _, e := range l.document.Enums {
		e.Planned = true
	}
	for _, payload := range l.document.Payloads {
		if payload.Schema != nil {
			payload.Schema.offered()
		}
	}
	for _, a := range l.document.Areas {
		for _, s := range a.Schemas {
			if a.File == "common" {
				s.offered()
			}
			s.inherit()
		}
		for _, o := range a.Operations {
			if !o.Planned {
				o.offered()
			}
		}
	}
}

// inherit takes the sentences that a schema leaves to another.
func (s *Schema) inherit() {
	for _, m := range s.Members {
		for like, depth := s.Like, 0; m.Doc == "" && like != nil && depth < 8; like, depth = like.Like, depth+1 {
			if other := like.Member(m.Name); other != nil {
				m.Doc = other.Doc
			}
		}
	}
}

// Member is the member of that name, or nil.
func (s *Schema) Member(name string) *Member {
	for _, m := range s.Members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func (o *Operation) offered() {
	if o.Body != nil {
		o.Body.Type.offered()
	}
	if o.Answer != nil {
		o.Answer.offered()
	}
	if o.Callback != nil {
		o.Callback.offered()
	}
	for _, p := range o.Query {
		p.Type.offered()
	}
}

func (t *Type) offered() {
	switch {
	case t.Elem != nil:
		t.Elem.offered()
	case t.Enum != nil:
		t.Enum.Planned = false
	case t.Ref != nil:
		t.Ref.offered()
	}
}

func (s *Schema) offered() {
	if !s.Planned {
		return
	}
	s.Planned = false
	for _, m := range s.Members {
		m.Type.offered()
	}
	if s.Elem != nil {
		s.Elem.offered()
	}
}
