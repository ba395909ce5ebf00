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
)

// partControl is the control interface in a state file.
const partControl = "control"

// forgetful lists commands that change nothing of the firm, and may take long.
func forgetful() []string { return []string{"/flush", "/faults", "/stubs", "/violations", "/requests"} }

// keeps performs the requests of a part that may change something one after the
// other, each at one moment of the clock, and writes them into the state file
// before they are answered.
func (s *Server) keeps(part string, next http.Handler) http.Handler {
	if s.kept == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !mayChange(part, r) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // before anybody has to wait for it
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		if err != nil { // it will be refused
			next.ServeHTTP(w, r)
			return
		}
		answer := &heldAnswer{header: w.Header().Clone()}
		if err := s.keepOne(part, r, body, answer, next); err != nil {
			http.Error(w, "The state cannot be kept: "+err.Error(), http.StatusInternalServerError)
			return
		}
		maps.Copy(w.Header(), answer.header)
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // fails only when the client has left
	})
}

// mayChange reports whether a request is one to be kept. Of the reads, one
// makes an address for a new version, and one a code of the authorization page.
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
	one.Header.Del("Origin") // the page of the sandbox; it may lie elsewhere the next time
	one.At, one.Ahead = s.clock.hold()
	defer s.clock.release()
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

// took reports whether a request with the answer may have changed something. A
// refusal by the interface may have used up a chance.
func took(part string, status int) bool {
	if part == PartStorage || part == partControl {
		return status < 300
	}
	return status != http.StatusUnauthorized && status != http.StatusTooManyRequests
}

// performDue performs a request after everything that is due before it.
func (s *Server) performDue(answer *heldAnswer, r *http.Request, next http.Handler) {
	s.settled()()
	next.ServeHTTP(answer, r)
}

// beginning returns the initial state of a service: the stored one, or a new
// one. The clock is held then.
func beginning(cfg *config, clock *Clock, kept *stateFile) stateHead {
	if kept != nil {
		cfg.chosenDelay = true // reads are not kept, so they must change nothing
		if kept.old != nil {
			clock.catchUp(kept.head.Began, 0)
			return kept.head
		}
	}
	head := stateHead{Format: stateFormat, Setup: cfg.setup(), Secrets: cfg.seed}
	if cfg.randomSecrets {
		var random [8]byte
		_, _ = rand.Read(random[:]) // never fails
		head.Secrets = binary.BigEndian.Uint64(random[:])
	}
	if kept != nil {
		head.Began, _ = clock.hold()
	}
	return head
}

// goOn replays the state file, or begins a new one.
func (s *Server) goOn(head stateHead) error {
	if s.kept == nil {
		return nil
	}
	defer s.clock.release()
	if s.kept.old != nil {
		return s.resume()
	}
	head.Credentials = Credentials{ClientID: s.credentials.ClientID, ClientSecret: s.credentials.ClientSecret, APIKey: s.credentials.APIKey}
	s.kept.head = head
	return s.kept.begin()
}

// resume replays the state file. It delivers nothing and reports no mistake
// again.
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
			return fmt.Errorf("the state in %s: line %d: %w", k.path, line, err)
		}
	}
}

// again does a request again, at its moment.
func (s *Server) again(one keptRequest) error {
	s.clock.catchUp(one.At, one.Ahead)
	origin, body := s.host.origin(cmp.Or(map[string]string{partControl: PartAPI}[one.Part], one.Part)), s.here(one.Part, one.Body)
	r, err := http.NewRequestWithContext(s.host.life, one.Method, origin+one.URI, bytes.NewReader(body))
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
		return fmt.Errorf("%s %s: the service answers otherwise than the one that wrote it (%d, not %d)", one.Method, one.URI, answer.status, one.Status)
	}
	return nil
}

// origins returns the addresses of the parts, and the words for them in the
// file: the next service may have others.
func (s *Server) origins() (pairs []string) {
	for _, part := range parts() {
		pairs = append(pairs, s.host.origin(part), "{"+part+".example}")
	}
	return pairs
}

// anywhere returns a body without the addresses of this service.
func (s *Server) anywhere(part string, body []byte) []byte {
	if part == PartStorage {
		return body
	}
	return []byte(strings.NewReplacer(s.origins()...).Replace(string(body)))
}

// here returns a body with the addresses of this service.
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

// heldAnswer is an answer that is held back.
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

// failing ends a body as it ended; nil is as usual.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }
