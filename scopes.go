package practice

import (
	"slices"
	"strings"
)

//go:generate go run ./internal/cmd/generate client

// Scopes returns the scopes that operations need, each once, sorted, for
// ClientCredentials.Scopes. An operation is written as at the end of its
// method's comment: "GET /staff/{id}". Scopes returns an *ArgumentError for an
// unknown operation and for an operation without documented scopes.
func Scopes(operations ...string) ([]string, error) {
	var all []string
	for _, operation := range operations {
		method, path, _ := strings.Cut(operation, " ")
		scopes := scopesOf(method, path)
		if len(scopes) == 0 {
			return nil, &ArgumentError{Operation: "Scopes", Argument: "operations", Reason: "contains an unknown operation, or one without a documented scope: " + oneLine(operation)}
		}
		all = append(all, scopes...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// scopesOf returns the scopes of an operation; none if it is unknown.
func scopesOf(method, path string) []string {
	operation := method + " " + path
	before, _, found := strings.Cut(operationScopes, "|"+operation+"|")
	if !found || strings.Contains(operation, "|") {
		return nil
	}
	scopes, _, _ := strings.Cut(before[strings.LastIndex(before, "\n")+1:], "|")
	return strings.Fields(scopes)
}

// grantOf returns the kind of token that an operation needs; empty: any.
func grantOf(method, path string) string {
	_, after, _ := strings.Cut(operationGrants, "\n|"+method+" "+path+"|")
	needed, _, _ := strings.Cut(after, "\n")
	return needed
}
