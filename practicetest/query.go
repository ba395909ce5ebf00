package practicetest

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// checkQuery reads the query parameters, whose names are matched without regard
// to case. A strict service refuses those it does not know and those that occur
// twice; a lenient one passes over them.
func (s *Server) checkQuery(r *http.Request, c *call) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		s.violate(c, "the query cannot be read")
		return refuse(http.StatusBadRequest, "The query cannot be read.")
	}
	c.query = map[string]string{}
	var bad []fieldFault
	for name, all := range values {
		known := ""
		for _, q := range c.route.query {
			if strings.EqualFold(q, name) {
				known = q
			}
		}
		_, again := c.query[known]
		switch {
		case known == "":
			s.violate(c, "unknown query parameter %q", name)
			bad = append(bad, fieldFault{name, "Unknown", "unknown query parameter"})
		case again || len(all) > 1:
			s.violate(c, "the query parameter %q occurs twice", known)
			bad = append(bad, fieldFault{known, "Duplicate", "occurs twice"})
			c.query[known] = all[0]
		default:
			c.query[known] = all[0]
		}
	}
	if len(bad) > 0 && s.strict.on {
		return invalid(bad...)
	}
	return nil
}

// checkPath wants a UUID in place of every path parameter.
func (s *Server) checkPath(_ *http.Request, c *call) error {
	var bad []fieldFault
	for i, v := range c.values {
		if !isUUID(v) {
			bad = append(bad, fieldFault{c.route.names[i], "Invalid", "not a UUID"})
		}
		c.values[i] = strings.ToLower(v)
	}
	if bad != nil {
		return invalid(bad...)
	}
	return nil
}

const (
	maxPageSize = 500
	maxOffset   = 2147483647
)

// window reads the start position and the page size.
func (s *Server) window(c *call) (offset, limit int, err error) {
	var bad []fieldFault
	number := func(name string, least, most, otherwise int) int {
		text, there := c.query[name]
		if !there {
			return otherwise
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			wrong := name + ": " + strconv.Itoa(least) + " to " + strconv.Itoa(most)
			s.violate(c, "%s, not %q", wrong, text)
			bad = append(bad, fieldFault{name, "OutOfRange", wrong})
		}
		return n
	}
	offset = number("Offset", 0, maxOffset, 0)
	limit = number("Limit", 1, maxPageSize, maxPageSize)
	if bad != nil {
		return 0, 0, invalid(bad...)
	}
	return offset, limit, nil
}
