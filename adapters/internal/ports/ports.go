// Package ports finds ports for servers of tests, which a test may start again
// at the same port.
package ports

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The system itself assigns ports from 32768 on: while a server is away,
// another program could get one of those.
const (
	lowest  = 10_000
	highest = 32_000
)

var given atomic.Int64

// Free returns a port of 127.0.0.1 that no other call in this process returns
// and that nobody listens on.
func Free(t testing.TB) int {
	t.Helper()
	const each = 97 // number of ports of one process
	for range highest - lowest {
		port := lowest + (os.Getpid()*each+int(given.Add(1)))%(highest-lowest)
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatal("no port is free")
	return 0
}
