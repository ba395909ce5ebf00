package description

import (
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// identity sets the members that name the record that a read asks for by its
// id. By rule it is id, if the path ends with the id of a record whose id is
// always there.
func (a *areaReader) identity(o *Operation, n *yaml.Node) {
	byRule := o.ruledIdentity()
	o.Identity = byRule
	if n == nil {
		return
	}
	o.Identity = nil
	if a.text(n) != "none" {
		for name := range strings.SplitSeq(a.text(n), " or ") {
			o.Identity = append(o.Identity, a.identifying(o, name, n))
		}
	}
	if slices.Equal(o.Identity, byRule) {
		a.add(a.at(n), "take the identity away: %s has it by rule", o.ID)
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
	if m == nil || m.Type.Kind != Text && m.Type.Kind != UUID {
		a.add(a.at(n), "%s: the answer has no text %q: write the names of members, with \"or\" between them, or none", o.ID, name)
	}
	return m
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
