package description

import (
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Allowed is the decision that an assistant may call an operation: a write only
// if a person names it.
const Allowed = "allowed"

// Deletes is the decision on a DELETE that has no other.
const Deletes = "deletes data"

// effects returns the reasons for which an assistant may not call an operation,
// each a predicate of "the operation".
func effects() []string {
	return []string{
		Deletes, "moves money", "sends messages to people", "grants or revokes access", "sends data out of the service",
		"returns a URL that anyone can use", "returns a file", "requires a scope that also allows writes",
	}
}

// effect parses a reason; it returns "" if n is nil.
func (a *areaReader) effect(n *yaml.Node) string {
	reason := a.text(n)
	if n != nil && !slices.Contains(effects(), reason) {
		a.add(a.at(n), "%q is no decision on assistants; expected %s for an operation, or one of: %s", reason, Allowed, strings.Join(effects(), ", "))
	}
	return reason
}

// assistantsOf parses whether an assistant may call an operation. Without a
// decision, a write has that of its area, and a DELETE deletes data.
func (a *areaReader) assistantsOf(o *Operation, n *yaml.Node) {
	isWrite := o.Class != "read"
	switch {
	case n != nil && n.Value == Allowed:
		o.Assistants = Allowed
		if isWrite && a.assistants != "" {
			a.add(a.at(n), "%s: no write of %s can be allowed, because such a write %s", o.ID, a.area.Name, a.assistants)
		}
	case n != nil:
		o.Assistants = a.effect(n)
	case isWrite && a.assistants != "":
		o.Assistants = a.assistants
	case o.HTTPMethod == http.MethodDelete:
		o.Assistants = Deletes
	}
}
