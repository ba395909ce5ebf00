package transport

import (
	"context"
	"net/http"
	"sync"

	"github.com/practicesdk/practice-go/internal/redact"
)

// Middleware wraps the transport that carries each attempt.
type Middleware func(http.RoundTripper) http.RoundTripper

// Config holds the components of a chain.
type Config struct {
	HTTPClient *http.Client // copied; its Transport, Jar and Timeout are kept
	CloseIdle  func()       // closes the idle connections of an own transport; nil for one of the caller
	Middleware []Middleware // the first is the outermost
	Origin     Origin       // the only destination for credentials
	APIKey     string       // empty means no x-api-key header
	Tokens     Tokens       // nil means no bearer token
	Limiter    *Limiter     // required: it also holds the gate that a 429 closes
}

// Chain sends requests through all handlers. It is safe for concurrent use.
type Chain struct {
	http      *http.Client
	retriers  sync.Pool // pool of *retrier
	tokens    Tokens
	limiter   *Limiter
	closeIdle func() // see Config
}

// New returns a chain of all handlers, built from the innermost.
func New(cfg Config) *Chain {
	base := cfg.HTTPClient.Transport
	own, standard := base.(*http.Transport)
	plain, sequential := standard && own.DisableCompression, len(cfg.Middleware) == 0
	base = &wireSize{next: base, plain: plain, sequential: sequential}

	var link http.RoundTripper = &attemptLimit{next: base, reporting: standard, sequential: sequential}
	for i := len(cfg.Middleware) - 1; i >= 0; i-- {
		link = cfg.Middleware[i](link)
	}
	link = &wholeBody{next: link}
	link = &attemptRecord{next: link, sequential: sequential}
	signing := newAuthorise(link, cfg)
	signing.gzip = sequential && !plain
	link = signing
	link = &rateLimit{next: link, limiter: cfg.Limiter}

	client := *cfg.HTTPClient
	client.Transport = link
	client.CheckRedirect = cfg.Origin.checkRedirect(cfg.HTTPClient.CheckRedirect)
	return &Chain{
		http: &client, retriers: sync.Pool{New: func() any { return newRetrier(&client) }},
		tokens: cfg.Tokens, limiter: cfg.Limiter, closeIdle: cfg.CloseIdle,
	}
}

// Answer is a complete response of any status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // valid until Release

	buffer *buffer // holds Body; nil if Body is not from the pool
}

// Release returns the memory of the body to the pool. It is optional.
func (a *Answer) Release() {
	if a.buffer != nil {
		a.buffer.put()
		a.buffer = nil
	}
	a.Body = nil
}

// Do sends a call with its retries. It returns the last response, of any
// status, or the error of the last attempt.
func (c *Chain) Do(ctx context.Context, call *Call) (*Answer, error) {
	call.client = c
	limited := withCall(ctx, call)
	defer limited.finish()
	defer call.report()

	resp, err := c.retry(limited, call)
	call.endRetryWait()
	call.Waits.add(call.ahead)
	if err != nil {
		return nil, contextCause(limited, redact.Address(err))
	}
	call.reportAccepted(resp.StatusCode)
	return call.answerOf(resp)
}
