package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// scopes writes the scopes of the operations for the client, as one string
// constant of a few kilobytes, because a map would be built at each program
// start.
func (w *routeWriter) scopes(document *description.Document) {
	lines := map[string]string{}
	for o := range document.Operations() {
		if o.Scope != "" {
			lines[o.Scope] += o.HTTPMethod + " " + o.Path + "|"
		}
	}
	w.line("\n// operationScopes lists the operations by the scopes that they need: each line\n// has scopes, then operations.")
	w.line("const operationScopes = `")
	for _, scope := range slices.Sorted(maps.Keys(lines)) {
		w.line("%s|%s", scope, lines[scope])
	}
	w.line("`")
}

// grants writes the operations that return 403 for tokens of another grant. The
// status of other operations has too many other causes.
func (w *routeWriter) grants(document *description.Document) {
	w.line("\n// operationGrants are the operations that answer 403 to tokens of another\n// grant: on each line the operation, and what it needs.")
	w.line("const operationGrants = `")
	for o := range document.Operations() {
		if g := o.Grant; g != nil && g.Refusal == http.StatusForbidden {
			w.line("|%s %s|%s", o.HTTPMethod, o.Path, strings.ReplaceAll(g.Needed(), "`", ""))
		}
	}
	w.line("`")
}
