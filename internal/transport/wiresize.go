package transport

import (
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// wireSize is the handler next to the network, which counts the received bytes.
// A transport that decompresses hides that number, so the handler requests gzip
// itself, as net/http would, and decompresses. Without middleware authorise has
// already set the header.
type wireSize struct {
	next       http.RoundTripper
	plain      bool // compression is disabled in the caller's transport
	sequential bool // see attemptLimit
	pool       sync.Pool
}

func (l *wireSize) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	if call == nil { // a middleware replaced the context, so the size is not needed
		return l.next.RoundTrip(req)
	}
	asked := l.sequential && call.asksGzip
	if !l.sequential && !l.plain && mayAskGzip(req.Method, req.Header) {
		asked = true
		header := make(http.Header, len(req.Header)+1)
		maps.Copy(header, req.Header)
		header["Accept-Encoding"] = []string{gzipEncoding}
		own := *req
		own.Header = header
		req = &own
	}
	resp, err := l.next.RoundTrip(req)
	if resp == nil || err != nil || resp.Body == nil {
		return resp, err
	}
	call.received.Add(1) // a response arrived, see wireBytes
	if l.sequential {
		call.countedBody = countedBody{resp.Body, call}
		resp.Body = &call.countedBody
	} else {
		resp.Body = &countedBody{resp.Body, call}
	}
	if asked && strings.EqualFold(first(resp.Header, "Content-Encoding"), gzipEncoding) {
		resp.Body = &unpackedBody{ReadCloser: resp.Body, pool: &l.pool}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed = -1, true
	}
	return resp, nil
}

// mayAskGzip reports whether to request gzip, under the same conditions as
// net/http.
func mayAskGzip(method string, header http.Header) bool {
	return method != http.MethodHead && first(header, "Accept-Encoding") == "" && first(header, "Range") == ""
}

// first returns the first value of a header, whose name is in canonical form.
func first(header http.Header, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

const gzipEncoding = "gzip"

// wireBytes returns the number of bytes received by the latest attempt. known
// is false if a middleware responded itself or used another transport.
func (c *Call) wireBytes() (size int64, known bool) {
	n := c.received.Load()
	return n - 1, n > 0
}

// countedBody counts the bytes that it reads.
type countedBody struct {
	io.ReadCloser
	call *Call
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.call.received.Add(int64(n))
	return n, err
}

// unpackedBody decompresses a body.
type unpackedBody struct {
	io.ReadCloser
	pool *sync.Pool

	mu     sync.Mutex // a middleware may close it while another goroutine reads
	reader *gzip.Reader
	failed error
}

func (b *unpackedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader == nil && b.failed == nil {
		b.open()
	}
	if b.failed != nil {
		return 0, b.failed
	}
	n, err := b.reader.Read(p)
	if err != nil {
		b.end(err)
	}
	return n, err
}

func (b *unpackedBody) open() {
	reader, pooled := b.pool.Get().(*gzip.Reader)
	if !pooled {
		reader = new(gzip.Reader)
	}
	b.reader = reader
	if err := reader.Reset(b.ReadCloser); err != nil {
		b.end(err)
	}
}

func (b *unpackedBody) end(err error) {
	b.failed = err
	if b.reader != nil {
		b.pool.Put(b.reader)
		b.reader = nil
	}
}

// Close closes the compressed body first, which ends a blocked Read.
func (b *unpackedBody) Close() error {
	err := b.ReadCloser.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.end(http.ErrBodyReadAfterClose)
	}
	return err
}
