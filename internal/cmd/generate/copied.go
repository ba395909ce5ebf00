package main

import (
	"fmt"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// copiedKinds writes the kinds of record that a copy can have, for module replica.
func copiedKinds(document *description.Document) (map[string][]byte, error) {
	w := &routeWriter{}
	w.line("package replica")
	w.line("")
	w.line("// table returns all kinds, parents before the kinds below them.")
	w.line("func table() []*kind {\nreturn []*kind{")
	for _, k := range document.Kinds {
		text := fmt.Sprintf("name: %q, list: %q", k.Name, k.List.ID)
		add := func(field, value string) {
			if value != "" {
				text += fmt.Sprintf(", %s: %q", field, value)
			}
		}
		if k.Get != nil {
			add("get", k.Get.ID)
		}
		add("event", k.Event)
		if k.Below != nil {
			add("below", k.Below.Name)
		}
		add("key", k.Key)
		add("since", k.Since())
		add("fields", strings.Join(k.Fields(), ","))
		if k.Shared {
			text += ", shared: true"
		}
		if k.Optional {
			text += ", off: true"
		}
		if len(k.Arguments) > 0 {
			var arguments []string
			for _, argument := range k.Arguments {
				name, value, _ := strings.Cut(argument, "=")
				arguments = append(arguments, fmt.Sprintf("%q: %q", name, value))
			}
			text += ", arguments: map[string]any{" + strings.Join(arguments, ", ") + "}"
		}
		w.line("{%s},", text)
	}
	w.line("}\n}")
	source, err := w.source()
	return map[string][]byte{"zz_kinds.go": source}, err
}
