package practicetest

import "strings"

// fieldsQuery is the query parameter that adds members to the records of a
// list.
const fieldsQuery = "Fields"

// exclusives returns the faults of parameters that exclude each other: several
// change filters on a list that accepts only one, and a cursor with other
// parameters.
func (c *call) exclusives() (bad []fieldFault) {
	var since, others []string
	for i := range c.route.query {
		switch p := &c.route.query[i]; {
		case c.queries[p.name] == nil:
		case c.route.paging.oneSince && (p.name == "UpdatedSince" || p.name == "LastUpdated"):
			since = append(since, p.name)
		default:
			others = append(others, p.name)
		}
	}
	if len(since) > 1 {
		bad = append(bad, fieldFault{since[1], "Invalid", "must not be combined with " + since[0]})
	}
	if cursor := c.route.paging.cursor; cursor != "" && c.query[cursor] != "" && others != nil {
		bad = append(bad, fieldFault{cursor, "Invalid", "must not be combined with " + strings.Join(others, " or ")})
	}
	return bad
}
