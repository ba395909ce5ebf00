package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// wholeBody is the handler that reads each response to its end, so that an
// incomplete body fails its attempt.
type wholeBody struct {
	next    http.RoundTripper
	buffers bufferPool
}

// bufferPool reuses the memory of responses. Otherwise walks over pages of half
// a megabyte would spend most of their time on allocations.
type bufferPool struct{ free sync.Pool }

// buffer is pooled memory. Its last user may return it to the pool.
type buffer struct {
	data []byte
	pool *bufferPool
}

// maxPooled limits the size of a pooled buffer.
const maxPooled = 4 << 20

func (p *bufferPool) get() *buffer {
	if b, ok := p.free.Get().(*buffer); ok {
		return b
	}
	return &buffer{pool: p}
}

func (b *buffer) put() {
	if cap(b.data) <= maxPooled {
		b.pool.free.Put(b)
	}
}

// firstRead limits the allocation for a Content-Length alone.
const firstRead = 32 << 10

func (l *wholeBody) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if resp == nil && err == nil {
		err = errNoAnswer
	}
	if err != nil {
		return nil, err
	}
	if resp.Body == nil { // a middleware may leave it nil
		resp.Body = http.NoBody
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		_ = resp.Body.Close()
		return nil, errors.New("the service switched protocols")
	}
	call := callFrom(req.Context())
	limit := call.MaxBody
	buf := l.buffers.get()
	buf.data, err = readAll(resp.Body, buf.data[:0], resp.ContentLength, limit)
	_ = resp.Body.Close() // all needed bytes have been read
	// The status of a refusal matters more than its complete body.
	if err != nil && resp.StatusCode < 300 {
		received := int64(len(buf.data))
		buf.put()
		if errors.Is(err, ErrBodyTooLarge) {
			return nil, fmt.Errorf("%w of %d bytes (status %d)", ErrBodyTooLarge, limit, resp.StatusCode)
		}
		return nil, &BrokenBodyError{Status: resp.StatusCode, Received: received, Err: err}
	}
	call.cutShort = err != nil
	call.body = readBody{buffer: buf} // the body of an earlier attempt was drained
	resp.Body = &call.body
	resp.ContentLength = int64(len(buf.data))
	return resp, nil
}

// readAll reads body into data, which it replaces if it is too small.
func readAll(body io.Reader, data []byte, declared, limit int64) ([]byte, error) {
	if declared > limit {
		return data, ErrBodyTooLarge
	}
	size := int64(512)
	if declared >= 0 {
		size = min(declared+1, firstRead) // one more byte, to read the end without growing
	}
	if int64(cap(data)) < size {
		data = make([]byte, 0, size)
	}
	for {
		if len(data) == cap(data) {
			data = grow(data, declared)
		}
		n, err := body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return data[:limit], ErrBodyTooLarge
		}
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
}

// grow doubles the buffer, or extends it to the declared length once an eighth
// of that has arrived.
func grow(data []byte, declared int64) []byte {
	size := 2 * int64(cap(data))
	if rest := declared + 1; rest > int64(cap(data)) {
		size = min(8*int64(cap(data)), rest)
	}
	grown := make([]byte, len(data), size)
	copy(grown, data)
	return grown
}

// readBody is a body in memory.
type readBody struct {
	buffer *buffer // nil after Close, or after answerOf took it
	at     int
}

func (b *readBody) Read(p []byte) (int, error) {
	if b.buffer == nil || b.at >= len(b.buffer.data) {
		return 0, io.EOF
	}
	n := copy(p, b.buffer.data[b.at:])
	b.at += n
	return n, nil
}

func (b *readBody) Close() error {
	if b.buffer != nil {
		b.buffer.put()
		b.buffer = nil
	}
	return nil
}

// answerOf returns the response with its body, without copying it.
func (c *Call) answerOf(resp *http.Response) (*Answer, error) {
	c.answer = Answer{Status: resp.StatusCode, Header: resp.Header}
	if c.location != nil {
		c.answer.Header["Location"] = c.location
	}
	if whole, ok := resp.Body.(*readBody); ok && whole.buffer != nil {
		c.answer.buffer, whole.buffer = whole.buffer, nil
		c.answer.Body = c.answer.buffer.data
		return &c.answer, nil
	}
	// net/http may have wrapped the body of a redirect that was not followed.
	data, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	c.answer.Body = data
	return &c.answer, err
}
