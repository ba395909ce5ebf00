package practicetest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Unpublished selects how the service treats a value that is not documented for
// an open enumeration, which may have further values. Such a value is usually
// misspelt. Undocumented values of closed enumerations are rejected.
type Unpublished int

const (
	// UnpublishedReported accepts the value. A strict service reports a
	// violation.
	UnpublishedReported Unpublished = iota
	// UnpublishedWarned accepts the value. A strict service logs a warning,
	// which is also in [RecordedRequest.Warnings].
	UnpublishedWarned
	// UnpublishedRefused responds with 400.
	UnpublishedRefused
)

// WithUnpublished sets how the service treats undocumented values of open
// enumerations in bodies and queries. The default is [UnpublishedReported].
func WithUnpublished(u Unpublished) Option {
	return func(c *config) { c.unpublished = u }
}

// checkUnpublished finds undocumented values of open enumerations.
func (s *Server) checkUnpublished(_ *http.Request, c *call) error {
	var found []fieldFault
	judge := func(at string, v *value, text string) {
		if v.known != nil && !slices.Contains(v.known, text) && !slices.Contains(s.cfg.eventTypes, text) {
			found = append(found, fieldFault{at, "Invalid", strconv.Quote(text) + " is not one of " + strings.Join(v.known, ", ")})
		}
	}
	for i := range c.route.parameters {
		p, one := &c.route.parameters[i], &c.route.parameters[i]
		if p.kind == kindList {
			one = p.elem
		}
		for _, text := range c.queries[p.name] {
			for part := range strings.SplitSeq(text, ",") {
				judge(p.name, one, part)
			}
		}
	}
	_ = c.eachText(func(at string, v *value, _, text string) error {
		judge(at, v, text)
		return nil
	})
	if found != nil && s.cfg.unpublished == UnpublishedRefused {
		return invalid(found...)
	}
	c.unpublished = sentence(found)
	return nil
}

// tellUnpublished reports the undocumented values in an accepted request. A
// refused request is not reported, since the client sees the error.
func (s *Server) tellUnpublished(c *call) {
	switch {
	case c.unpublished == "":
	case s.cfg.unpublished == UnpublishedWarned:
		s.warn(c, c.unpublished)
	default:
		s.violate(c, "%s", c.unpublished)
	}
}
