package practicetest

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strconv"
)

var errCut = errors.New("practicetest: a fault cut the response short")

// cut processes the request and sends the full response header, but only
// f.After bytes of the body. It then calls end.
func (f Fault) cut(w http.ResponseWriter, r *http.Request, next http.Handler, end func(http.ResponseWriter)) {
	c := &cutAnswer{ResponseWriter: w, after: f.After, end: end}
	next.ServeHTTP(c, r)
	c.finish()
}

// cutAnswer cuts a response short. It streams a response of known length, so
// that large files are not kept in memory. Another response is buffered until
// its length is known.
type cutAnswer struct {
	http.ResponseWriter
	after int64
	end   func(http.ResponseWriter)

	status  int
	held    bytes.Buffer
	started bool
	left    int64 // bytes to send before the cut
	ended   bool
}

func (c *cutAnswer) WriteHeader(status int) {
	if c.status != 0 {
		return
	}
	c.status = status
	if length, err := strconv.ParseInt(c.Header().Get("Content-Length"), 10, 64); err == nil {
		c.start(length)
	}
}

func (c *cutAnswer) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	switch {
	case c.ended:
		return 0, errCut
	case !c.started:
		return c.held.Write(p)
	case int64(len(p)) < c.left:
		n, err := c.ResponseWriter.Write(p)
		c.left -= int64(n)
		return n, err
	}
	n, err := c.ResponseWriter.Write(p[:c.left])
	c.stop()
	return n, cmp.Or(err, errCut)
}

// start sends the header. The body always lacks at least its last byte; for an
// empty body, the header announces one byte that is never sent.
func (c *cutAnswer) start(length int64) {
	c.started = true
	length = max(length, 1)
	c.left = min(cmp.Or(c.after, length/2), length-1)
	c.Header().Set("Content-Length", strconv.FormatInt(length, 10))
	c.ResponseWriter.WriteHeader(c.status)
	if c.left == 0 {
		c.stop()
	}
}

// finish ends a response that was buffered, or that is shorter than announced.
func (c *cutAnswer) finish() {
	if !c.started {
		c.status = cmp.Or(c.status, http.StatusOK)
		c.start(int64(c.held.Len()))
		_, _ = c.Write(c.held.Bytes()) // returns errCut
	}
	if !c.ended {
		c.stop()
	}
}

func (c *cutAnswer) stop() {
	c.ended = true
	_ = http.NewResponseController(c.ResponseWriter).Flush() // otherwise the client would not receive the bytes before the cut
	c.end(c.ResponseWriter)
}
