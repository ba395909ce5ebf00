package practicetest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// stub is a handler in the place of a part of the interface.
type stub struct {
	pattern string
	place   string         // where the test asked for it
	mux     *http.ServeMux // it knows that pattern alone
	met     bool
}

// Stub has a handler answer the requests that match a pattern of
// [http.ServeMux], such as "GET /matters/{id}", in the place of the service:
// for one path that a test wants otherwise, or for one that the interface does
// not have. Paths begin behind the base address, and behind the account of
// [WithMultiAccount]. The handler sees the request with that path. Of several
// stubs that match, the latest answers.
//
// Requests for a stub are recorded and meet faults; credentials, parameters and
// the rate limit are not checked. A pattern that cannot be read is a mistake,
// and so is a stub that no request has met; see [Server.Inject].
// [Server.ClearStubs] and [Server.Reset] remove the stubs.
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

// addStub adds a stub, or returns what is wrong with its pattern or handler.
func (s *Server) addStub(pattern string, handler http.Handler) (wrong any) {
	if method, _, given := strings.Cut(strings.TrimLeft(pattern, " "), " "); given && !slices.Contains(methods(), method) {
		return fmt.Sprintf("there is no method %q: it is one of %s", method, strings.Join(methods(), ", "))
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

// methods are those that a stub can answer.
func methods() []string {
	return []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
}

// handle sets the handler, or returns what is wrong with it or the pattern.
func (one *stub) handle(handler http.Handler) (wrong any) {
	defer func() { wrong = recover() }()
	one.mux.Handle(one.pattern, handler)
	return nil
}

// withStubs answers by a stub what one matches.
func (s *Server) withStubs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mux, asked := s.stubFor(r); mux != nil {
			mux.ServeHTTP(w, asked)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// stubFor returns the latest stub that matches a request, with the request as
// it sees it.
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

// withinInterface returns an address with its path from the end of the base
// address on.
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
