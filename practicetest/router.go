package practicetest

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The reference pages are generated last, because they show the requests of the
// client and the responses of the embedded service.
//
//go:generate go run ../internal/cmd/generate routes
//go:generate go run ../internal/cmd/reference

// operation holds the API description of an operation.
type operation struct {
	id            string
	called        string // method of the client
	method        string
	path          string       // path template, relative to the base URL
	status        int          // status of a successful response
	scope         string       // required scopes; empty if none are documented
	grant         *grantNeeded // required kind of grant; nil means any
	systemAccount bool         // allowed for the system account
	late          bool         // accepted for a missing record; fails with an error event when due
	bare          []int        // statuses of refusals without a body
	answer        string       // schema of the record, or of those in a list; empty if there is none
	paging        paging
	inPath        []value // path parameters, in the order of the template
	query         []value // query parameters except those for paging
	body          *value  // request body; nil if there is none
}

// paging describes the paging of a list. Names of parameters that it lacks are
// empty.
type paging struct {
	shape  string // envelope of a list: page, collection or array; empty for a single record
	style  string // offset, limit or links; empty if the list has no pages
	offset string
	limit  string
	cursor string

	oneSince bool // change filters exclude each other
}

// These constants are the limits of the paging parameters.
const (
	maxPageSize = 500
	maxOffset   = 2147483647
)

// handler performs an operation while the lock is held. The answer that it
// returns encodes the response body later, without the lock; nil means an empty
// body.
type handler func(*Server, *call) (answer, error)

// handlers holds handlers by operation id.
type handlers map[string]handler

// route is an operation with its handler.
type route struct {
	*operation
	handle     handler
	segments   []string
	parameters []value // query parameters, including those for paging
}

// router finds the route of a path. It holds the routes by the number of their
// path segments, sorted so that a literal segment takes precedence over a
// parameter, from left to right.
type router map[int][]*route

// newRouter creates routes for the operations that have a handler. The paths of
// other operations are unknown. It panics if a handler has no operation.
func newRouter(all []operation, by handlers) router {
	r, left := router{}, maps.Clone(by)
	for i := range all {
		o := &all[i]
		if handle := by[o.id]; handle != nil {
			one := &route{operation: o, handle: handle, segments: strings.Split(o.path[1:], "/"), parameters: o.queryParameters()}
			r[len(one.segments)] = append(r[len(one.segments)], one)
			delete(left, o.id)
		}
	}
	for id := range left {
		panic("practicetest: the API has no operation " + id)
	}
	for _, same := range r {
		slices.SortStableFunc(same, func(a, b *route) int { return slices.CompareFunc(a.segments, b.segments, byLiteral) })
	}
	return r
}

// byOperation returns the route of the operation, or nil if there is none.
func (r router) byOperation(id string) *route {
	for _, same := range r {
		for _, one := range same {
			if one.id == id {
				return one
			}
		}
	}
	return nil
}

// queryParameters returns the query parameters, including those for paging. A
// list whose pages are reached by links uses the parameter names in these
// links.
func (o *operation) queryParameters() []value {
	all, paging := slices.Clone(o.query), o.page()
	if paging.offset != "" {
		all = append(all, value{name: paging.offset, kind: kindInteger, least: "0", most: strconv.Itoa(maxOffset)})
	}
	if paging.limit != "" {
		all = append(all, value{name: paging.limit, kind: kindInteger, least: "1", most: strconv.Itoa(maxPageSize)})
	}
	if paging.cursor != "" {
		all = append(all, value{name: paging.cursor, kind: kindText})
	}
	return all
}

// page returns the paging of the list, with the default parameter names if its
// pages are reached by links.
func (o *operation) page() paging {
	p := o.paging
	if p.style == "links" {
		p.offset, p.limit = "offset", "limit"
	}
	return p
}

// byLiteral compares path segments of templates. Literals come before
// parameters. All parameters are equal.
func byLiteral(a, b string) int {
	switch {
	case isParameter(a) && isParameter(b):
		return 0
	case isParameter(a):
		return 1
	case isParameter(b):
		return -1
	default:
		return cmp.Compare(a, b)
	}
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// match returns the parameters of a path that matches the template, and false
// if it does not match. The path must have as many segments as the template.
func (r *route) match(path []string) ([]string, bool) {
	var values []string
	for i, s := range r.segments {
		if isParameter(s) {
			values = append(values, path[i])
		} else if s != path[i] {
			return nil, false
		}
	}
	return values, true
}

// find returns the route for a method and path, with the path parameters. If
// the path is known but not the method, it returns nil and the allowed methods.
// Only the first matching template counts, for all methods.
func (r router) find(method string, path []string) (found *route, values, allowed []string) {
	var first *route
	for _, candidate := range r[len(path)] {
		at, fits := candidate.match(path)
		if fits && first == nil {
			first = candidate
		}
		switch {
		case !fits || slices.CompareFunc(first.segments, candidate.segments, byLiteral) != 0:
		case candidate.method == method:
			return candidate, at, nil
		default:
			allowed = append(allowed, candidate.method)
		}
	}
	slices.Sort(allowed)
	return nil, nil, allowed
}

// pathSegments splits an escaped path and unescapes each segment individually,
// so that an escaped slash does not split a segment. It returns false for an
// invalid escape or an empty segment.
func pathSegments(escaped string) ([]string, bool) {
	parts := strings.Split(escaped, "/")
	for i, p := range parts {
		plain, err := url.PathUnescape(p)
		if err != nil || plain == "" {
			return nil, false
		}
		parts[i] = plain
	}
	return parts, true
}

// route sets the route of an API request and splits an account prefix off its
// path.
func (s *Server) route(r *http.Request, c *call) {
	rest, inside := strings.CutPrefix(r.URL.EscapedPath(), basePath+"/")
	path, ok := pathSegments(rest)
	if !inside || !ok {
		return
	}
	c.route, c.values, c.allowed = s.router.find(r.Method, path)
	if c.route != nil || c.allowed != nil || len(path) < 2 {
		return
	}
	c.route, c.values, c.allowed = s.router.find(r.Method, path[1:])
	if c.route != nil || c.allowed != nil {
		c.prefix = path[0]
	}
}

func (s *Server) recogniseAPI(r *http.Request, c *call) {
	s.route(r, c)
	if c.route != nil {
		c.operation = c.route.id
	}
}
