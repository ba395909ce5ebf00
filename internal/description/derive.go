package description

// commonFile is the name of the file that all areas share. All its schemas are
// offered.
const commonFile = "common"

// derive resolves references between schemas: it copies inherited sentences,
// and marks schemas that only planned operations use.
func (l *loader) derive() {
	offered := reached{schemas: map[*Schema]bool{}, enums: map[*Enum]bool{}}
	for _, p := range l.document.Payloads {
		offered.schema(p.Schema)
	}
	for _, a := range l.document.Areas {
		for _, o := range a.Operations {
			if !o.Planned {
				offered.operation(o)
			}
		}
		for _, s := range a.Schemas {
			s.inherit()
			if a.File == commonFile {
				offered.schema(s)
			}
		}
	}
	for _, s := range l.document.Schemas {
		s.Planned = !offered.schemas[s]
	}
	for _, e := range l.document.Enums {
		e.Planned = !offered.enums[e]
	}
}

// inherit copies the sentences that a schema inherits from another one.
func (s *Schema) inherit() {
	for _, m := range s.Members {
		for like, depth := s.Like, 0; m.Doc == "" && like != nil && depth < 8; like, depth = like.Like, depth+1 {
			if other := like.Member(m.Name); other != nil {
				m.Doc = other.Doc
			}
		}
	}
}

// Member returns the member of that name, or nil.
func (s *Schema) Member(name string) *Member {
	for _, m := range s.Members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// reached collects the schemas and enumerations that operations use.
type reached struct {
	schemas map[*Schema]bool
	enums   map[*Enum]bool
}

func (r reached) operation(o *Operation) {
	if o.Body != nil {
		r.kind(o.Body.Type)
	}
	if o.Answer != nil {
		r.kind(o.Answer)
	}
	r.schema(o.Callback)
	for _, p := range o.Query {
		r.kind(p.Type)
	}
}

func (r reached) kind(t *Type) {
	for t.Elem != nil {
		t = t.Elem
	}
	if t.Enum != nil {
		r.enums[t.Enum] = true
	}
	r.schema(t.Ref)
}

func (r reached) schema(s *Schema) {
	if s == nil || r.schemas[s] {
		return
	}
	r.schemas[s] = true
	for _, m := range s.Members {
		r.kind(m.Type)
	}
	r.schema(s.Elem)
}
