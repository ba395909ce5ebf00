package main

import (
	"fmt"
	"go/format"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// scopes writes the scopes of the operations for the client, including planned
// ones, which Do can call. They are one string constant of a few kilobytes,
// because a map would be built at each program start.
func scopes(document *description.Document) (map[string][]byte, error) {
	var b strings.Builder
	b.WriteString("package practice\n\n")
	b.WriteString("// operationScopes lists the operations by the scopes that they need: each line\n// has scopes, then operations.\n")
	b.WriteString("const operationScopes = `\n")
	lines := map[string]string{}
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.Scope != "" && !o.Unusable {
				lines[o.Scope] += o.HTTPMethod + " " + o.Path + "|"
			}
		}
	}
	for _, scope := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "%s|%s\n", scope, lines[scope])
	}
	b.WriteString("`\n")
	b.WriteString(grants(document))
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"zz_scopes.go": append([]byte("\n"), source...)}, nil
}

// grants writes the operations that return 403 for tokens of another grant. The
// status of other operations has too many other causes.
func grants(document *description.Document) string {
	var b strings.Builder
	b.WriteString("\n// operationGrants are the operations that answer 403 to tokens of another\n")
	b.WriteString("// grant: on each line the operation, and what it needs.\nconst operationGrants = `\n")
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if g := o.Grant; g != nil && g.Refusal == http.StatusForbidden && !o.Unusable {
				fmt.Fprintf(&b, "|%s %s|%s\n", o.HTTPMethod, o.Path, strings.ReplaceAll(g.Needed(), "`", ""))
			}
		}
	}
	b.WriteString("`\n")
	return b.String()
}
