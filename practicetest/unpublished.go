package practicetest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Unpublished is the treatment of a value that its enumeration does not
// publish, where other values may come: mostly it is misspelt. Values of the
// other enumerations are refused.
type Unpublished int

const (
	// UnpublishedReported takes the value; a strict service reports it as a
	// violation.
	UnpublishedReported Unpublished = iota
	// UnpublishedWarned takes the value; a strict service logs a warning, which
	// is also in [RecordedRequest.Warnings].
	UnpublishedWarned
	// UnpublishedRefused answers 400.
	UnpublishedRefused
)

// WithUnpublished chooses what becomes of values that are not published, in
// bodies and in queries. The default is [UnpublishedReported].
func WithUnpublished(u Unpublished) Option {
	return func(c *config) { c.unpublished = u }
}

// checkUnpublished looks for values that their enumerations do not publish.
func (s *Server) checkUnpublished(_ *http.Request, c *call) error {
	var found []fieldFault
	judge := func(at string, v *value, text string) {
		if v.known != nil && !slices.Contains(v.known, text) && !slices.Contains(s.cfg.eventTypes, text) {
			found = append(found, fieldFault{at, "Invalid", strconv.Quote(text) + " is none of " + strings.Join(v.known, ", ")})
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

// tellUnpublished reports such values in a request that was taken: a refusal
// speaks for itself.
func (s *Server) tellUnpublished(c *call) {
	switch {
	case c.unpublished == "":
	case s.cfg.unpublished == UnpublishedWarned:
		s.warn(c, c.unpublished)
	default:
		s.violate(c, "%s", c.unpublished)
	}
}
