package practicetest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// call holds the state of one request while the service handles it.
type call struct {
	part      string
	route     *route   // nil if no operation has the path and method
	operation string   // operationId of the route, or the operation's name in another part
	values    []string // path parameters, in the order of the path template
	allowed   []string // methods that the path allows, if the requested one is not among them
	prefix    string   // account prefix of the path, or ""
	requestID string
	record    *loggedRequest

	link    linker
	account *account
	grant   *grant
	scopes  scopes // scopes of the access token
	userID  string // acting user, or ""
	now     time.Time
	// chosenID is the id that the client chose for the new record with
	// ResourceId.
	chosenID string
	// externalID is the client's own id of the new record, from ExternalId.
	externalID string
	claim      claim
	query      map[string]string   // parameters by name in the API description, normalized by value.normal
	queries    map[string][]string // parameters that are lists, with all their values
	rawBody    []byte
	body       map[string]json.RawMessage
	list       []string

	unpublished string          // explains which values of the request are not in the API description
	application bool            // the change is made in the vendor's own application, not by a request
	written     string          // id of the record that the call writes
	meets       func(*tx) error // extra condition, checked when the write is accepted and when it is due; nil: none
	status      int             // response status; 0 means the status of the route
	media       string          // response media type; empty means JSON
	saveAs      string          // Content-Disposition of the response
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

// value returns the path parameter with the name, or "".
func (c *call) value(name string) string {
	for i := range c.route.inPath {
		if c.route.inPath[i].name == name {
			return c.values[i]
		}
	}
	return ""
}

// bare reports whether a refusal with the status has an empty body.
func (c *call) bare(status int) bool {
	return c != nil && c.route != nil && slices.Contains(c.route.bare, status)
}

// segments returns the segments of the path with its parameters filled in.
func (c *call) segments() []string {
	segments, values := slices.Clone(c.route.segments), c.values
	for i := range segments {
		if isParameter(segments[i]) {
			segments[i], values = values[0], values[1:]
		}
	}
	return segments
}

// has reports whether the body has the member, even if its value is null.
func (c *call) has(name string) bool {
	_, ok := c.body[name]
	return ok
}

// isNull reports whether the body has the member and its value is null.
func (c *call) isNull(name string) bool { return string(c.body[name]) == "null" }

// member decodes a member of the body, whose type the schema check has
// verified. It returns the zero value if the member is missing or null.
func member[T any](c *call, name string) T {
	var v T
	if raw, ok := c.body[name]; ok {
		if err := json.Unmarshal(raw, &v); err != nil {
			panic("practicetest: the schema accepted an invalid " + name + ": " + err.Error())
		}
	}
	return v
}
