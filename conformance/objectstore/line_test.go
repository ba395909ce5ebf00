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

// line stands between client and store. It carries bytes as they are, notes the
// requests, and breaks connections. The store ends a connection after each
// answer, so that one carries one request.
type line struct {
	store    string
	listener net.Listener
	running  sync.WaitGroup

	mu       sync.Mutex
	open     map[net.Conn]bool // nil when the line is down
	cuts     []*cut
	requests []*http.Request // without their bodies
}

// cut breaks the first connection of a method that has carried so many bytes,
// with their headers.
type cut struct {
	method   string
	up, down int64  // bytes of the request, or else of the answer
	before   func() // nil, or what happens before the client notices
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

// keep takes care of a connection, unless the line is down.
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

// carry moves one request and its answer.
func (l *line) carry(client net.Conn) {
	defer l.drop(client)
	var head bytes.Buffer // with the beginning of the body
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
			_ = c.(*net.TCPConn).SetLinger(0) // a reset, as when a line drops: an end would be one of the body
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
	_, _ = io.Copy(to, from) // whoever hears of an error is at one of the ends
	return false
}

// note remembers a request and names the cut that may strike it.
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

// take is false when the cut has struck another connection.
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

// breaks plans cuts, one after the other.
func (l *line) breaks(cuts ...*cut) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cuts = append(l.cuts, cuts...)
}

// heads are the headers of the requests of a method so far.
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

// allCut wants every planned cut to have happened.
func (l *line) allCut(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	assert.Empty(t, l.cuts)
}
