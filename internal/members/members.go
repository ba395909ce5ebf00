// Package members holds the descriptions of the members of bodies, for programs
// that display them, and the names of the members with personal data or
// free text.
package members

//go:generate go run ../cmd/generate members

import (
	"slices"
	"strings"
)

// Member describes a member of a body.
type Member struct {
	Name     string // name in JSON
	Doc      string // one or more sentences
	Required bool
	Values   []string // documented values, numbers with their names; nil if there are none
	Free     bool     // whether any other text is a value, too
}

type object struct {
	name    string
	members []Member
}

// Of returns the members of an object by its Go name, such as "FeePatch", or
// nil if no body has that object. They must not be modified.
func Of(name string) []Member {
	i, found := slices.BinarySearchFunc(table[:], name, func(o object, name string) int { return strings.Compare(o.name, name) })
	if !found {
		return nil
	}
	return table[i].members
}

// Personal reports whether a member of an object, which has its Go name, holds
// personal data.
func Personal(object, member string) bool { return marked(personal[:], object, member) }

// FreeText reports whether a member of an object, which has its Go name, holds
// text that people write, which may name anybody.
func FreeText(object, member string) bool { return marked(freeText[:], object, member) }

func marked(table []struct{ object, members string }, object, member string) bool {
	i := slices.IndexFunc(table, func(row struct{ object, members string }) bool { return row.object == object })
	return i >= 0 && strings.Contains(table[i].members, " "+member+" ")
}
