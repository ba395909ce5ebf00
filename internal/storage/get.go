package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ErrAnswer reports a response that does not match the request: another part,
// or the page of a proxy.
var ErrAnswer = errors.New("unexpected response from the storage service")

// Part selects a part of an object.
type Part struct {
	From int64  // first byte
	To   int64  // offset after the last byte; 0 means the end of the object
	ETag string // required version; empty means any
}

// Object is a response of the storage for a part.
type Object struct {
	Body   io.ReadCloser
	Offset int64  // offset of the first byte of Body: Part.From, or 0 if the storage ignores ranges
	Length int64  // length of Body; -1 if the storage did not send it
	Size   int64  // size of the whole object; -1 if the storage did not send it
	ETag   string // strong validator of the version; empty if there is none
	// Unconfirmed reports that Body may end too early without an error: only
	// the end of the connection ends it, or it is a range of an object of
	// unknown size.
	Unconfirmed bool
	// Coded reports that the response has a content encoding that was not
	// requested: the object was stored with it, or a proxy changed the
	// response.
	Coded bool
}

// Get opens a part of the object at a URL. The caller must close the body.
func (c *Client) Get(ctx context.Context, from Target, part Part) (*Object, error) {
	ctx, dog := startWatchdog(ctx, from.Idle)
	object, err := c.get(ctx, dog, from, part)
	if err != nil {
		dog.stop()
		return nil, failure(ctx, err)
	}
	return object, nil
}

func (c *Client) get(ctx context.Context, dog *watchdog, from Target, part Part) (*Object, error) {
	req, err := c.request(ctx, http.MethodGet, from.Address)
	if err != nil {
		return nil, err
	}
	switch {
	case part.To > 0:
		req.Header["Range"] = []string{fmt.Sprintf("bytes=%d-%d", part.From, part.To-1)}
	case part.From > 0:
		req.Header["Range"] = []string{fmt.Sprintf("bytes=%d-", part.From)}
	case c.own == nil:
		// Other transports would request compression, which changes the bytes.
		// A Range header would prevent that as well, but storages refuse ranges
		// of an empty object.
		req.Header["Accept-Encoding"] = []string{"identity"}
	}
	if part.ETag != "" {
		req.Header["If-Match"] = []string{part.ETag}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	from.answered(resp)
	object, err := part.read(resp)
	if err != nil {
		_ = resp.Body.Close() // the body is not needed
		return nil, err
	}
	dog.pause()
	object.Body = &receivedBody{ReadCloser: object.Body, ctx: ctx, dog: dog, limit: c.limit}
	return object, nil
}

// read parses a response, and returns an error if it does not match the part.
func (p Part) read(resp *http.Response) (*Object, error) {
	coding := resp.Header.Get("Content-Encoding")
	o := &Object{Body: resp.Body, Length: resp.ContentLength, Size: -1, Coded: coding != "" && !strings.EqualFold(coding, "identity")}
	if etag := resp.Header.Get("ETag"); !strings.HasPrefix(etag, "W/") {
		o.ETag = etag
	}
	switch {
	case resp.StatusCode == http.StatusOK:
		o.Size = o.Length
		o.Unconfirmed = o.Length < 0 && !framed(resp)
		return o, nil
	case resp.StatusCode != http.StatusPartialContent:
		return nil, statusError(resp)
	}
	first, last, size, ok := parseContentRange(resp.Header.Get("Content-Range"))
	length := last - first + 1
	if !ok || first != p.From || p.To > 0 && last >= p.To || o.Length >= 0 && o.Length != length {
		return nil, fmt.Errorf("%w: the response contains a different range", ErrAnswer)
	}
	o.Offset, o.Length, o.Size, o.Unconfirmed = first, length, size, size < 0
	return o, nil
}

// framed reports whether a response without a length has a marked end, unlike
// an interrupted connection: chunked bodies have one, and streams of later HTTP
// versions.
func framed(resp *http.Response) bool {
	return resp.ProtoMajor >= 2 || slices.Contains(resp.TransferEncoding, "chunked")
}

// parseContentRange parses "bytes 0-9/100" or "bytes 0-9/*", and returns false
// for other texts. size is -1 for "*".
func parseContentRange(text string) (first, last, size int64, ok bool) {
	positions, total, ok1 := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	from, to, ok2 := strings.Cut(positions, "-")
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	size, err3 := strconv.ParseInt(total, 10, 64)
	sized := err3 == nil && last < size
	if total == "*" {
		size, sized = -1, last < math.MaxInt64
	}
	ok = ok1 && ok2 && sized && errors.Join(err1, err2) == nil && strings.HasPrefix(text, "bytes ") && first >= 0 && last >= first
	return first, last, size, ok
}

// receivedBody measures the time that a read waits for the network.
type receivedBody struct {
	io.ReadCloser
	ctx   context.Context
	dog   *watchdog
	limit *bandwidth
}

func (b *receivedBody) Read(p []byte) (int, error) {
	b.dog.restart()
	n, err := b.ReadCloser.Read(b.limit.part(p))
	b.dog.pause()
	if limited := b.limit.moved(b.ctx, n); err == nil {
		err = limited
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = failure(b.ctx, err)
	}
	return n, err
}

func (b *receivedBody) Close() error {
	err := b.ReadCloser.Close()
	b.dog.stop()
	return err
}
