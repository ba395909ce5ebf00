package practicetest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// stub is a handler that replaces the service for some requests.
type stub struct {
	pattern string
	place   string         // source line of the test that added it
	mux     *http.ServeMux // contains only the pattern
	met     bool
}

// Stub makes a handler respond to the requests that match a pattern of
// [http.ServeMux], such as "GET /matters/{id}", instead of the service. Use it
// to change the response for a path, or to add a path that the API does not
// have. Paths are relative to the base URL, without the account of
// [WithMultiAccount]; the handler sees the request with such a path. If several
// stubs match, the latest one responds.
//
// Requests to a stub are recorded, and faults apply to them, but their
// credentials, parameters and rate are not checked. An invalid pattern is a
// mistake in the test, and so is a stub that no request has matched; see
// [Server.Inject]. [Server.ClearStubs] and [Server.Reset] remove the stubs.
func (s *Server) Stub(pattern string, handler http.Handler) {
	if wrong := s.addStub(pattern, handler); wrong != nil {
		s.misuse("practicetest: Stub: %v", wrong)
	}
}

// ClearStubs removes the stubs.
func (s *Server) ClearStubs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stubs = nil
}

// addStub adds a stub. It returns the reason if the pattern or handler is
// invalid, otherwise nil.
func (s *Server) addStub(pattern string, handler http.Handler) (wrong any) {
	if method, _, given := strings.Cut(strings.TrimLeft(pattern, " "), " "); given && !slices.Contains(methods(), method) {
		return fmt.Sprintf("the method %q does not exist: use one of %s", method, strings.Join(methods(), ", "))
	}
	one := &stub{pattern: pattern, mux: http.NewServeMux(), place: placeOfTest()}
	if wrong := one.handle(handler); wrong != nil {
		return wrong
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stubs = append(s.stubs, one)
	return nil
}

// methods returns the methods that a pattern may contain.
func methods() []string {
	return []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
}

// handle registers the handler. It returns the panic value of http.ServeMux if
// the pattern or handler is invalid.
func (one *stub) handle(handler http.Handler) (wrong any) {
	defer func() { wrong = recover() }()
	one.mux.Handle(one.pattern, handler)
	return nil
}

// withStubs passes a request to the matching stub, or to next if there is none.
func (s *Server) withStubs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mux, asked := s.stubFor(r); mux != nil {
			mux.ServeHTTP(w, asked)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// stubFor returns the latest stub that matches a request, and the request with
// its path relative to the base URL.
func (s *Server) stubFor(r *http.Request) (*http.ServeMux, *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stubs) == 0 {
		return nil, nil
	}
	asked := r.Clone(r.Context())
	asked.URL = s.withinInterface(r.URL)
	for i := len(s.stubs) - 1; i >= 0; i-- {
		one := s.stubs[i]
		if _, pattern := one.mux.Handler(asked); pattern == one.pattern {
			one.met = true
			return one.mux, asked
		}
	}
	return nil, nil
}

// withinInterface returns the URL with its path relative to the base URL and
// the account prefix.
func (s *Server) withinInterface(address *url.URL) *url.URL {
	within := *address
	cut := func(prefix string) {
		within.Path, within.RawPath = strings.TrimPrefix(within.Path, prefix), strings.TrimPrefix(within.RawPath, prefix)
	}
	cut(basePath)
	if s.cfg.multiAccount {
		for account := range s.state.accounts {
			cut("/" + account)
		}
	}
	return &within
}
