package practicetest

import (
	"slices"
	"strings"
)

// matterNames reports whether a contact is a client or an opposing party of a
// matter.
func matterNames(r *record, contact string) bool {
	return naming("clientIds")(r, contact) || naming("otherSideIds")(r, contact)
}

// listKinds lists matters, leads or both, depending on the query.
func (matter matterKind) listKinds(s *Server, c *call) (answer, error) {
	found := c.sorted(matter.found(s, c))
	without := []string{}
	for _, name := range []string{"items", "tags"} {
		if !slices.Contains(strings.Split(c.query[fieldsQuery], ","), name) {
			without = append(without, name)
		}
	}
	offset, limit := c.window()
	p, some, v := c.page(offset, limit, len(found), c.segments()...), slices.Clone(slice(found, offset, limit)), s.view(c.link)
	for i, r := range some {
		some[i] = matter.asListed(s.state, r.furnished(), !slices.Contains(without, "items"))
	}
	return func() []byte { return p.body(matter.writeListed(v, some, without)) }, nil
}

// found returns the matters that the query selects, in order of creation. If
// the query selects all, the records may lack generated members, because only
// those of the requested page are needed.
func (matter matterKind) found(s *Server, c *call) []*record {
	lists := []*recordList{s.state.list(matter.resource, c.account.id)}
	other := s.state.list(matter.resource, c.account.id+leads)
	switch {
	case c.query["Type"] == "Leads" || c.query["IsLead"] == "true":
		lists[0] = other
	case strings.Contains(c.query["Type"], "Leads"):
		lists = append(lists, other)
	}
	keep := matter.keeps(s, c)
	if keep == nil && len(lists) == 1 && c.query["Sort"] == "" {
		return lists[0].Bare()
	}
	var found []*record
	for _, l := range lists {
		found = append(found, l.All()...)
	}
	return slices.DeleteFunc(found, func(r *record) bool { return keep != nil && !keep(r) })
}

// keeps returns a filter for the matters that the query selects, or nil if it
// selects all.
func (matter matterKind) keeps(s *Server, c *call) func(*record) bool {
	wanted, contact := matter.wanted(c), c.query["ContactId"]
	if contact == "" {
		return wanted
	}
	return func(r *record) bool {
		return (wanted == nil || wanted(r)) && matterNames(matter.asListed(s.state, r, false), contact)
	}
}

// asListed returns a matter with the members that are computed from its graph.
// If items are not needed, it skips this for a matter whose related records are
// not generated yet.
func (matter matterKind) asListed(st *state, r *record, items bool) *record {
	if _, bare := st.bare[r.id]; bare && !items {
		return r
	}
	return matter.complete(st, r, seenByReads)
}

// writeListed encodes matters for a list, leaving out the given members.
func (matter matterKind) writeListed(v view, some []*record, without []string) [][]byte {
	return mapped(some, func(r *record) []byte {
		f, w := deriveMatter(r), writer{view: v, of: r}
		f["of"] = r
		for _, name := range without {
			f[name] = nil
		}
		return w.object(&value{object: matter.schema}, f)
	})
}
