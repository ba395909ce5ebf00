package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/practicesdk/practice-go/internal/httpx"
	"github.com/practicesdk/practice-go/internal/panics"
)

// Put sends size bytes of body to an address and returns the entity tag of what
// was stored, if the storage names one. When it returns, body is not being read
// and will not be read any more.
func (c *Client) Put(ctx context.Context, to Target, body io.Reader, size int64) (etag string, err error) {
	ctx, dog := startWatchdog(ctx, to.Idle)
	defer dog.stop()
	req, err := c.request(httpx.ReadEarlyResponse(ctx, size), http.MethodPut, to.Address)
	if err != nil {
		return "", err
	}
	// Object storage needs a length: an unknown one would be sent in chunks.
	req.ContentLength = size
	req.Body = http.NoBody
	if size > 0 {
		sent := &sentBody{ctx: ctx, source: body, dog: dog, limit: c.limit}
		defer sent.release()
		req.Body = sent
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return "", failure(ctx, err)
	}
	to.answered(resp)
	if err := stored(resp); err != nil {
		return "", failure(ctx, err)
	}
	return resp.Header.Get("ETag"), nil
}

// sentBody lets net/http read the source until the exchange is over, and
// never after: net/http may go on reading when it has returned already.
type sentBody struct {
	ctx    context.Context
	limit  *bandwidth
	dog    *watchdog
	mu     sync.Mutex
	source io.Reader
	over   bool
	broke  panics.Box // in the goroutine of net/http, where nobody could catch it
}

func (b *sentBody) Read(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, http.ErrBodyReadAfterClose
	}
	b.dog.pause()
	defer b.dog.restart()
	b.guarded(func() { n, err = b.source.Read(b.limit.part(p)) })
	if b.over {
		return 0, errBroke
	}
	if limited := b.limit.moved(b.ctx, n); err == nil {
		err = limited
	}
	return n, err
}

// Close leaves the source open: it belongs to the caller.
func (b *sentBody) Close() error { return nil }

var errBroke = errors.New("reading the source panicked")

// guarded calls something of the source. When that does not return, the
// exchange ends.
func (b *sentBody) guarded(f func()) {
	returned := false
	defer func() {
		if !returned {
			b.over = true
			b.dog.end(errBroke)
		}
	}()
	b.broke.Run(func() {
		f()
		returned = true
	})
}

// release takes the source back, and throws what it panicked with.
func (b *sentBody) release() {
	b.mu.Lock()
	b.over = true
	b.dog.pause()
	b.mu.Unlock()
	b.broke.Rethrow()
}

// stored reads the answer to an upload. A success is only believed when it
// ends, and is neither the page of a proxy nor an error in disguise.
func stored(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
	default:
		return statusError(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody+1))
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("the answer of the storage broke off: %w", err)
	}
	if said, ok := readRefusal(body); ok {
		return &StatusError{Status: resp.StatusCode, Code: said.code, Message: said.message}
	}
	if len(body) > maxErrorBody || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return ErrAnswer
	}
	return nil
}
