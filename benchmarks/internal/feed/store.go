package feed

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// StoreConfig holds the settings of a store.
type StoreConfig struct {
	TLS  bool
	Size int64 // size of the object in bytes
}

// Store is an object store over TCP, together with the API that returns its
// addresses. It uses HTTP/1.1, discards uploads and serves downloads from
// memory. It does as little work as possible: a slower one would hide the cost
// of its clients.
type Store struct {
	StoreAddress
	server  *httptest.Server
	size    int64
	buffers sync.Pool
}

// StoreAddress holds the address of a store and its certificate.
type StoreAddress struct {
	Origin      string `json:"origin"`
	Certificate []byte `json:"certificate"` // certificate of the store; nil: no TLS
}

// OpenStore starts a store, which runs until Close.
func OpenStore(cfg StoreConfig) *Store {
	s := &Store{size: cfg.Size, buffers: sync.Pool{New: func() any { return new([256 << 10]byte) }}}
	s.server = httptest.NewUnstartedServer(s)
	if cfg.TLS {
		s.server.StartTLS()
		s.Certificate = s.server.Certificate().Raw
	} else {
		s.server.Start()
	}
	s.Origin = s.server.URL
	return s
}

// Close stops the store.
func (s *Store) Close() { s.server.Close() }

// ServeStore runs a store for another process. It writes its address to out and
// stops at the end of in.
func ServeStore(cfg StoreConfig, in io.Reader, out io.Writer) error {
	s := OpenStore(cfg)
	defer s.Close()
	if err := json.NewEncoder(out).Encode(s.StoreAddress); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, in)
	return err
}

// BaseURL returns the address of the API.
func (a StoreAddress) BaseURL() string { return a.Origin + "/practice/v1" }

// ObjectURL returns the address of the object.
func (a StoreAddress) ObjectURL() string { return a.Origin + "/objects/1?signature=a%2Fb" }

// Transport returns a new transport that trusts the store.
func (a StoreAddress) Transport() (*http.Transport, error) {
	t := &http.Transport{MaxIdleConnsPerHost: 64}
	if len(a.Certificate) == 0 {
		return t, nil
	}
	certificate, err := x509.ParseCertificate(a.Certificate)
	if err != nil {
		return nil, err
	}
	t.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	t.TLSClientConfig.RootCAs.AddCert(certificate)
	return t, nil
}

// ServeHTTP serves the API and the store.
func (s *Store) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case !strings.HasPrefix(req.URL.Path, "/objects/"):
		s.handOut(w, req)
	case req.Method == http.MethodGet:
		s.give(w, req)
	default:
		s.take(w, req)
	}
}

func (s *Store) handOut(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if req.Method == http.MethodPost {
		w.WriteHeader(http.StatusAccepted)
	}
	_, _ = fmt.Fprintf(w, `{"fileId":"f7d24f0d-b129-559d-9e55-ab2c40559ef8","uploadUrl":%[1]q,"downloadUrl":%[1]q,"sizeBytes":%[2]d,`+
		`"name":"Scan","fileExtension":".pdf","expiry":"2099-01-01T00:00:00Z"}`, s.ObjectURL(), s.size)
}

// take discards an upload. Like object stores, it refuses content without a
// length.
func (s *Store) take(w http.ResponseWriter, req *http.Request) {
	if req.ContentLength < 0 {
		w.WriteHeader(http.StatusNotImplemented)
		return
	}
	buffer, _ := s.buffers.Get().(*[256 << 10]byte)
	defer s.buffers.Put(buffer)
	// io.Discard itself would read with a small buffer.
	n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, req.Body, buffer[:])
	if err != nil || n != req.ContentLength {
		w.WriteHeader(http.StatusBadRequest)
	}
}

// give sends the object or a range of it.
func (s *Store) give(w http.ResponseWriter, req *http.Request) {
	first, last, status := int64(0), s.size-1, http.StatusOK
	if wanted := req.Header.Get("Range"); wanted != "" {
		_, _ = fmt.Sscanf(wanted, "bytes=%d-%d", &first, &last) // if the range has no end, last keeps its value
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, s.size))
	}
	w.Header().Set("ETag", `"1"`)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(last-first+1, 10))
	w.WriteHeader(status)
	_ = WriteContent(w, first, last+1) // it fails only if the client has closed the connection
}
