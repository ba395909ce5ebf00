package memnet

import (
	"net"
	"sync"
)

// listener accepts the connections dialled to its address.
type listener struct {
	network *Network
	addr    address

	mu      sync.Mutex
	changed sync.Cond
	waiting []*Conn
	closed  bool
}

// Accept waits for the next connection and returns it.
func (l *listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) == 0 && !l.closed {
		l.changed.Wait()
	}
	if l.closed {
		return nil, l.fail("accept")
	}
	c := l.waiting[0]
	l.waiting = l.waiting[1:]
	return c, nil
}

// Close frees the address and resets the connections that were not accepted
// yet.
func (l *listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return l.fail("close")
	}
	l.closed = true
	waiting := l.waiting
	l.waiting = nil
	l.changed.Broadcast()
	l.mu.Unlock()

	l.network.mu.Lock()
	delete(l.network.listeners, l.addr.String())
	l.network.mu.Unlock()
	for _, c := range waiting {
		c.Reset()
	}
	return nil
}

// Addr returns the address of the listener.
func (l *listener) Addr() net.Addr { return l.addr }

// enqueue queues c for Accept. It returns false if the listener is closed.
func (l *listener) enqueue(c *Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.waiting = append(l.waiting, c)
		l.changed.Signal()
	}
	return !l.closed
}

func (l *listener) fail(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
}
