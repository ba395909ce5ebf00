package practicetest

import (
	"net"
	"net/http"
)

// reset ends a request with a connection reset instead of an answer.
func reset(w http.ResponseWriter) { hangUp(w, resetConn) }

// hangUp takes the connection away from the HTTP server and ends it. Where that
// cannot be done, as in HTTP/2, the server itself aborts.
func hangUp(w http.ResponseWriter, end func(net.Conn) error) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = end(c) // there is nobody left to tell
}

// resetConn makes the other end meet a connection reset: on TCP a connection that
// does not linger is closed by a reset.
func resetConn(c net.Conn) error {
	under := c
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
		under = secured.NetConn()
	}
	switch under := under.(type) {
	case *conn:
		under.reset()
		return nil
	case *net.TCPConn:
		if err := under.SetLinger(0); err != nil {
			return err
		}
	}
	return under.Close()
}
