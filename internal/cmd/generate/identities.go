package main

import (
	"cmp"
	"slices"

	"github.com/practicesdk/practice-go/internal/description"
)

// identities writes the members by which the client checks that a response is
// about the record with the id in its path.
func (w *routeWriter) identities(document *description.Document) {
	type identity struct {
		members       string
		always        bool
		alias, method string
	}
	paths := map[identity][]string{}
	var order []identity
	for o := range document.Operations() {
		if len(o.Identity) == 0 {
			continue
		}
		as := identity{o.IdentityText(), o.IsIdentified(), o.Alias, o.HTTPMethod}
		if paths[as] == nil {
			order = append(order, as)
		}
		paths[as] = append(paths[as], o.Path)
	}
	slices.SortStableFunc(order, func(a, b identity) int { return cmp.Compare(len(paths[b]), len(paths[a])) })
	w.line("\n// identities lists the path templates of operations by the members that")
	w.line("// identify their records. It must not be modified.")
	w.line("var identities = [...]identity{")
	for _, as := range order {
		w.line("{%q, %t, %q, %q, %#v},", as.members, as.always, as.alias, as.method, paths[as])
	}
	w.line("}")
}
