// Package ports finds free ports for test servers. A test may restart a server
// at the same port.
package ports

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// Systems assign ephemeral ports from 32768 on. Another program could get one
// of those while a server is stopped.
const (
	lowest  = 10_000
	highest = 32_000
)

var given atomic.Int64

// Free returns a port of 127.0.0.1 that is not in use. Each call in this
// process returns a different one.
func Free(t testing.TB) int {
	t.Helper()
	const each = 97 // number of ports for each process
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
