package feed

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Store is an object store over TCP that throws away what it is sent, and the
// interface that hands out its addresses.
type Store struct {
	listener net.Listener
	server   *http.Server
	serving  sync.WaitGroup
	stored   atomic.Int64
}

// OpenStore starts to answer, until Close.
func OpenStore() (*Store, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Store{listener: listener}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	s.serving.Go(func() { _ = s.server.Serve(listener) }) // it ends with Close
	return s, nil
}

// BaseURL is the address of the interface.
func (s *Store) BaseURL() string { return "http://" + s.listener.Addr().String() + "/practice/v1" }

// ObjectURL is the address that content is sent to.
func (s *Store) ObjectURL() string {
	return "http://" + s.listener.Addr().String() + "/objects/1?signature=a%2Fb"
}

// Stored counts the bytes that arrived with their length known.
func (s *Store) Stored() int64 { return s.stored.Load() }

// Close ends the store.
func (s *Store) Close() error {
	err := s.server.Close()
	s.serving.Wait()
	return err
}

// ServeHTTP refuses content without a length, as object stores do.
func (s *Store) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case !strings.HasPrefix(req.URL.Path, "/objects/"):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_, _ = fmt.Fprintf(w, `{"fileId":"f7d24f0d-b129-559d-9e55-ab2c40559ef8","uploadUrl":%q,"expiry":"2099-01-01T00:00:00Z"}`, s.ObjectURL())
	case req.ContentLength < 0:
		w.WriteHeader(http.StatusNotImplemented)
	default:
		n, err := io.Copy(io.Discard, req.Body)
		if err == nil && n == req.ContentLength {
			s.stored.Add(n)
			w.WriteHeader(http.StatusOK)
		}
	}
}
