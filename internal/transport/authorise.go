package transport

import (
	"context"
	"errors"
	"maps"
	"net/http"
)

// Tokens gives access tokens to the chain.
type Tokens interface {
	// Token returns the freshest access token.
	Token(ctx context.Context) (string, error)
	// Renew replaces a token that the service refused. It reports false when
	// there is no other one.
	Renew(ctx context.Context, refused string) (bool, error)
}

// TemporaryError is implemented by failures of a token source that another
// attempt may not meet.
type TemporaryError interface{ Temporary() bool }

// authorise is the link that adds the credentials, after it has made sure
// that the request goes where they belong.
type authorise struct {
	next   http.RoundTripper
	origin Origin
	apiKey []string
	tokens Tokens
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

// sign returns a copy: neither net/http's own request nor a header map that
// an earlier attempt may still be writing out is touched.
func (l *authorise) sign(req *http.Request) (*http.Request, error) {
	if !l.origin.Covers(req.URL) {
		return nil, &UnsentError{Err: ErrForeignAddress}
	}
	call := callFrom(req.Context())
	signed := *req
	signed.Header = make(http.Header, len(req.Header)+len(call.Header)+2)
	maps.Copy(signed.Header, req.Header)
	maps.Copy(signed.Header, call.Header)
	if l.apiKey != nil {
		signed.Header["X-Api-Key"] = l.apiKey
	}
	if l.tokens != nil {
		token, err := l.tokens.Token(req.Context())
		if err != nil {
			return nil, &UnsentError{Err: err, Temporary: temporary(req.Context(), err)}
		}
		call.token = token
		signed.Header["Authorization"] = []string{"Bearer " + token}
	}
	return &signed, nil
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
