package practicetest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

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

// find looks a path up in the route table, where literal paths stand before those
// with a parameter in their place, and hide them whatever the method. It returns
// the route of the method, or nil and the methods that the path does have.
func (s *Server) find(method string, path []string) (r *route, values, allowed []string) {
	first := ""
	for i := range s.routes {
		candidate := &s.routes[i]
		found, ok := candidate.match(path)
		if ok {
			first = cmp.Or(first, candidate.path)
		}
		switch {
		case !ok, candidate.path != first:
		case candidate.method == method:
			return candidate, found, nil
		case !slices.Contains(allowed, candidate.method):
			allowed = append(allowed, candidate.method)
		}
	}
	return nil, nil, allowed
}

// route finds the operation of a request to the API and takes the account prefix
// off its path.
func (s *Server) route(r *http.Request, c *call) {
	rest, inside := strings.CutPrefix(r.URL.EscapedPath(), basePath+"/")
	path, ok := pathSegments(rest)
	if !inside || !ok {
		return
	}
	c.route, c.values, c.allowed = s.find(r.Method, path)
	if c.route != nil || c.allowed != nil || len(path) < 2 {
		return
	}
	c.route, c.values, c.allowed = s.find(r.Method, path[1:])
	if c.route != nil || c.allowed != nil {
		c.prefix = path[0]
	}
}

func (s *Server) recogniseAPI(r *http.Request, c *call) {
	s.route(r, c)
	if c.route != nil {
		c.operation = c.route.operation
	}
}
