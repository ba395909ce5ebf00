// Package storage transfers bytes to and from pre-signed URLs of the object
// storage. It uses no credentials: the URL is the permission, and is sent byte
// for byte as received. It does not repeat requests.
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
	Transport http.RoundTripper      // a *http.Transport is cloned, to disable compression
	Allowed   func(u *url.URL) error // may refuse further valid URLs
	// BytesPerSecond limits the total bandwidth of all exchanges, in both
	// directions; 0 means no limit.
	BytesPerSecond int64
}

// Client sends requests to pre-signed URLs. It does not follow redirects.
type Client struct {
	http    *http.Client
	allowed func(u *url.URL) error
	limit   *bandwidth
	own     *http.Transport // nil for a transport of the caller
}

// Target is a pre-signed URL with the limits of an exchange.
type Target struct {
	Address string
	Idle    time.Duration // maximum time without any byte; 0 means no limit
	Status  *int          // receives the HTTP status of the response; nil: not needed
}

// New returns a client with its own transport.
func New(cfg Config) *Client {
	c := &Client{allowed: cfg.Allowed, limit: newBandwidth(cfg.BytesPerSecond), http: &http.Client{
		Transport:     cfg.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if standard, ok := cfg.Transport.(*http.Transport); ok {
		own := standard.Clone()
		own.DisableCompression = true // a file must arrive as it is stored
		ownConnections(own)
		if c.limit == nil { // with a limit, all bytes must be counted
			sendFiles(own)
		}
		c.http.Transport, c.own = own, own
	}
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
		t.TLSClientConfig.NextProtos = nil // a used transport has added HTTP/2 there
	}
}

// CloseIdleConnections closes the idle connections of the client's own
// transport.
func (c *Client) CloseIdleConnections() {
	if c.own != nil {
		httpx.CloseIdleConnections(c.own)
	}
}

// request returns a request without additional headers, because a header may
// invalidate the signature of the URL.
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
		Header: http.Header{"User-Agent": {""}}, // an empty value omits the header
	}
	return req.WithContext(ctx), nil
}

// answered stores the status of the response in the target.
func (t Target) answered(resp *http.Response) {
	if t.Status != nil {
		*t.Status = resp.StatusCode
	}
}
