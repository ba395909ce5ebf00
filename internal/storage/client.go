// Package storage moves bytes to and from the pre-signed addresses of the
// object storage. It has no credentials: the address is the permission, and is
// sent byte for byte as received. It never repeats a request.
package storage

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/practicesdk/practice-go/internal/httpx"
)

// Config holds the settings of a client.
type Config struct {
	Transport http.RoundTripper      // a *http.Transport is cloned, so that compression can be disabled
	Allowed   func(u *url.URL) error // refuses valid addresses for other reasons
	// BytesPerSecond limits the bytes of all exchanges together, in both
	// directions; 0 means no limit.
	BytesPerSecond int64
}

// Client sends to pre-signed addresses. It follows no redirect.
type Client struct {
	http    *http.Client
	allowed func(u *url.URL) error
	limit   *bandwidth
	own     *http.Transport // nil if the transport is the caller's
}

// Target is a pre-signed address and the limits of an exchange with it.
type Target struct {
	Address string
	Idle    time.Duration // longest time without a byte; 0 means no limit
	Status  *int          // receives the HTTP status of the answer; may be nil
}

// New returns a client with a transport of its own.
func New(cfg Config) *Client {
	c := &Client{allowed: cfg.Allowed, limit: newBandwidth(cfg.BytesPerSecond), http: &http.Client{
		Transport:     cfg.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if standard, ok := cfg.Transport.(*http.Transport); ok {
		own := standard.Clone()
		own.DisableCompression = true // the bytes of a file arrive as they are stored
		ownConnections(own)
		if c.limit == nil { // otherwise all bytes are counted
			sendFiles(own)
		}
		c.http.Transport, c.own = own, own
	}
	c.http.Transport = httpx.EndWithContext(c.http.Transport)
	return c
}

// ownConnections opens a connection for every exchange: with HTTP/2, concurrent
// ranges would share one connection and its speed.
func ownConnections(t *http.Transport) {
	if t.Protocols != nil && !t.Protocols.HTTP1() || t.DialTLSContext != nil || t.DialTLS != nil { //nolint:staticcheck // an old field that still has an effect
		return // the caller has configured HTTP/2, or negotiates the protocol itself
	}
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.ForceAttemptHTTP2, t.TLSNextProto = false, nil
	if t.TLSClientConfig != nil {
		t.TLSClientConfig.NextProtos = nil // a transport that has been used has put HTTP/2 there
	}
}

// CloseIdleConnections closes the idle connections of the client's own
// transport.
func (c *Client) CloseIdleConnections() {
	if c.own != nil {
		httpx.CloseIdleConnections(c.own)
	}
}

// request returns a request without any header of our own, since any header may
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

// answered stores the status of the answer in the target.
func (t Target) answered(resp *http.Response) {
	if t.Status != nil {
		*t.Status = resp.StatusCode
	}
}
