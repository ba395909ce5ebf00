package practicetest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// call is one request on its way through the service.
type call struct {
	part      string
	route     *route   // nil for an unknown path or method
	operation string   // the route's operationId, or the name of the part's operation
	values    []string // the path parameters, in the order of the template
	allowed   []string // the methods of a path that lacks the one asked for
	prefix    string   // the account prefix of the path
	requestID string
	record    *loggedRequest

	link    linker
	account *account
	grant   *grant
	scopes  scopes // of the access token
	userID  string // the user acted for; empty when there is none
	now     time.Time
	// chosenID is the id that a partner wants for the record of a create.
	chosenID string
	// externalID is the partner's own name for it.
	externalID string
	claim      claim
	query      map[string]string   // by the name in the description, as value.normal writes it
	queries    map[string][]string // the same of lists, with all their values
	rawBody    []byte
	body       map[string]json.RawMessage
	list       []string

	unpublished string          // what it says of values that are not published
	application bool            // somebody works in the vendor's own application; there is no request
	written     string          // the id of the record that the call writes
	meets       func(*tx) error // what the write has to meet besides, each time that it is tried; may be nil
	status      int             // of the answer; 0 for that of the route
	media       string          // of the answer, unless it is JSON
	saveAs      string          // the Content-Disposition of such an answer
}

type callKey struct{}

func callOf(r *http.Request) *call {
	c, _ := r.Context().Value(callKey{}).(*call)
	return c
}

func operationOf(r *http.Request) string {
	if c := callOf(r); c != nil {
		return c.operation
	}
	return ""
}

func withCall(r *http.Request, c *call) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callKey{}, c))
}

// value returns a path parameter by its name in the template.
func (c *call) value(name string) string {
	for i := range c.route.inPath {
		if c.route.inPath[i].name == name {
			return c.values[i]
		}
	}
	return ""
}

// bare reports whether a refusal of the call with the status has no body.
func (c *call) bare(status int) bool {
	return c != nil && c.route != nil && slices.Contains(c.route.bare, status)
}

// segments returns those of the path, with its parameters filled in.
func (c *call) segments() []string {
	segments, values := slices.Clone(c.route.segments), c.values
	for i := range segments {
		if isParameter(segments[i]) {
			segments[i], values = values[0], values[1:]
		}
	}
	return segments
}

// has reports whether the body has the member, be it null.
func (c *call) has(name string) bool {
	_, ok := c.body[name]
	return ok
}

// isNull reports whether the body has the member with the value null.
func (c *call) isNull(name string) bool { return string(c.body[name]) == "null" }

// member decodes a member of the body whose type the schema has checked;
// without the member, or with null, it is the zero value.
func member[T any](c *call, name string) T {
	var v T
	if raw, ok := c.body[name]; ok {
		if err := json.Unmarshal(raw, &v); err != nil {
			panic("practicetest: the schema let " + name + " pass: " + err.Error())
		}
	}
	return v
}
