package practicetest

import (
	"slices"
	"strconv"
	"strings"
)

// fieldsQuery is the parameter that asks for further members of a list.
const fieldsQuery = "Fields"

// doubts reports values of open enumerations that are probably misspelt: those
// that differ from a published one only in case, and members to include that no
// list has. The service takes them, finds nothing, and says nothing.
func (s *Server) doubts(c *call, p *value) {
	if p.known == nil {
		return
	}
	for _, text := range c.queries[p.name] {
		for part := range strings.SplitSeq(text, ",") {
			likely := slices.ContainsFunc(p.known, func(one string) bool { return strings.EqualFold(one, part) })
			if !slices.Contains(p.known, part) && (likely || p.name == fieldsQuery) {
				s.violate(c, "%s: %s is none of %s", p.name, strconv.Quote(part), strings.Join(p.known, ", "))
			}
		}
	}
}

// exclusives returns the faults of parameters that do not go together: change
// filters of which a list takes one, and a cursor with what it does not apply
// to.
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
		bad = append(bad, fieldFault{since[1], "Invalid", "does not go with " + since[0]})
	}
	if cursor := c.route.paging.cursor; cursor != "" && c.query[cursor] != "" && others != nil {
		bad = append(bad, fieldFault{cursor, "Invalid", "does not go with " + strings.Join(others, " or ")})
	}
	return bad
}
