// Package sandboxtest serves HTTP handlers in tests of the embedded service.
package sandboxtest

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Host is the address of the served handlers.
const Host = "127.0.0.1:8001"

// InMemory serves h on an in-memory network until the test ends, and returns a
// client that connects to it.
func InMemory(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	n := memnet.New()
	l, err := n.Listen(Host)
	require.NoError(t, err)
	transport := &http.Transport{DialContext: n.Dial}
	return Serve(t, l, h, transport)
}

// Loopback serves h over TCP until the test ends, and returns a client that
// connects to it whatever the host of the URL.
func Loopback(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
	}}
	return Serve(t, l, h, transport)
}

// Serve serves h on l until the test ends, and returns a client that uses
// transport.
func Serve(t *testing.T, l net.Listener, h http.Handler, transport *http.Transport) *http.Client {
	t.Helper()
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Hour}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		assert.NoError(t, server.Close())
		assert.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return &http.Client{Transport: transport}
}
