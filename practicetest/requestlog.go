package practicetest

import (
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The parts of the service, as [RecordedRequest.Part] names them.
const (
	// PartAPI is the interface itself.
	PartAPI = "api"
	// PartToken is the token endpoint with its authorization page.
	PartToken = "token"
	// PartStorage is the object store behind the pre-signed addresses.
	PartStorage = "storage"
)

// RecordedRequest is one request as the service received it.
type RecordedRequest struct {
	// Part is the origin that was called: api, token or storage.
	Part string `json:"part"`
	// Operation is the operationId of the route, "storage.put", "storage.get",
	// "token", "authorize", or empty for an unknown path.
	Operation string `json:"operation"`
	// Method is the HTTP method.
	Method string `json:"method"`
	// Path is the escaped path as sent, with prefixes.
	Path string `json:"path"`
	// RawQuery is the query as sent, without the question mark.
	RawQuery string `json:"query"`
	// Header is a copy of the request headers.
	Header http.Header `json:"headers"`
	// Body holds the first bytes of the request body, at most 64 KiB.
	Body []byte `json:"-"`
	// BodyBytes is the number of bytes of the body that the service read.
	BodyBytes int64 `json:"bodyBytes"`
	// Status is the HTTP status of the answer; 0 when none was sent.
	Status int `json:"status"`
	// Answer holds the first bytes of the answer of a refusal, at most 4 KiB;
	// nil of a status below 400.
	Answer []byte `json:"-"`
	// Violations holds what a strict service found to be not allowed.
	Violations []string `json:"violations"`
	// Warnings holds what is probably a mistake; see [UnpublishedWarned].
	Warnings []string `json:"warnings"`
	// RequestID is the RequestId header.
	RequestID string `json:"requestId"`
	// When is the time at which the request began, by the server's [Clock].
	When time.Time `json:"when"`
}

// Limits of the request log, in bytes.
const (
	maxRecordedBody   = 64 << 10 // of one request
	maxRecordedAnswer = 4 << 10
	maxRecordedBytes  = 32 << 20 // of the bodies and answers of all requests
)

// requestLog remembers the most recent requests.
type requestLog struct {
	mu      sync.Mutex
	limit   int
	entries []*loggedRequest
	bytes   int // of the bodies of the entries

	telling  sync.Mutex
	answered func(RecordedRequest) // nil when nobody asks
}

// loggedRequest is a request in the log, or one that the log has forgotten
// while it is served.
type loggedRequest struct {
	RecordedRequest
	kept bool
}

func (l *requestLog) add(entry *loggedRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limit == 0 {
		return
	}
	if len(l.entries) == l.limit {
		l.forgetFirst()
	}
	entry.kept = true
	l.entries = append(l.entries, entry)
}

// note changes an entry, when on is set.
func (l *requestLog) note(entry *loggedRequest, change func(*RecordedRequest), on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		change(&entry.RecordedRequest)
	}
}

// read adds the first bytes of a body to its entry.
func (l *requestLog) read(entry *loggedRequest, read []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.BodyBytes += int64(len(read))
	l.keep(entry, &entry.Body, read, maxRecordedBody)
}

// write notes the status of an answer, and of a refusal its first bytes.
func (l *requestLog) write(entry *loggedRequest, status int, written []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if entry.Status == 0 {
		entry.Status = status
	}
	if entry.Status >= http.StatusBadRequest {
		l.keep(entry, &entry.Answer, written, maxRecordedAnswer)
	}
}

// keep adds bytes to a text of an entry and makes room for them. The entry
// itself may be among those that are forgotten.
func (l *requestLog) keep(entry *loggedRequest, into *[]byte, more []byte, most int) {
	part := more[:min(len(more), most-len(*into))]
	if len(part) == 0 || !entry.kept {
		return
	}
	*into = append(*into, part...)
	for l.bytes += len(part); l.bytes > maxRecordedBytes; {
		l.forgetFirst()
	}
}

func (l *requestLog) forgetFirst() {
	l.bytes -= len(l.entries[0].Body) + len(l.entries[0].Answer)
	l.entries[0].kept = false
	l.entries[0] = nil // the array behind the slice would keep its body
	l.entries = l.entries[1:]
}

// Requests returns the requests so far in the order of their arrival, those to
// the token endpoint and to the storage included. A request that is still being
// served has no status yet.
func (s *Server) Requests() []RecordedRequest { return s.log.latest(s.cfg.requestLog, true) }

// latest copies so many of the latest requests, with their bodies or without.
func (l *requestLog) latest(most int, bodies bool) []RecordedRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.entries[max(0, len(l.entries)-most):]
	copies := make([]RecordedRequest, len(entries))
	for i, e := range entries {
		copies[i] = e.copied(bodies)
	}
	return copies
}

// copied returns what the log holds of a request, for somebody else.
func (e *loggedRequest) copied(body bool) RecordedRequest {
	r := e.RecordedRequest
	r.Header, r.Answer, r.Body = r.Header.Clone(), slices.Clone(r.Answer), nil
	if body {
		r.Body = slices.Clone(e.Body)
	}
	r.Violations, r.Warnings = slices.Clone(r.Violations), slices.Clone(r.Warnings)
	return r
}

// ResetRequests forgets the requests so far.
func (s *Server) ResetRequests() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	for _, e := range s.log.entries {
		e.kept = false
	}
	s.log.entries, s.log.bytes = nil, 0
}

// observe returns the outermost layer of each origin: it recognises the
// operation, records the request, repeats its RequestId on the answer and lets
// Close wait.
func (s *Server) observe(part string, recognise func(*http.Request, *call), next http.Handler) http.Handler {
	return s.handlers.track(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := s.newCall(part, r, recognise)
		s.log.add(c.record)
		w.Header().Set("Date", c.now.Format(http.TimeFormat))
		if c.requestID != "" && part != PartStorage {
			w.Header().Set("RequestId", c.requestID)
		}
		r.Body = &recordedBody{ReadCloser: r.Body, log: s.log, entry: c.record}
		defer s.log.tell(c.record) // an answer may be broken off by a panic
		next.ServeHTTP(&recordedAnswer{ResponseWriter: w, log: s.log, entry: c.record}, withCall(r, c))
	}))
}

// newCall recognises the operation of a request.
func (s *Server) newCall(part string, r *http.Request, recognise func(*http.Request, *call)) *call {
	c := &call{part: part, requestID: r.Header.Get("RequestId"), now: s.clock.Now().UTC()}
	recognise(r, c)
	c.record = &loggedRequest{RecordedRequest: RecordedRequest{
		Part: part, Operation: c.operation, Method: r.Method, Path: r.URL.EscapedPath(), RawQuery: r.URL.RawQuery,
		Header: r.Header.Clone(), RequestID: c.requestID, When: c.now,
	}}
	return c
}

// tell hands over a request that was answered.
func (l *requestLog) tell(entry *loggedRequest) {
	if l.answered == nil {
		return
	}
	l.mu.Lock()
	done := entry.copied(true)
	l.mu.Unlock()
	l.telling.Lock()
	defer l.telling.Unlock()
	l.answered(done)
}

// recordedBody copies the first bytes of a request body into the record.
type recordedBody struct {
	io.ReadCloser
	log   *requestLog
	entry *loggedRequest
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.log.read(b.entry, p[:n])
	}
	return n, err
}

// recordedAnswer notes the answer before the client can see it.
type recordedAnswer struct {
	http.ResponseWriter
	log   *requestLog
	entry *loggedRequest
}

func (a *recordedAnswer) WriteHeader(status int) {
	a.log.write(a.entry, status, nil)
	a.ResponseWriter.WriteHeader(status)
}

func (a *recordedAnswer) Write(p []byte) (int, error) {
	a.log.write(a.entry, http.StatusOK, p)
	return a.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection, for faults that
// break it.
func (a *recordedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
