// Package storage moves bytes to and from the pre-signed addresses of the
// object storage. It knows no credential: the address is the permission, and
// goes out byte for byte as it came.
package storage

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Config is what a client is made of.
type Config struct {
	Transport http.RoundTripper      // a *http.Transport is cloned, so that compression can be off
	Allowed   func(u *url.URL) error // refuses addresses beyond the form of a URL
}

// Client sends to pre-signed addresses. It follows no redirect and repeats
// nothing by itself.
type Client struct {
	http    *http.Client
	allowed func(u *url.URL) error
	owned   bool
}

// New makes a client with a transport of its own.
func New(cfg Config) *Client {
	c := &Client{allowed: cfg.Allowed, http: &http.Client{
		Transport:     cfg.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if standard, ok := cfg.Transport.(*http.Transport); ok {
		own := standard.Clone()
		own.DisableCompression = true // the bytes of a file arrive as they are stored
		c.http.Transport, c.owned = own, true
	}
	return c
}

// CloseIdleConnections closes the idle connections of the client's own
// transport.
func (c *Client) CloseIdleConnections() {
	if c.owned {
		c.http.CloseIdleConnections()
	}
}

// Put sends size bytes of body to address.
func (c *Client) Put(ctx context.Context, address string, body io.Reader, size int64) error {
	req, err := c.request(ctx, http.MethodPut, address)
	if err != nil {
		return err
	}
	// Object storage needs a length: an unknown one would be sent in chunks.
	req.ContentLength = size
	req.Body = http.NoBody
	if size > 0 {
		req.Body = io.NopCloser(io.LimitReader(body, size))
	}
	resp, err := c.do(req)
	if err != nil {
		return err
	}
	return drain(resp)
}

// Get opens the content at address. The length is -1 when the storage does not
// say it. The caller closes the content.
func (c *Client) Get(ctx context.Context, address string) (content io.ReadCloser, length int64, err error) {
	req, err := c.request(ctx, http.MethodGet, address)
	if err != nil {
		return nil, 0, err
	}
	resp, err := c.do(req)
	if err != nil {
		return nil, 0, err
	}
	return resp.Body, resp.ContentLength, nil
}

// request carries no header but those that net/http needs: anything else may
// break the signature of the address.
func (c *Client) request(ctx context.Context, method, address string) (*http.Request, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	if err := c.allowed(u); err != nil {
		return nil, err
	}
	req := &http.Request{
		Method: method, URL: u, Host: u.Host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"User-Agent": {""}}, // an empty one is left out
	}
	return req.WithContext(ctx), nil
}

func (c *Client) do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, withoutAddress(err)
	}
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPartialContent &&
		resp.StatusCode != http.StatusNoContent && resp.StatusCode != http.StatusCreated {
		return nil, statusError(resp)
	}
	return resp, nil
}

// drain reads what is left so that the connection can serve again.
func drain(resp *http.Response) error {
	_, err := io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorBody))
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("the answer of the storage broke off: %w", err)
	}
	return nil
}
