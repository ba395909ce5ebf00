package memnet

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Conn is one end of a connection. Its errors equal those of package net, so
// that errors.Is and Timeout of a [net.Error] work as on a real connection.
type Conn struct {
	in, out       *stream
	local, remote address
	closed        atomic.Bool
}

var _ net.Conn = (*Conn)(nil)

// pipe creates a connection and returns its two ends.
func (n *Network) pipe(client, server address) (*Conn, *Conn) {
	up, down := newStream(n), newStream(n)
	return &Conn{in: down, out: up, local: client, remote: server},
		&Conn{in: up, out: down, local: server, remote: client}
}

// Read reads available bytes. It waits until there is at least one.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.in.read(p)
	return n, c.wrap("read", err)
}

// Write sends all of p. It waits while the buffer is full.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.out.write(p)
	return n, c.wrap("write", err)
}

// Close closes both directions. The peer can still read what was sent before.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return c.wrap("close", net.ErrClosed)
	}
	c.out.finish(io.EOF, net.ErrClosed)
	c.in.abandon(errPipe)
	return nil
}

// CloseWrite closes the sending direction: the peer reads io.EOF but can still
// send.
func (c *Conn) CloseWrite() error {
	if c.closed.Load() {
		return c.wrap("close", net.ErrClosed)
	}
	c.out.finish(io.EOF, errPipe)
	return nil
}

// Reset closes the connection abnormally. The peer reads the bytes already sent
// and then receives ECONNRESET.
func (c *Conn) Reset() {
	if c.closed.Swap(true) {
		return
	}
	c.in.abandon(errReset) // before finish, so that a blocked write of the peer fails with ECONNRESET
	c.out.finish(errReset, net.ErrClosed)
}

// LocalAddr returns the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline sets the read and the write deadline.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline sets the deadline of current and future reads. The zero time
// removes it.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.limit(c.in, &c.in.readBy, t) }

// SetWriteDeadline sets the deadline of current and future writes. The zero
// time removes it.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.limit(c.out, &c.out.writeBy, t) }

func (c *Conn) limit(s *stream, by *deadline, t time.Time) error {
	if c.closed.Load() {
		return c.wrap("set", net.ErrClosed)
	}
	s.setDeadline(by, t)
	return nil
}

func (c *Conn) wrap(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
