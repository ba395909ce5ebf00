package webhook_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
)

// pipes is a listener with in-memory connections, so that the server uses the
// time of the test's bubble.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// serverOnPipes returns a server of the handler, to be started in the bubble of
// the test.
func serverOnPipes(handler http.Handler) (*httptest.Server, *pipes) {
	p := &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})}
	server := &httptest.Server{Listener: p, Config: &http.Server{Handler: handler}}
	return server, p
}

// clientOf returns a client for a started server.
func clientOf(server *httptest.Server, p *pipes) *http.Client {
	client := server.Client()
	client.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) { return p.dial() }
	return client
}

func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.dialled <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
