package transport

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// bodyTrust is the reliability of a delivery's trace for detecting whether a
// body was sent.
type bodyTrust int

const (
	// traced: net/http is next and reports to the delivery.
	traced bodyTrust = iota
	// untraced: next is a transport that may have replaced the context, but
	// no middleware.
	untraced
	// shared: a middleware is next, which may read the body itself.
	shared
)

// bodyGuard refuses net/http a second body once the header was written. Before
// that nothing was sent, for example because the connection was dead. If the
// trace may be missing, a body that was read counts as sent.
type bodyGuard struct {
	d     *delivery
	get   func() (io.ReadCloser, error)
	most  int32 // number of bodies that may be read before the last one is handed out; 0 if reads are not counted
	reads atomic.Int32
}

// guardBody returns a copy of req that refuses a second body as its guard does.
// A request whose body cannot be read again is returned unchanged.
func (d *delivery) guardBody(req *http.Request, trust bodyTrust) *http.Request {
	if trust == untraced && d.turn != nil && (req.Body == nil || req.Body == http.NoBody) {
		return emptyOnce(req)
	}
	if req.GetBody == nil {
		return req
	}
	guard := &bodyGuard{d: d, get: req.GetBody}
	guarded := *req
	switch trust {
	case traced:
	case untraced:
		guard.most = 1
	case shared:
		guard.most = 1 + maxRepeats
	}
	if guard.most > 0 && req.Body != nil && req.Body != http.NoBody {
		guarded.Body = &guardedBody{ReadCloser: req.Body, guard: guard}
	}
	guarded.GetBody = guard.again
	return &guarded
}

// emptyOnce gives a create without a body an empty one that cannot be repeated,
// because net/http repeats a request without a body as often as a server resets
// it. With a body, a ContentLength of 0 means unknown, so the header contains
// the length, in a spelling that net/http does not remove.
func emptyOnce(req *http.Request) *http.Request {
	once := *req
	once.Body, once.GetBody, once.TransferEncoding = io.NopCloser(strings.NewReader("")), nil, []string{"identity"}
	switch req.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch: // net/http sends no length for other methods
		once.Header = req.Header.Clone()
		once.Header["content-length"] = []string{"0"}
	}
	return &once
}

// again is the GetBody function of a guarded request.
func (g *bodyGuard) again() (io.ReadCloser, error) {
	g.d.mu.Lock()
	sent := g.d.wrote || g.d.over
	g.d.mu.Unlock()
	if sent || g.most > 0 && g.reads.Load() >= g.most {
		return nil, errSentOnce
	}
	body, err := g.get()
	if err != nil || g.most == 0 || body == http.NoBody {
		return body, err
	}
	return &guardedBody{ReadCloser: body, guard: g}, nil
}

// guardedBody reports its first read to its guard.
type guardedBody struct {
	io.ReadCloser
	guard *bodyGuard
	begun atomic.Bool
}

func (b *guardedBody) Read(p []byte) (int, error) {
	if !b.begun.Swap(true) {
		b.guard.reads.Add(1)
	}
	return b.ReadCloser.Read(p)
}

// closeBody closes the body of a request that is not sent, as every
// RoundTripper must.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // closing a body in memory does not fail
	}
}
