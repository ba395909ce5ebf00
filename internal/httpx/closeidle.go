package httpx

import "time"

// endTime limits the time in which idle connections must be closed.
const endTime = 250 * time.Millisecond

// CloseIdleConnections closes the idle connections of a transport. It returns
// after endTime even if the transport hangs: the HTTP/2 client of Go 1.26 does
// so forever once a peer has let the flow-control window of a stream overflow.
func CloseIdleConnections(of interface{ CloseIdleConnections() }) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		of.CloseIdleConnections()
	}()
	timer := time.NewTimer(endTime)
	defer timer.Stop()
	select {
	case <-closed:
	case <-timer.C:
	}
}
