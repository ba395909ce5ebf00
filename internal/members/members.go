// Package members holds what the description says of the members of bodies, for
// programs that show it.
package members

//go:generate go run ../cmd/generate members

import (
	"slices"
	"strings"
)

// Member describes a member of a body.
type Member struct {
	Name     string // in JSON
	Doc      string // one or more sentences
	Required bool
	Values   []string // the published values, numbers with their names; nil when there are none
}

type object struct {
	name    string
	members []Member
}

// Of returns the members of an object by its name in Go, such as "FeePatch",
// and nil for an object that no body has. They must not be modified.
func Of(name string) []Member {
	i, found := slices.BinarySearchFunc(table[:], name, func(o object, name string) int { return strings.Compare(o.name, name) })
	if !found {
		return nil
	}
	return table[i].members
}
