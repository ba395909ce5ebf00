package practicetest

import (
	_ "embed" // for control.yaml, which is served unchanged
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	apidoc "github.com/practicesdk/practice-go/api"
)

// controlPath is the path prefix of the control interface. It shares the origin
// of the API but lies outside of the API's base path.
const controlPath = "/_sandbox"

//go:embed control.yaml
var controlDescription []byte

// command is a method of [Server] or [Clock] that other programs can call over
// HTTP.
type command struct {
	method, path string // path is relative to controlPath
	does         string // name of the Go method
	status       int    // status of a successful response
	query        string // names of the accepted query parameters, separated by spaces
	run          func(*Server, *http.Request) (any, error)
}

// ControlURL returns the base URL of the control API, which [WithControl]
// enables. Its OpenAPI description is at /openapi.yaml below that URL.
func (s *Server) ControlURL() string { return s.host.Origin(PartAPI) + controlPath }

// withControl serves the control interface, if it is enabled, and passes other
// requests to api. Requests to the control interface are not recorded, and
// neither faults nor rate limits apply to them.
func (s *Server) withControl(api http.Handler) http.Handler {
	if !s.cfg.control {
		return api
	}
	control, described := s.handlers.track(s.keeps(partControl, http.HandlerFunc(s.serveControl))), s.handlers.track(http.HandlerFunc(s.serveDescription))
	return s.withPage(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == controlPath, strings.HasPrefix(r.URL.Path, controlPath+"/"):
			control.ServeHTTP(w, r)
		case r.URL.Path == "/openapi.yaml":
			described.ServeHTTP(w, r)
		default:
			api.ServeHTTP(w, r)
		}
	}))
}

// serveDescription serves the OpenAPI description of the API, from which
// clients can be generated. It needs no API key, because the description is
// public.
func (s *Server) serveDescription(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	reply(w, http.StatusOK, "application/yaml", []byte(apidoc.OpenAPI()))
}

func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	answer, status, err := s.control(r)
	if refused := (*problem)(nil); errors.As(err, &refused) {
		writeRefusal(w, r, refused)
		return
	}
	switch answer := answer.(type) {
	case nil:
		w.WriteHeader(status)
	case []byte:
		reply(w, status, "application/yaml", answer)
	default:
		reply(w, status, "application/json; charset=utf-8", encode(answer))
	}
}

func writeRefusal(w http.ResponseWriter, r *http.Request, refused *problem) {
	maps.Copy(w.Header(), refused.header)
	reply(w, refused.status, "application/problem+json; charset=utf-8", refused.body(r.URL.EscapedPath(), "", false))
}

// control authenticates the request, runs the command and returns its answer.
func (s *Server) control(r *http.Request) (answer any, status int, err error) {
	if err := s.guardControl(r); err != nil {
		return nil, 0, err
	}
	var allowed []string
	for _, c := range commands() {
		switch {
		case controlPath+c.path != r.URL.Path:
		case c.method == r.Method:
			if err := c.checkQuery(r); err != nil {
				return nil, 0, err
			}
			answer, err := c.run(s, r)
			return answer, c.status, err
		default:
			allowed = append(allowed, c.method)
		}
	}
	if allowed == nil {
		return nil, 0, refuse(http.StatusNotFound, "The command does not exist.")
	}
	slices.Sort(allowed)
	return nil, 0, refuse(http.StatusMethodNotAllowed, "Method not allowed.").with("Allow", strings.Join(allowed, ", "))
}

// checkQuery refuses unknown and repeated query parameters.
func (c command) checkQuery(r *http.Request) error {
	given, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return refuse(http.StatusBadRequest, "The query string cannot be parsed.")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case !slices.Contains(strings.Fields(c.query), name):
			return faulty(name, "is not a query parameter of the operation")
		case len(given[name]) > 1:
			return faulty(name, "must not occur more than once")
		}
	}
	return nil
}
