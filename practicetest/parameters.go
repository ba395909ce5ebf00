package practicetest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkQuery parses the query parameters. Their names are case-insensitive. A
// strict service refuses unknown and repeated parameters; a lenient one ignores
// unknown ones and uses the first of repeated ones.
func (s *Server) checkQuery(r *http.Request, c *call) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return refuse(http.StatusBadRequest, "The query string cannot be parsed.").asMistake("the query string cannot be parsed")
	}
	var bad []fieldFault
	given := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if p := c.route.parameter(name); p != nil {
			given[p.name] = append(given[p.name], values[name]...)
		} else if s.strict.on {
			bad = append(bad, fieldFault{name, "Unknown", "is not a query parameter of the operation"})
		}
	}
	c.query, c.queries = map[string]string{}, map[string][]string{}
	for i := range c.route.parameters {
		p := &c.route.parameters[i]
		if fault := p.parameterFault(given[p.name], s.strict.on); fault != nil {
			bad = append(bad, *fault)
		} else if len(given[p.name]) > 0 {
			c.query[p.name] = p.normal(given[p.name][0])
			c.queries[p.name] = p.several(given[p.name])
		}
	}
	if s.strict.on {
		bad = append(bad, c.exclusives()...)
	}
	if bad != nil {
		return invalid(bad...)
	}
	return nil
}

// parameter returns the query parameter with the name, ignoring case, or nil.
func (r *route) parameter(name string) *value {
	for i := range r.parameters {
		if strings.EqualFold(r.parameters[i].name, name) {
			return &r.parameters[i]
		}
	}
	return nil
}

// parameterFault returns the fault in the values of a query parameter, or nil.
func (v *value) parameterFault(texts []string, strict bool) *fieldFault {
	one := v
	switch {
	case len(texts) == 0 && v.required:
		return &fieldFault{v.name, "NotNull", "is required"}
	case v.kind == kindList:
		one = v.elem
	case len(texts) > 1 && strict:
		return &fieldFault{v.name, "Duplicate", "must not occur more than once"}
	case len(texts) > 1:
		texts = texts[:1]
	}
	for _, text := range texts {
		if wrong := one.textFault(one.normal(text)); wrong != "" {
			return &fieldFault{v.name, "Invalid", wrong + ", not " + strconv.Quote(text)}
		}
	}
	return nil
}

// several returns the normalized values of a parameter, which may be a list.
func (v *value) several(texts []string) []string {
	if v.kind != kindList {
		return []string{v.normal(texts[0])}
	}
	return mapped(texts, v.elem.normal)
}

// normal returns the normalized form of a parameter: lower case for booleans
// and UUIDs.
func (v *value) normal(text string) string {
	switch v.kind {
	case kindBoolean:
		return strings.ToLower(text)
	case kindUUID, kindText:
		return sameID(text)
	default:
		return text
	}
}

// checkPath checks and normalizes the path parameters.
func (s *Server) checkPath(_ *http.Request, c *call) error {
	var bad []fieldFault
	for i := range c.route.inPath {
		p := &c.route.inPath[i]
		if wrong := p.textFault(c.values[i]); wrong != "" {
			bad = append(bad, fieldFault{p.name, "Invalid", wrong})
		}
		c.values[i] = p.normal(c.values[i])
	}
	if bad != nil {
		return invalid(bad...)
	}
	return nil
}

// window returns the offset and the limit of the requested page.
func (c *call) window() (offset, limit int) {
	paging := c.route.page()
	offset, _ = strconv.Atoi(c.query[paging.offset]) // 0 if the parameter is missing
	limit, err := strconv.Atoi(c.query[paging.limit])
	if err != nil {
		limit = maxPageSize
	}
	return offset, limit
}

// moment returns the time in a query parameter, or otherwise if the parameter
// is missing.
func (c *call) moment(name string, otherwise time.Time) time.Time {
	text := c.query[name]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return fromTicks(n)
	}
	if t, given := dateTime(text); given {
		return t
	}
	return otherwise
}
