package transport

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
)

// Tokens provides access tokens.
type Tokens interface {
	// Token returns the latest access token.
	Token(ctx context.Context) (string, error)
	// Renew replaces a token that the service refused. It returns false if
	// there is no other one. It calls FoundToken if it did not request the
	// other one.
	Renew(ctx context.Context, refused string) (bool, error)
	// Replaced reports whether the service accepted a token that Renew returned
	// for the same call.
	Replaced(token string, accepted bool)
}

// TemporaryError is implemented by errors of a token source that a retry may
// avoid.
type TemporaryError interface{ Temporary() bool }

// ErrBadToken reports an access token that is not valid in a header.
var ErrBadToken = errors.New("the access token is not a valid header value")

// authorise is the handler that adds the credentials, after it has checked the
// target of the request.
type authorise struct {
	next   http.RoundTripper
	origin Origin
	apiKey string
	gzip   bool // the chain requests compressed responses itself, see wireSize
	tokens Tokens
	latest atomic.Pointer[bearer]
}

// bearer caches the Authorization header of an access token for all requests.
type bearer struct{ token, header string }

// credentials holds the header values that authorise adds to one attempt.
type credentials [3]string

// put sets a header to the value at index i.
func (c *credentials) put(header http.Header, name string, i int, value string) {
	c[i] = value
	header[name] = c[i : i+1 : i+1]
}

func newAuthorise(next http.RoundTripper, cfg Config) *authorise {
	return &authorise{next: next, origin: cfg.Origin, apiKey: cfg.APIKey, tokens: cfg.Tokens}
}

func (l *authorise) RoundTrip(req *http.Request) (*http.Response, error) {
	signed, err := l.sign(req)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	return l.next.RoundTrip(signed)
}

// sign returns a signed copy with a header of its own. It modifies neither the
// request of net/http nor what an earlier attempt may still be writing.
func (l *authorise) sign(req *http.Request) (*http.Request, error) {
	if !l.origin.Covers(req.URL) {
		return nil, &UnsentError{Err: ErrForeignAddress}
	}
	call := callFrom(req.Context())
	signed, values := call.copyOf(req)
	header := signed.Header
	if l.apiKey != "" {
		values.put(header, "X-Api-Key", 0, l.apiKey)
	}
	if l.gzip && (call.asksGzip || mayAskGzip(req.Method, header)) {
		values.put(header, "Accept-Encoding", 1, gzipEncoding)
		call.asksGzip = true
	}
	if l.tokens != nil {
		token, err := l.tokens.Token(req.Context())
		call.ahead.Token += call.lap()
		if err != nil {
			return nil, &UnsentError{Err: err, Temporary: temporary(req.Context(), err)}
		}
		authorization, err := l.bearer(token)
		if err != nil {
			return nil, &UnsentError{Err: err}
		}
		values.put(header, "Authorization", 2, authorization)
		call.token = token
	}
	return signed, nil
}

// copyOf returns a copy of req with the header of the attempt, to which
// net/http adds cookies and the Referer, and memory for the credentials. The
// first copy uses memory of the call.
func (c *Call) copyOf(req *http.Request) (*http.Request, *credentials) {
	signed, values := &c.signed, &c.credentials
	if signed.URL != nil { // an earlier attempt may still use it
		signed, values = new(http.Request), new(credentials)
	}
	*signed = *req
	signed.Proto, signed.ProtoMajor, signed.ProtoMinor = "HTTP/1.1", 1, 1
	signed.Host, signed.Header = cmp.Or(req.Host, req.URL.Host), c.Headers.Header()
	for name, values := range req.Header {
		signed.Header[name] = slices.Clone(values)
	}
	return signed, values
}

func (l *authorise) bearer(token string) (string, error) {
	latest := l.latest.Load()
	if latest == nil || latest.token != token {
		if !ValidToken(token) {
			return "", ErrBadToken
		}
		latest = &bearer{token: token, header: "Bearer " + token}
		l.latest.Store(latest)
	}
	return latest.header, nil
}

func temporary(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	t, ok := errors.AsType[interface {
		error
		TemporaryError
	}](err)
	return ok && t.Temporary()
}
