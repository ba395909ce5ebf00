package description

import (
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// identity sets the members that name the record that an operation is about by
// its id. By rule it is id, if a read's path ends with the id of a record whose
// id is always there.
func (a *areaReader) identity(o *Operation, n *yaml.Node) {
	byRule := o.ruledIdentity()
	o.Identity = byRule
	if n == nil {
		return
	}
	names, alias, _ := strings.Cut(a.text(n), " except ")
	o.Identity, o.Alias = nil, alias
	if names != "none" {
		for name := range strings.SplitSeq(names, " or ") {
			o.Identity = append(o.Identity, a.identifying(o, name, n))
		}
	}
	if slices.Equal(o.Identity, byRule) && alias == "" {
		a.add(a.at(n), "remove the identity: %s has it by default", o.ID)
	}
}

func (o *Operation) ruledIdentity() []*Member {
	if o.HTTPMethod != http.MethodGet || o.Paging != nil || o.Answer == nil || o.Answer.Ref == nil || !strings.HasSuffix(o.Path, "}") {
		return nil
	}
	if id := o.Answer.Ref.Member("id"); id != nil && id.Always {
		return []*Member{id}
	}
	return nil
}

func (a *areaReader) identifying(o *Operation, name string, n *yaml.Node) (m *Member) {
	if o.Answer != nil && o.Answer.Ref != nil {
		m = o.Answer.Ref.Member(name)
	}
	if m == nil || m.Type.Kind != Text && m.Type.Kind != UUID && (m.Type.Kind != Ref || m.Type.Ref.Name != "Link") {
		a.add(a.at(n), "%s: the response has no text or link %q: list the names of members separated by \"or\", or use none", o.ID, name)
	}
	return m
}

// IsIdentified reports whether an answer without a member of the identity is
// refused: one of them is always there. A link may lack its id.
func (o *Operation) IsIdentified() bool {
	return slices.ContainsFunc(o.Identity, func(m *Member) bool { return m.Always && m.Type.Kind != Ref })
}

// IdentityText returns the names of the members that identify the answer,
// separated by spaces.
func (o *Operation) IdentityText() string {
	names := make([]string, len(o.Identity))
	for i, m := range o.Identity {
		names[i] = m.Name
	}
	return strings.Join(names, " ")
}
