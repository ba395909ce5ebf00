// Package memnet is a TCP network in memory. It blocks on condition variables
// only, so that goroutines that wait on it are idle inside a testing/synctest
// bubble.
package memnet

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"sync"
)

// Network is a TCP network in memory. It blocks on condition variables only, so
// waiting goroutines count as idle inside a testing/synctest bubble.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*listener
	ports     int
	free      []*bytes.Buffer // buffers that no stream holds
}

// address is the host and port of one end.
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// firstPort is the first port that the network assigns itself.
const firstPort = 49152

// New returns a network without listeners.
func New() *Network {
	return &Network{listeners: make(map[string]*listener)}
}

// Listen waits for connections at a host (a name or an address) and port. Port
// 0 takes a free one.
func (n *Network) Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: address(addr), Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for port == "0" || port == "" {
		addr = n.nextPort(host)
		if n.listeners[addr] == nil {
			break
		}
	}
	if n.listeners[addr] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: address(addr), Err: errInUse}
	}
	l := &listener{network: n, addr: address(addr)}
	l.changed.L = &l.mu
	n.listeners[addr] = l
	return l, nil
}

// Dial connects to a listener. It has the signature of a DialContext function
// and never waits: an address without a listener refuses at once.
func (n *Network) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	fail := func(err error) error {
		return &net.OpError{Op: "dial", Net: network, Addr: address(addr), Err: err}
	}
	if err := ctx.Err(); err != nil {
		return nil, fail(err)
	}
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, fail(net.UnknownNetworkError(network))
	}
	n.mu.Lock()
	l, local := n.listeners[addr], address(n.nextPort("127.0.0.1"))
	n.mu.Unlock()
	if l == nil {
		return nil, fail(errRefused)
	}
	client, server := n.pipe(local, l.addr)
	if !l.enqueue(server) {
		return nil, fail(errRefused)
	}
	return client, nil
}

func (n *Network) nextPort(host string) string {
	port := firstPort + n.ports%(1<<16-firstPort)
	n.ports++
	return net.JoinHostPort(host, strconv.Itoa(port))
}
