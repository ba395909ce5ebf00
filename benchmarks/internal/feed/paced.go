package feed

import (
	"context"
	"net"

	"golang.org/x/time/rate"
)

// pacedListener accepts connections whose bytes per second are limited.
type pacedListener struct {
	net.Listener
	perSecond int64
}

// pace is the number of bytes written at a time.
const pace = 64 << 10

// Accept waits for the next connection.
func (l *pacedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &pacedConn{conn, rate.NewLimiter(rate.Limit(l.perSecond), pace)}, nil
}

type pacedConn struct {
	net.Conn
	limiter *rate.Limiter
}

// Write writes p as fast as the limit allows.
func (c *pacedConn) Write(p []byte) (n int, err error) {
	for n < len(p) {
		piece := p[n:min(len(p), n+pace)]
		if err := c.limiter.WaitN(context.Background(), len(piece)); err != nil {
			return n, err
		}
		m, err := c.Conn.Write(piece)
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
