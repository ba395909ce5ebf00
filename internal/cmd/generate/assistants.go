package main

import (
	"slices"

	"github.com/practicesdk/practice-go/internal/description"
)

// decisions writes what an assistant may do with each operation, for the command
// line.
func decisions(document *description.Document) (map[string][]byte, error) {
	operations := map[string][]string{}
	var order []string
	for o := range document.Operations() {
		reason := "the operation " + o.Assistants
		switch o.Assistants {
		case "":
			continue
		case description.Allowed:
			reason = ""
		}
		if operations[reason] == nil {
			order = append(order, reason)
		}
		operations[reason] = append(operations[reason], o.ID)
	}
	slices.Sort(order)
	w := &routeWriter{}
	w.line("package assistant")
	w.line("")
	w.line("// decision returns why an assistant may not call an operation, or \"\" if it may,\n// as a person has decided in api/.")
	w.line("func decision(id string) string {\nswitch id {")
	for _, reason := range order {
		for i, id := range operations[reason] {
			w.line("%s%q%s", map[bool]string{true: "case "}[i == 0], id, map[bool]string{true: ":", false: ","}[i == len(operations[reason])-1])
		}
		w.line("return %q", reason)
	}
	w.line("}\nreturn unknown\n}")
	source, err := w.source()
	return map[string][]byte{"zz_decisions.go": source}, err
}
