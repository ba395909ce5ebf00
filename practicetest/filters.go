package practicetest

import (
	"slices"
	"strings"
)

// filter reports whether a list has a record, by the text of a query parameter.
type filter func(r *record, text string) bool

// equals selects records by the value of a member.
func equals(name string) filter {
	return func(r *record, text string) bool {
		return r.fields.str(name) == text || string(r.fields.raw(name)) == text
	}
}

// naming selects records by an id that a member holds, alone or in a list.
func naming(name string) filter {
	return func(r *record, id string) bool { return slices.Contains(lower(r.fields.ids(name)), sameID(id)) }
}

// mentions selects records by a text that one of several members contains,
// without regard to case.
func mentions(names ...string) filter {
	return func(r *record, text string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return contains(r.fields.str(name), text) })
	}
}

func contains(value, text string) bool {
	return strings.Contains(strings.ToLower(value), strings.ToLower(text))
}

// notDeleted leaves out deleted records when it is asked to.
func notDeleted(r *record, text string) bool { return text != "true" || !r.deleted }

// createdFrom and createdTo select records by the time of their creation.
func createdFrom(r *record, text string) bool {
	from, _ := dateTime(text)
	return !r.created.Before(from)
}

func createdTo(r *record, text string) bool {
	to, _ := dateTime(text)
	return !r.created.After(to)
}

// sorted returns records in the order that the parameter Sort asks for.
func (c *call) sorted(all []*record) []*record {
	switch c.query["Sort"] {
	case "lastUpdated":
		return slices.SortedStableFunc(slices.Values(all), func(a, b *record) int { return a.updated.Compare(b.updated) })
	case "status":
		return slices.SortedStableFunc(slices.Values(all), func(a, b *record) int {
			return strings.Compare(a.fields.str("status"), b.fields.str("status"))
		})
	default:
		return all
	}
}
