package main

import (
	"maps"
	"slices"

	"github.com/practicesdk/practice-go/internal/description"
)

// identities writes the members by which the client checks that a read returned
// the record with the id in its path.
func (w *routeWriter) identities(document *description.Document) {
	paths := map[string][]string{}
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if len(o.Identity) > 0 && !o.Planned {
				paths[o.IdentityText()] = append(paths[o.IdentityText()], o.Path)
			}
		}
	}
	w.line("\n// identities lists the path templates of reads of one record by the members")
	w.line("// that identify it. It must not be modified.")
	w.line("var identities = [...]identity{")
	for _, members := range slices.Sorted(maps.Keys(paths)) {
		w.line("{%q, %#v},", members, paths[members])
	}
	w.line("}")
}
