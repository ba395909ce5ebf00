package objectstore_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// line is a proxy between client and store. It copies bytes, records requests,
// and breaks connections. The store closes a connection after each response, so
// that each connection has one request.
type line struct {
	store    string
	listener net.Listener
	running  sync.WaitGroup

	mu       sync.Mutex
	open     map[net.Conn]bool // nil when the line is down
	cuts     []*cut
	requests []*http.Request // without their bodies
}

// cut breaks the first connection of a method that has transferred a number of
// bytes, including headers.
type cut struct {
	method   string
	up, down int64  // bytes of the request, or of the response
	before   func() // called before the client notices; nil: nothing
}

func newLine(t *testing.T, store string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &line{store: store, listener: listener, open: map[net.Conn]bool{}}
	l.running.Go(l.accept)
	t.Cleanup(l.close)
	return l
}

func (l *line) addr() string { return l.listener.Addr().String() }

func (l *line) accept() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return // closed
		}
		if l.keep(client) {
			l.running.Go(func() { l.carry(client) })
		}
	}
}

// keep registers a connection, unless the line is closed.
func (l *line) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		_ = c.Close()
		return false
	}
	l.open[c] = true
	return true
}

func (l *line) close() {
	_ = l.listener.Close()
	l.mu.Lock()
	for c := range l.open {
		_ = c.Close()
	}
	l.open = nil
	l.mu.Unlock()
	l.running.Wait()
}

// carry transfers one request and its response.
func (l *line) carry(client net.Conn) {
	defer l.drop(client)
	var head bytes.Buffer // move copies to the end, or up to the cut, and then returns true.
	request, err := http.ReadRequest(bufio.NewReader(io.TeeReader(client, &head)))
	if err != nil {
		return
	}
	store, err := net.Dial("tcp", l.store)
	if err != nil || !l.keep(store) {
		return
	}
	defer l.drop(store)
	planned := l.note(request)
	hangUp := func() {
		for _, c := range []net.Conn{client, store} {
			_ = c.(*net.TCPConn).SetLinger(0) // a reset, because closing would mark the end of the body
			_ = c.Close()
		}
	}
	var up sync.WaitGroup
	up.Go(func() {
		if l.move(store, io.MultiReader(&head, client), planned, planned.up) {
			hangUp()
		}
		_ = store.(*net.TCPConn).CloseWrite()
	})
	if l.move(client, store, planned, planned.down) {
		hangUp()
	}
	_ = client.(*net.TCPConn).CloseWrite()
	up.Wait()
}

// move copies to the end, or up to the cut; then it is true.
func (l *line) move(to io.Writer, from io.Reader, planned *cut, limit int64) bool {
	if limit > 0 {
		if _, err := io.CopyN(to, from, limit); err != nil {
			return false
		}
		if l.take(planned) {
			if planned.before != nil {
				planned.before()
			}
			return true
		}
	}
	_, _ = io.Copy(to, from) // both ends notice errors themselves
	return false
}

// note records a request and returns the cut that may apply to it.
func (l *line) note(r *http.Request) *cut {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
	for _, c := range l.cuts {
		if c.method == r.Method {
			return c
		}
	}
	return &cut{}
}

// take returns false if the cut has been applied to another connection.
func (l *line) take(c *cut) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.Index(l.cuts, c)
	if at >= 0 {
		l.cuts = slices.Delete(l.cuts, at, at+1)
	}
	return at >= 0
}

func (l *line) drop(c net.Conn) {
	l.mu.Lock()
	delete(l.open, c)
	l.mu.Unlock()
	_ = c.Close()
}

// breaks schedules cuts, one after another.
func (l *line) breaks(cuts ...*cut) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cuts = append(l.cuts, cuts...)
}

// heads returns the headers of the requests with a method.
func (l *line) heads(method string) (found []http.Header) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.requests {
		if r.Method == method {
			found = append(found, r.Header)
		}
	}
	return found
}

// allCut checks that every scheduled cut was applied.
func (l *line) allCut(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	assert.Empty(t, l.cuts)
}
