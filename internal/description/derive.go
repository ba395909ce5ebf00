package description

// commonFile is the name of the file that all areas share. Its schemas need no
// operation that leads to them.
const commonFile = "common"

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

// asType returns the type of a reference to the schema. A missing schema has
// been reported, and any value stands for it.
func (s *Schema) asType() *Type {
	if s == nil {
		return &Type{Kind: Any}
	}
	return &Type{Kind: Ref, Ref: s}
}

// Types returns the types of the body, the response, the parameters of the
// query and the callback.
func (o *Operation) Types() []*Type {
	types := []*Type{o.Callback.asType()}
	if o.Body != nil {
		types = append(types, o.Body.Type)
	}
	if o.Answer != nil {
		types = append(types, o.Answer)
	}
	for _, p := range o.Query {
		types = append(types, p.Type)
	}
	return types
}
