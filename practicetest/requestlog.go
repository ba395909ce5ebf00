package practicetest

import (
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// These constants are the values of [RecordedRequest.Part].
const (
	// PartAPI is the API.
	PartAPI = "api"
	// PartToken is the token endpoint with its authorization page.
	PartToken = "token"
	// PartStorage is the object store behind the pre-signed URLs.
	PartStorage = "storage"
)

// parts returns the parts in the order of their ports.
func parts() []string { return []string{PartAPI, PartStorage, PartToken} }

// RecordedRequest is a request that the service received, with the status of
// its response.
type RecordedRequest struct {
	// Part is the part of the service that was called: [PartAPI], [PartToken]
	// or [PartStorage].
	Part string `json:"part"`
	// Operation is the operationId of the route, "storage.put", "storage.get",
	// "token" or "authorize". Empty if no operation matches.
	Operation string `json:"operation"`
	// Method is the HTTP method.
	Method string `json:"method"`
	// Path is the escaped path as it was sent, including the prefixes.
	Path string `json:"path"`
	// RawQuery is the query as it was sent, without the question mark.
	RawQuery string `json:"query"`
	// Header is a copy of the request headers.
	Header http.Header `json:"headers"`
	// Body holds up to the first 64 KiB of the request body.
	Body []byte `json:"-"`
	// BodyBytes is the number of bytes that the service read from the request
	// body.
	BodyBytes int64 `json:"bodyBytes"`
	// Status is the HTTP status of the response. 0 if no response was sent.
	Status int `json:"status"`
	// Answer holds up to the first 4 KiB of the response body if Status is 400
	// or higher; otherwise it is nil.
	Answer []byte `json:"-"`
	// Violations holds a sentence for each violation of the API that a strict
	// service found in the request.
	Violations []string `json:"violations"`
	// Warnings holds a sentence for each probable mistake in the request; see
	// [UnpublishedWarned].
	Warnings []string `json:"warnings"`
	// RequestID is the value of the RequestId header.
	RequestID string `json:"requestId"`
	// When is the time at which the request arrived, by the server's [Clock].
	When time.Time `json:"when"`
}

// These constants limit the size of the request log, in bytes.
const (
	maxRecordedBody   = 64 << 10 // per request
	maxRecordedAnswer = 4 << 10
	maxRecordedBytes  = 32 << 20 // bodies and responses of all requests together
)

// requestLog holds the latest requests.
type requestLog struct {
	mu      sync.Mutex
	limit   int
	entries []*loggedRequest
	bytes   int // size of the bodies and responses of the entries

	notifyMu sync.Mutex
	answered func(RecordedRequest) // called after each response; nil: not called
}

// loggedRequest is a request that is being served or was recorded. kept reports
// whether it is still in the log.
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

// note applies change to an entry while holding the lock. It does nothing
// unless on is set.
func (l *requestLog) note(entry *loggedRequest, change func(*RecordedRequest), on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		change(&entry.RecordedRequest)
	}
}

// read adds bytes of the request body to an entry.
func (l *requestLog) read(entry *loggedRequest, read []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.BodyBytes += int64(len(read))
	l.keep(entry, &entry.Body, read, maxRecordedBody)
}

// write records the status of a response, and the beginning of its body if it
// is an error.
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

// keep appends bytes to the field into of an entry. It then drops the oldest
// entries, possibly this one too, until the log is within its limit.
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
	l.entries[0] = nil // so that the array does not keep it alive
	l.entries = l.entries[1:]
}

// Requests returns the recorded requests in order of arrival, including those
// to the token endpoint and the object store. A request that is still being
// served has no status yet.
func (s *Server) Requests() []RecordedRequest { return s.log.latest(s.cfg.requestLog, true) }

// latest returns copies of up to most of the latest requests, with or without
// their bodies.
func (l *requestLog) latest(most int, bodies bool) []RecordedRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.entries[max(0, len(l.entries)-most):]
	return mapped(entries, func(e *loggedRequest) RecordedRequest { return e.copied(bodies) })
}

// copied returns a deep copy of the recorded request, with or without its body.
func (e *loggedRequest) copied(body bool) RecordedRequest {
	r := e.RecordedRequest
	r.Header, r.Answer, r.Body = r.Header.Clone(), slices.Clone(r.Answer), nil
	if body {
		r.Body = slices.Clone(e.Body)
	}
	r.Violations, r.Warnings = slices.Clone(r.Violations), slices.Clone(r.Warnings)
	return r
}

// ResetRequests empties the request log.
func (s *Server) ResetRequests() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	for _, e := range s.log.entries {
		e.kept = false
	}
	s.log.entries, s.log.bytes = nil, 0
}

// observe wraps the handler of an origin. It determines the operation, records
// the request, returns its RequestId in the response, and counts the request so
// that Close can wait for it.
func (s *Server) observe(part string, recognise func(*http.Request, *call), next http.Handler) http.Handler {
	return s.handlers.track(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := s.newCall(part, r, recognise)
		s.log.add(c.record)
		w.Header().Set("Date", c.now.Format(http.TimeFormat))
		if c.requestID != "" && part != PartStorage {
			w.Header().Set("RequestId", c.requestID)
		}
		r.Body = &recordedBody{ReadCloser: r.Body, log: s.log, entry: c.record}
		defer s.log.tell(c.record) // deferred, because a handler may abort the response by a panic
		next.ServeHTTP(&recordedAnswer{ResponseWriter: w, log: s.log, entry: c.record}, withCall(r, c))
	}))
}

// newCall creates the call of a request and determines its operation.
func (s *Server) newCall(part string, r *http.Request, recognise func(*http.Request, *call)) *call {
	c := &call{part: part, requestID: r.Header.Get("RequestId"), now: s.clock.Now().UTC()}
	recognise(r, c)
	c.record = &loggedRequest{RecordedRequest: RecordedRequest{
		Part: part, Operation: c.operation, Method: r.Method, Path: r.URL.EscapedPath(), RawQuery: r.URL.RawQuery,
		Header: r.Header.Clone(), RequestID: c.requestID, When: c.now,
	}}
	return c
}

// tell calls the request handler with a copy of the finished request.
func (l *requestLog) tell(entry *loggedRequest) {
	if l.answered == nil {
		return
	}
	l.mu.Lock()
	done := entry.copied(true)
	l.mu.Unlock()
	l.notifyMu.Lock()
	defer l.notifyMu.Unlock()
	l.answered(done)
}

// recordedBody records the request body while it is read.
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

// recordedAnswer records the status and body of a response before they are
// sent.
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

// Unwrap gives http.ResponseController access to the connection, which some
// faults close.
func (a *recordedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
