package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Middleware wraps the transport that carries each attempt.
type Middleware func(http.RoundTripper) http.RoundTripper

// Config is what a chain is made of.
type Config struct {
	HTTPClient *http.Client // copied; its Transport, Jar and Timeout are kept
	Middleware []Middleware // the first one is the outermost
	Origin     Origin       // the only place that credentials go to
	APIKey     string       // empty means no x-api-key header
	Tokens     Tokens       // nil means no bearer token
	Limiter    *Limiter     // never nil: it also holds the gate that a 429 closes
}

// Chain sends requests through all links. It is safe for any number of
// goroutines.
type Chain struct {
	http    *http.Client
	tokens  Tokens
	limiter *Limiter
}

// New assembles the links, the innermost first.
func New(cfg Config) *Chain {
	base := cfg.HTTPClient.Transport
	_, standard := base.(*http.Transport)

	var link http.RoundTripper = &attemptLimit{next: base, traced: standard && len(cfg.Middleware) == 0}
	for i := len(cfg.Middleware) - 1; i >= 0; i-- {
		link = cfg.Middleware[i](link)
	}
	link = &wholeBody{next: link}
	link = &attemptRecord{next: link}
	link = newAuthorise(link, cfg)
	link = &rateLimit{next: link, limiter: cfg.Limiter}

	client := *cfg.HTTPClient
	client.Transport = link
	client.CheckRedirect = cfg.Origin.checkRedirect(cfg.HTTPClient.CheckRedirect)
	return &Chain{http: &client, tokens: cfg.Tokens, limiter: cfg.Limiter}
}

// Answer is a complete answer of the service, of any status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends req with body until the call ends: with an answer of any status,
// or with the reason why there is none. The total time limit, when positive,
// covers all attempts, their waits and the rate limit.
func (c *Chain) Do(req *http.Request, body []byte, call *Call, total time.Duration) (*Answer, error) {
	ctx := req.Context()
	if total > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, total, &TimeLimitError{Limit: total, Total: true})
		defer cancel()
		ctx = limited
	}
	call.client = c
	ctx = withCall(ctx, call)

	retrying := &retryablehttp.Client{
		HTTPClient:   c.http,
		RetryMax:     call.Retries.Max + 1, // the replay after a 401 comes on top
		CheckRetry:   call.checkRetry,
		Backoff:      call.backoff,
		ErrorHandler: keepLast,
	}
	outgoing := &retryablehttp.Request{Request: req.WithContext(ctx)}
	if body != nil {
		if err := outgoing.SetBody(body); err != nil {
			return nil, err
		}
	}
	resp, err := retrying.Do(outgoing)
	if err != nil {
		return nil, contextCause(ctx, withoutAddress(err))
	}
	return answerOf(resp)
}

// keepLast hands on what the last attempt brought; without it the library
// replaces the last answer by a sentence of its own.
func keepLast(resp *http.Response, err error, _ int) (*http.Response, error) {
	return resp, err
}
