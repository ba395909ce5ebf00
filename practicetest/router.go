package practicetest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The pages of the reference come last: they show what the client sends and the
// embedded service answers.
//
//go:generate go run ../internal/cmd/generate routes
//go:generate go run ../internal/cmd/reference

// operation describes an operation.
type operation struct {
	id            string
	called        string // the method of the client
	method        string
	path          string       // template below the base address
	status        int          // of success
	scope         string       // empty when none is listed
	grant         *grantNeeded // nil: the token of any grant
	systemAccount bool         // the system account may use it too
	planned       bool         // the client does not offer it yet
	late          bool         // a missing record causes an error event when the write is due
	bare          []int        // the statuses of refusals that have no body
	answer        string       // the schema of the record that is answered, or of those in a list; empty when it is none
	paging        paging
	inPath        []value // the path parameters, in the order of the template
	query         []value // the query parameters except those of paging
	body          *value  // nil when there is none
}

// paging describes how a list is paged; names of missing parameters are empty.
type paging struct {
	shape  string // of a list: page, collection, array; empty of one record
	style  string // offset, limit, links; empty when it has no pages
	offset string
	limit  string
	cursor string

	oneSince bool // only one of the change filters at a time
}

// The limits of paging, for every list.
const (
	maxPageSize = 500
	maxOffset   = 2147483647
)

// handler performs an operation under the lock and returns a function that
// writes its answer without it; nil for an empty answer.
type handler func(*Server, *call) (answer, error)

// handlers holds the handlers of an area, by operation id.
type handlers map[string]handler

// everyHandler collects the handlers of all areas.
func everyHandler() handlers { return newCatalog(areas()).handlers }

// route is an operation that the service performs.
type route struct {
	*operation
	handle     handler
	segments   []string
	parameters []value // of the query, including those of paging
}

// router finds the route of a path. It holds the routes by the number of
// their segments; among paths of one length, the first literal from the left
// wins.
type router map[int][]*route

// newRouter routes the operations that have a handler; to the others the
// service is as deaf as to unknown paths.
func newRouter(all []operation, by handlers) router {
	r := router{}
	for i := range all {
		o := &all[i]
		if handle := by[o.id]; handle != nil {
			one := &route{operation: o, handle: handle, segments: strings.Split(o.path[1:], "/"), parameters: o.queryParameters()}
			r[len(one.segments)] = append(r[len(one.segments)], one)
		}
	}
	for _, same := range r {
		slices.SortStableFunc(same, func(a, b *route) int { return slices.CompareFunc(a.segments, b.segments, byLiteral) })
	}
	return r
}

// byOperation returns the route of an operation, or nil.
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

// queryParameters returns the query parameters, including those of paging. If
// the links of a list lead to its pages, their names are used.
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

// page returns how the list is paged.
func (o *operation) page() paging {
	p := o.paging
	if p.style == "links" {
		p.offset, p.limit = "offset", "limit"
	}
	return p
}

// byLiteral orders the segments at one place of two templates: literals by
// their text, then parameters, which are all equal.
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

// match compares a path with the template and returns its parameters.
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

// find looks up a path. The first template that fits hides the others, for all
// methods. find returns the route of the method, or nil and the methods of the
// path.
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

// pathSegments splits an escaped path and unescapes each segment by itself, so
// that an escaped slash stays inside its segment.
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

// route returns the operation of a request to the API and removes the account
// prefix from its path.
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
