package practicetest

import (
	"slices"
	"strings"
)

// filter reports whether a list includes r. text is the value of the query
// parameter.
type filter func(r *record, text string) bool

// equals returns a filter for records whose member equals the parameter.
func equals(name string) filter {
	return func(r *record, text string) bool {
		return r.fields.str(name) == text || string(r.fields.raw(name)) == text
	}
}

// naming returns a filter for records whose member holds the id of the
// parameter, alone or in a list.
func naming(name string) filter {
	return func(r *record, id string) bool { return slices.Contains(lower(r.fields.ids(name)), sameID(id)) }
}

// mentions returns a filter for records of which at least one of the members
// contains the parameter, ignoring case.
func mentions(names ...string) filter {
	return func(r *record, text string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return contains(r.fields.str(name), text) })
	}
}

func contains(value, text string) bool {
	return strings.Contains(strings.ToLower(value), strings.ToLower(text))
}

// notDeleted filters out deleted records if the parameter is true, as in
// ExcludeDeletedEvents=true.
func notDeleted(r *record, text string) bool { return text != "true" || !r.deleted }

// createdFrom and createdTo filter records by creation time. The bounds are
// inclusive.
func createdFrom(r *record, text string) bool {
	from, _ := dateTime(text)
	return !r.created.Before(from)
}

func createdTo(r *record, text string) bool {
	to, _ := dateTime(text)
	return !r.created.After(to)
}

// sorted returns the records in the order of the parameter Sort. Without it,
// they stay in their order.
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
