package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/practicesdk/practice-go/internal/description"
)

// members writes the descriptions of the members of bodies, for programs that
// show them.
func members(document *description.Document) (map[string][]byte, error) {
	w := &routeWriter{}
	w.line("package members")
	w.line("")
	w.line("// table holds every object of a body, by its name in Go. It must not be\n// modified.")
	w.line("var table = [...]object{")
	sent := map[string]*description.Schema{}
	for _, s := range slices.Backward(description.Reach(bodies(document)...)) {
		sent[s.GoName] = s // of two with one name, the first
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		w.line("{%q, []Member{", name)
		for _, m := range sent[name].Members {
			text := fmt.Sprintf("{Name: %q, Doc: %q", m.Name, sentence(m.Name, m.Doc)+onlyIn(m.Regions))
			if m.Required {
				text += ", Required: true"
			}
			if values := valuesOf(m); values != nil {
				text += fmt.Sprintf(", Values: %#v", values)
				if m.Type.Inner().Enum.Free {
					text += ", Free: true"
				}
			}
			w.line("%s},", text)
		}
		w.line("}},")
	}
	w.line("}")
	marked(w, document, "personal", "personal data", func(m *description.Member) bool { return m.Personal })
	marked(w, document, "freeText", "texts that people write", func(m *description.Member) bool { return m.FreeText })
	source, err := w.source()
	return map[string][]byte{"zz_members.go": source}, err
}

// marked writes a table of the members with a mark, also those of responses.
func marked(w *routeWriter, document *description.Document, table, what string, has func(*description.Member) bool) {
	w.line("\n// %s holds the members with %s, by objects in Go. It must not\n// be modified.", table, what)
	w.line("var %s = [...]struct{ object, members string }{", table)
	names := map[string]string{}
	for _, s := range document.Schemas {
		for _, m := range s.Members {
			if has(m) {
				names[s.GoName] += m.Name + " "
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w.line("{%q, %q},", name, " "+names[name])
	}
	w.line("}")
}

// bodies returns the types of the bodies of all operations.
func bodies(document *description.Document) (types []*description.Type) {
	for o := range document.Operations() {
		if o.Body != nil {
			types = append(types, o.Body.Type)
		}
	}
	return types
}

// valuesOf returns the published values of a member; numbers have their names.
func valuesOf(m *description.Member) (all []string) {
	t := m.Type.Inner()
	if t.Enum == nil {
		return nil
	}
	taken := allowed(t.Enum, m.Rules)
	for _, v := range t.Enum.Values {
		switch {
		case !slices.Contains(taken, v.Value):
		case t.Enum.Number && v.Name != "":
			all = append(all, v.Value+" ("+v.Name+")")
		default:
			all = append(all, v.Value)
		}
	}
	return all
}
