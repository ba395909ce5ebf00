package memnet

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Conn is one end of a connection: a stream in, a stream out. Its errors are
// those of package net, so that errors.Is and the time-out of a [net.Error]
// behave as they do on a real connection.
type Conn struct {
	in, out       *stream
	local, remote address
	closed        atomic.Bool
}

var _ net.Conn = (*Conn)(nil)

// pipe returns the two ends of a new connection.
func (n *Network) pipe(client, server address) (*Conn, *Conn) {
	up, down := newStream(n), newStream(n)
	return &Conn{in: down, out: up, local: client, remote: server},
		&Conn{in: up, out: down, local: server, remote: client}
}

// Read reads the bytes that have arrived, and waits for at least one.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.in.read(p)
	return n, c.wrap("read", err)
}

// Write sends all of p; it waits while the other end does not read.
func (c *Conn) Write(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, c.wrap("write", net.ErrClosed)
	}
	n, err := c.out.write(p)
	return n, c.wrap("write", err)
}

// Close ends both directions. The other end can still read what was sent.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return c.wrap("close", net.ErrClosed)
	}
	c.out.finish(io.EOF, net.ErrClosed)
	c.in.abandon(errPipe)
	return nil
}

// CloseWrite ends the direction out: the other end reads an end of file, and
// can still answer.
func (c *Conn) CloseWrite() error {
	if c.closed.Load() {
		return c.wrap("close", net.ErrClosed)
	}
	c.out.finish(io.EOF, errPipe)
	return nil
}

// Reset breaks the connection: after the bytes already sent, the other end
// receives ECONNRESET.
func (c *Conn) Reset() {
	if c.closed.Swap(true) {
		return
	}
	c.in.abandon(errReset) // first, so that a write that waits over there hears the true reason
	c.out.finish(errReset, net.ErrClosed)
}

// LocalAddr returns the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline limits present and future reads; the zero time removes the
// limit.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.limit(c.in, &c.in.readBy, t) }

// SetWriteDeadline limits present and future writes; the zero time removes the
// limit.
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
