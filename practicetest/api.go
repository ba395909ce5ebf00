package practicetest

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// serveAPI handles a request to the API. It writes the response, or the problem
// if the request is refused.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	c := callOf(r)
	answer, err := s.perform(r, c)
	if refused := (*problem)(nil); errors.As(err, &refused) {
		if refused.mistake != "" {
			s.violate(c, "%s", refused.mistake)
		}
		s.writeProblem(w, c, refused)
		return
	}
	media := ""
	if len(answer) > 0 {
		media = cmp.Or(c.media, "application/json; charset=utf-8")
	}
	if c.saveAs != "" {
		w.Header().Set("Content-Disposition", c.saveAs)
	}
	reply(w, cmp.Or(c.status, c.route.status), media, answer)
}

// reply writes a response. Without a media type the Content-Type header is left
// out.
func reply(w http.ResponseWriter, status int, media string, body []byte) {
	if media != "" {
		w.Header().Set("Content-Type", media)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has disconnected
}

// perform checks the route, reads the body and performs the operation. It
// returns the response body.
func (s *Server) perform(r *http.Request, c *call) ([]byte, error) {
	if c.route == nil {
		return nil, s.refuseRoute(c)
	}
	raw, err := readBody(r)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The body ended early.")
	}
	c.rawBody = raw
	if err := s.collectFor(r, c); err != nil {
		return nil, err
	}
	write, err := s.handle(r, c)
	if err != nil || write == nil {
		return nil, err
	}
	return write(), nil
}

// handle runs the checks of a request, from the credentials to the rules of the
// operation, and then its handler.
func (s *Server) handle(r *http.Request, c *call) (answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.clock.Now().UTC()
	s.settleDue(c.now)
	s.polled(r, c)
	for _, check := range []func(*http.Request, *call) error{
		s.checkCredentials, s.checkAccount, s.checkUser, s.checkGrant, s.checkScope, s.checkChosen, s.checkRate, s.checkQuery, s.checkPath, s.checkBody, s.checkUnpublished, s.checkReferences, s.checkUsers, s.checkRules,
	} {
		if err := check(r, c); err != nil {
			return nil, err
		}
	}
	for _, id := range c.values {
		s.state.furnishFor(id)
	}
	write, err := c.route.handle(s, c)
	if err == nil {
		s.tellUnpublished(c)
	}
	if write == nil {
		return nil, err
	}
	v := s.view(c.link)
	return func() []byte {
		text := write()
		return v.form.extended(v.shaped(text, c.route.answered(text)))
	}, err
}

func (s *Server) refuseRoute(c *call) error {
	if c.allowed != nil {
		allowed := strings.Join(c.allowed, ", ")
		return refuse(http.StatusMethodNotAllowed, "Method not allowed.").with("Allow", allowed).
			asMistake("the path does not support this method, only %s", allowed)
	}
	return refuse(http.StatusNotFound, "The path does not exist.").asMistake("the API has no such path")
}

func (s *Server) writeProblem(w http.ResponseWriter, c *call, p *problem) {
	maps.Copy(w.Header(), p.header)
	listing := c.operation == "getFolder" || c.operation == "getRootFolder"
	body, media := p.body(c.record.Path, c.requestID, listing), "application/problem+json; charset=utf-8"
	switch {
	case c.bare(p.status):
		body, media = nil, ""
	case listing:
		media = "application/json; charset=utf-8"
	}
	reply(w, p.status, media, body)
}

// linger delays each request by the configured latency.
func (s *Server) linger(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cfg.latency > 0 && backoff.Sleep(r.Context(), s.cfg.latency) != nil {
			panic(http.ErrAbortHandler) // a plain return would make net/http respond with 200
		}
		next.ServeHTTP(w, r)
	})
}
