package storage

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
)

// InFile is a body whose bytes are in a file, so that the system can send them
// without copying them through the process.
type InFile interface {
	io.Reader
	// Ahead returns the file and the offset of the next bytes of the body, and
	// how many of them need not be read; n is 0 if the rest must be read.
	Ahead() (file *os.File, offset, n int64)
	// Sent skips the next n bytes, which were sent without being read.
	Sent(n int64)
}

// sendFiles makes the connections of a transport send files without reading
// them, on systems that support it. Over TLS the process must read everything.
func sendFiles(t *http.Transport) {
	if !canSendFiles || t.Dial != nil { //nolint:staticcheck // who set it has it used
		return
	}
	dial := t.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok && err == nil {
			return fileConn{tcp}, nil
		}
		return conn, err
	}
}

// fileConn is a connection that sends bodies from files.
type fileConn struct{ *net.TCPConn }

// ReadFrom sends a body of known length as net/http does.
func (c fileConn) ReadFrom(r io.Reader) (int64, error) {
	sent := int64(0)
	if limited, ok := r.(*io.LimitedReader); ok {
		if body, ok := limited.R.(*sentBody); ok {
			sent = body.sendTo(c.TCPConn, limited.N)
			limited.N -= sent
		}
	}
	n, err := c.TCPConn.ReadFrom(r) // ReadFrom sends the rest and returns the error
	return sent + n, err
}

// sendTo sends as many bytes as possible without reading them.
func (b *sentBody) sendTo(conn *net.TCPConn, most int64) (sent int64) {
	source, ok := b.source.(InFile)
	if !ok {
		return 0
	}
	out, err := conn.SyscallConn()
	if err != nil {
		return 0
	}
	for sent < most {
		n := 0
		err := out.Write(func(to uintptr) (done bool) {
			n, done = b.sendSome(to, source, most-sent)
			return done
		})
		if err != nil || n == 0 {
			break
		}
		sent += int64(n)
	}
	return sent
}

// sendSome makes one attempt. It returns the number of bytes sent, and whether
// it was the last attempt. It does not use the body while it waits for the
// network, or after the exchange.
func (b *sentBody) sendSome(to uintptr, source InFile, most int64) (n int, done bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, true
	}
	file, at, ahead := source.Ahead()
	if ahead = min(ahead, most); ahead <= 0 {
		return 0, true
	}
	b.dog.pause()
	defer b.dog.restart()
	n, done = sendFile(to, file, at, ahead)
	if n > 0 {
		b.guarded(func() { source.Sent(int64(n)) })
	}
	return n, done || b.over
}
