package storage

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Put sends size bytes of body to an address and returns the entity tag of what was
// stored, if the storage names one. When it returns, body is not being read and will not
// be read any more.
func (c *Client) Put(ctx context.Context, to Target, body io.Reader, size int64) (etag string, err error) {
	ctx, dog := startWatchdog(ctx, to.Idle)
	defer dog.stop()
	req, err := c.request(ctx, http.MethodPut, to.Address)
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
}

func (b *sentBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, http.ErrBodyReadAfterClose
	}
	b.dog.pause()
	defer b.dog.restart()
	n, err := b.source.Read(b.limit.part(p))
	if limited := b.limit.moved(b.ctx, n); err == nil {
		err = limited
	}
	return n, err
}

// Close leaves the source open: it belongs to the caller.
func (b *sentBody) Close() error { return nil }

func (b *sentBody) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.dog.pause()
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
	var refusal struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}
	if xml.NewDecoder(bytes.NewReader(body)).Decode(&refusal) == nil {
		return &StatusError{Status: resp.StatusCode, Code: refusal.Code, Message: refusal.Message}
	}
	if len(body) > maxErrorBody || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return ErrAnswer
	}
	return nil
}
