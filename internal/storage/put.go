package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/practicesdk/practice-go/internal/httpx"
	"github.com/practicesdk/practice-go/internal/panics"
)

// Put sends size bytes of body to a URL and returns the entity tag of the
// stored object, if the storage sends one. It does not read body after it has
// returned.
func (c *Client) Put(ctx context.Context, to Target, body io.Reader, size int64) (etag string, err error) {
	ctx, dog := startWatchdog(ctx, to.Idle)
	defer dog.stop()
	req, err := c.request(httpx.ReadEarlyResponse(ctx, size), http.MethodPut, to.Address)
	if err != nil {
		return "", err
	}
	// Object storages need a length: without it the body would be sent in
	// chunks.
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

// sentBody lets net/http read the source only until the exchange has ended,
// because net/http may continue to read after RoundTrip has returned.
type sentBody struct {
	ctx    context.Context
	limit  *bandwidth
	dog    *watchdog
	mu     sync.Mutex
	source io.Reader
	over   bool
	broke  panics.Box // panic in a goroutine of net/http, which no caller could recover
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

// Close does not close the source, which belongs to the caller.
func (b *sentBody) Close() error { return nil }

var errBroke = errors.New("reading the source panicked")

// guarded calls a method of the source. If the method panics, the exchange
// ends.
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

// release stops the use of the source, and repeats its panic.
func (b *sentBody) release() {
	b.mu.Lock()
	b.over = true
	b.dog.pause()
	b.mu.Unlock()
	b.broke.Rethrow()
}

// maxBody is the length of a response to an upload that counts as endless.
const maxBody = 1 << 20

// stored checks the response to an upload. A success must be complete, and must
// be neither the page of a proxy nor an error document. An empty body says
// nothing, and neither does the media type.
func stored(resp *http.Response) error {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return statusError(resp)
	}
	var rest int64
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err == nil {
		rest, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxBody))
	}
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("the storage service's response was cut off: %w", err)
	}
	if err := ErrorDocument(resp.StatusCode, body); err != nil {
		return err
	}
	if isPage(body) || rest == maxBody {
		return ErrAnswer
	}
	return nil
}
