// Package memnet implements a TCP network in memory. Waiting goroutines block
// on condition variables only, so they count as durably blocked in a
// testing/synctest bubble.
package memnet

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"sync"
)

// Network is a TCP network in memory.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*listener
	ports     int
	free      []*bytes.Buffer // unused buffers
}

// address is a host and port.
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// firstPort is the first of the ports that are assigned automatically.
const firstPort = 49152

// New returns an empty network.
func New() *Network {
	return &Network{listeners: make(map[string]*listener)}
}

// Listen creates a listener at a host and port. The host may be a name or an IP
// address; port 0 selects a free port.
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

// Dial connects to the listener at addr. It has the signature of a DialContext
// function but does not block: without a listener it fails at once.
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
