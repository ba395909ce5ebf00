package practicetest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/practicetest/internal/clock"
)

// partControl is the part of requests to the control interface, as named in the
// state file.
const partControl = "control"

// forgetful returns the commands that are not recorded, because they do not
// change the firm.
func forgetful() []string { return []string{"/flush", "/faults", "/stubs", "/violations", "/requests"} }

// keeps serves the requests that may change something one at a time. The clock
// stands still during each of them. It records a request in the state file
// before the response is sent.
func (s *Server) keeps(part string, next http.Handler) http.Handler {
	if s.kept == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !mayChange(part, r) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // before the lock is taken, since the client may be slow
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		if err != nil { // the handler will refuse it
			next.ServeHTTP(w, r)
			return
		}
		answer := &heldAnswer{header: w.Header().Clone()}
		if err := s.keepOne(part, r, body, answer, next); err != nil {
			http.Error(w, "The state cannot be saved: "+err.Error(), http.StatusInternalServerError)
			return
		}
		maps.Copy(w.Header(), answer.header)
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // fails only if the client has disconnected
	})
}

// mayChange reports whether a request must be recorded. This includes two kinds
// of GET requests: for an upload address and for the authorization page.
func mayChange(part string, r *http.Request) bool {
	switch part {
	case partControl:
		return r.Method != http.MethodGet && !slices.Contains(forgetful(), strings.TrimPrefix(r.URL.Path, controlPath))
	case PartToken:
		return true
	default:
		return r.Method != http.MethodGet || operationOf(r) == "getFileUpload"
	}
}

func (s *Server) keepOne(part string, r *http.Request, body []byte, answer *heldAnswer, next http.Handler) error {
	k := s.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed != nil {
		return k.failed
	}
	one := keptRequest{Part: part, Method: r.Method, URI: r.RequestURI, Header: r.Header.Clone(), Body: s.anywhere(part, body)}
	one.Header.Del("Origin") // the origin of the page may differ at the next start
	one.At, one.Ahead = s.clock.inner.Hold()
	defer s.clock.inner.Release()
	s.performDue(answer, r, next)
	if !took(part, answer.status) {
		return nil
	}
	one.Status, one.Answer = answer.status, s.hashOf(answer)
	if part == partControl && (r.URL.Path == controlPath+"/reset" || r.URL.Path == controlPath+"/seed") {
		k.failed = k.begin(one)
	} else {
		k.failed = k.add(one)
	}
	return k.failed
}

// took reports whether a request with this status may have changed something.
// Even a refused API request may have drawn random numbers.
func took(part string, status int) bool {
	if part == PartStorage || part == partControl {
		return status < 300
	}
	return status != http.StatusUnauthorized && status != http.StatusTooManyRequests
}

// performDue applies the writes that are due and then performs the request.
func (s *Server) performDue(answer *heldAnswer, r *http.Request, next http.Handler) {
	s.settled()()
	next.ServeHTTP(answer, r)
}

// beginning returns the initial state of the service, from the state file if it
// has one. With a state file, the clock is held afterwards.
func beginning(cfg *config, clock *clock.Clock, kept *stateFile) stateHead {
	if kept != nil {
		cfg.chosenDelay = true // reads are not recorded, so polling must not change anything
		if kept.old != nil {
			clock.CatchUp(kept.head.Began, 0)
			return kept.head
		}
	}
	head := stateHead{Format: stateFormat, Setup: cfg.setup(), Secrets: cfg.seed}
	if cfg.randomSecrets {
		var random [8]byte
		_, _ = rand.Read(random[:]) // rand.Read does not fail
		head.Secrets = binary.BigEndian.Uint64(random[:])
	}
	if kept != nil {
		head.Began, _ = clock.Hold()
	}
	return head
}

// goOn replays the state file or starts a new one.
func (s *Server) goOn(head stateHead) error {
	if s.kept == nil {
		return nil
	}
	defer s.clock.inner.Release()
	if s.kept.old != nil {
		return s.resume()
	}
	head.Credentials = Credentials{ClientID: s.credentials.ClientID, ClientSecret: s.credentials.ClientSecret, APIKey: s.credentials.APIKey}
	s.kept.head = head
	return s.kept.begin()
}

// resume replays the state file. Meanwhile, webhooks are not delivered and
// violations are not reported.
func (s *Server) resume() error {
	k := s.kept
	s.courier.silence(true)
	s.strict.silence(true)
	defer s.courier.silence(false)
	defer s.strict.silence(false)
	for line := 2; ; line++ {
		var one keptRequest
		err := k.next(&one)
		if err == nil {
			err = s.again(one)
		}
		switch {
		case errors.Is(err, io.EOF):
			return k.ready()
		case err != nil:
			return fmt.Errorf("state file %s: line %d: %w", k.path, line, err)
		}
	}
}

// again performs a recorded request at its recorded time. It returns an error
// if the response differs from the recorded one.
func (s *Server) again(one keptRequest) error {
	s.clock.inner.CatchUp(one.At, one.Ahead)
	origin, body := s.host.Origin(cmp.Or(map[string]string{partControl: PartAPI}[one.Part], one.Part)), s.here(one.Part, one.Body)
	r, err := http.NewRequestWithContext(s.host.Life, one.Method, origin+one.URI, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.RequestURI, r.Header = one.URI, one.Header
	answer := &heldAnswer{header: http.Header{}}
	switch one.Part {
	case PartAPI:
		s.performDue(answer, withCall(r, s.newCall(one.Part, r, s.recogniseAPI)), http.HandlerFunc(s.serveAPI))
	case PartToken:
		s.performDue(answer, withCall(r, s.newCall(one.Part, r, recogniseToken)), http.HandlerFunc(s.serveToken))
	case PartStorage:
		s.performDue(answer, r, s.store)
	case partControl:
		s.performDue(answer, r, http.HandlerFunc(s.serveControl))
	}
	if answer.status != one.Status || s.hashOf(answer) != one.Answer {
		return fmt.Errorf("%s %s: the response differs from the recorded response (status %d, recorded status %d)", one.Method, one.URI, answer.status, one.Status)
	}
	return nil
}

// origins returns pairs of an origin and its placeholder in the state file. The
// next service may have other origins.
func (s *Server) origins() (pairs []string) {
	for _, part := range parts() {
		pairs = append(pairs, s.host.Origin(part), "{"+part+".example}")
	}
	return pairs
}

// anywhere replaces the service's own origins in a body by placeholders.
func (s *Server) anywhere(part string, body []byte) []byte {
	if part == PartStorage {
		return body
	}
	return []byte(strings.NewReplacer(s.origins()...).Replace(string(body)))
}

// here replaces the placeholders in a body by the service's origins.
func (s *Server) here(part string, body []byte) []byte {
	if part == PartStorage {
		return body
	}
	pairs := s.origins()
	slices.Reverse(pairs)
	return []byte(strings.NewReplacer(pairs...).Replace(string(body)))
}

func (s *Server) hashOf(answer *heldAnswer) string {
	sum := sha256.Sum256(s.anywhere("", answer.body.Bytes()))
	return hex.EncodeToString(sum[:8])
}

// heldAnswer is an http.ResponseWriter that buffers the response.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *heldAnswer) Header() http.Header { return a.header }

func (a *heldAnswer) WriteHeader(status int) { a.status = cmp.Or(a.status, status) }

func (a *heldAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// failing is the end of a body: reads return err, or io.EOF if err is nil.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }
