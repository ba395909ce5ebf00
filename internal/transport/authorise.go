package transport

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
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
var ErrBadToken = errors.New("the token does not fit into a header")

// authorise is the handler that adds the credentials, after it has checked the
// target of the request.
type authorise struct {
	next   http.RoundTripper
	origin Origin
	apiKey []string
	gzip   []string // nil if the chain must not request compressed responses, see wireSize
	tokens Tokens
	latest atomic.Pointer[credential]
	// trusted is set if only net/http uses the header, because it does not
	// modify the values.
	trusted bool
}

// credential caches the Authorization header of an access token for all
// requests.
type credential struct {
	token  string
	header []string
}

func newAuthorise(next http.RoundTripper, cfg Config) *authorise {
	link := &authorise{next: next, origin: cfg.Origin, tokens: cfg.Tokens}
	if cfg.APIKey != "" {
		link.apiKey = []string{cfg.APIKey}
	}
	return link
}

func (l *authorise) RoundTrip(req *http.Request) (*http.Response, error) {
	signed, err := l.sign(req)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	return l.next.RoundTrip(signed)
}

// sign returns a signed copy. It modifies neither the request of net/http nor a
// header map that an earlier attempt may still be writing.
func (l *authorise) sign(req *http.Request) (*http.Request, error) {
	if !l.origin.Covers(req.URL) {
		return nil, &UnsentError{Err: ErrForeignAddress}
	}
	call := callFrom(req.Context())
	header := call.headerFor(req.Header) // net/http adds cookies and the Referer
	if l.apiKey != nil {
		header["X-Api-Key"] = l.apiKey
	}
	if l.gzip != nil && (call.asksGzip || mayAskGzip(req.Method, header)) {
		header["Accept-Encoding"], call.asksGzip = l.gzip, true
	}
	if l.tokens != nil {
		token, err := l.tokens.Token(req.Context())
		call.ahead.Token += call.lap()
		if err != nil {
			return nil, &UnsentError{Err: err, Temporary: temporary(req.Context(), err)}
		}
		if header["Authorization"], err = l.bearer(token); err != nil {
			return nil, &UnsentError{Err: err}
		}
		call.token = token
	}
	if !l.trusted {
		header = header.Clone() // the values are shared by all attempts, and some by all calls
	}
	signed := call.copyOf(req)
	signed.Host, signed.Header = cmp.Or(req.Host, req.URL.Host), header
	return signed, nil
}

// copyOf returns a copy of req. The first one uses memory of the call.
func (c *Call) copyOf(req *http.Request) *http.Request {
	signed := &c.signed
	if signed.URL != nil { // an earlier attempt may still use it
		signed = new(http.Request)
	}
	*signed = *req
	return signed
}

func (l *authorise) bearer(token string) ([]string, error) {
	latest := l.latest.Load()
	if latest == nil || latest.token != token {
		if !ValidToken(token) {
			return nil, ErrBadToken
		}
		latest = &credential{token: token, header: []string{"Bearer " + token}}
		l.latest.Store(latest)
	}
	return latest.header, nil
}

// headerFor returns the header of one attempt: the call's own map for the first
// one, and copies afterwards.
func (c *Call) headerFor(added http.Header) http.Header {
	if !c.headerUsed && c.Header != nil && len(added) == 0 {
		c.headerUsed = true
		return c.Header
	}
	header := make(http.Header, len(c.Header)+len(added)+2)
	maps.Copy(header, c.Header)
	maps.Copy(header, added)
	return header
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
