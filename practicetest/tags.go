package practicetest

import "slices"

// tagged is a resource whose records have tags.
type tagged struct{ *resource }

func tagsOf(r *record) []fields {
	all, _ := r.fields["tags"].([]fields)
	return all
}

// without returns the tags except those listed in some by id or name.
func without(tags []fields, some []string) []fields {
	return slices.DeleteFunc(tags, func(f fields) bool {
		return slices.Contains(some, f.str("id")) || slices.Contains(some, f.str("name"))
	})
}

// listTags lists the tags of a record, without paging.
func (of tagged) listTags(s *Server, c *call, r *record) (answer, error) {
	w, form, segments := writer{view: s.view(c.link), of: r}, &value{object: c.route.answer}, append(of.at(r.id), "tags")
	return func() []byte {
		items := mapped(tagsOf(r), func(tag fields) []byte { return w.object(form, tag) })
		return withValue(collection{head: w.link.head("Tags", segments...)}, items)
	}, nil
}

// removeTag removes the tag in the path, and those in the body if there are
// any.
func (of tagged) removeTag(s *Server, c *call) (answer, error) {
	id := sameID(c.values[1])
	return of.retag(s, c, func(_ *tx, tags []fields) ([]fields, error) {
		if !slices.ContainsFunc(tags, func(f fields) bool { return f["id"] == id }) {
			return nil, notFound("tag")
		}
		return without(tags, append(c.list, id)), nil
	})
}

// retag accepts a write that changes the tags of the record in the path.
func (of tagged) retag(s *Server, c *call, change func(*tx, []fields) ([]fields, error)) (answer, error) {
	id := sameID(c.values[0])
	err := of.alter(s, c, &write{resource: of.event, id: id}, id, nil, func(t *tx, r *record) error {
		tags, err := change(t, slices.Clone(tagsOf(r)))
		r.fields["tags"] = tags
		return err
	})
	v := s.view(c.link)
	return func() []byte { return encode(v.to(id, "Tags", append(of.at(id), "tags")...)) }, err
}
