package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

// tripper is a transport made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

func get(t *testing.T, ctx context.Context, call *Call, address string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(withCall(ctx, call), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	return req
}

// fixed is the same header for every attempt.
type fixed http.Header

func (h fixed) Header() http.Header { return http.Header(h).Clone() }

func newCall(class Class) *Call {
	return &Call{
		Headers: fixed{}, Class: class, Retries: Retries{Max: 3, FirstWait: time.Second, MaxWait: 10 * time.Second},
		AttemptTimeout: 30 * time.Second, MaxBody: 1 << 20,
	}
}

func mustURL(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

const base = "https://api.example.test/v1"

// chainOver returns a chain over a transport that calls the steps in turn and
// then repeats the last one.
func chainOver(t *testing.T, tokens Tokens, steps ...tripper) (*Chain, *int) {
	t.Helper()
	sent := new(int)
	var mu sync.Mutex
	wire := tripper(func(req *http.Request) (*http.Response, error) {
		mu.Lock()
		step := steps[min(*sent, len(steps)-1)]
		*sent++
		mu.Unlock()
		return step(req)
	})
	return New(Config{
		HTTPClient: &http.Client{Transport: wire}, Origin: NewOrigin(mustURL(t, base)),
		APIKey: "key", Tokens: tokens, Limiter: NewLimiter(0, 0),
	}), sent
}

func (c *Chain) send(t *testing.T, ctx context.Context, method string, call *Call, total time.Duration) (*Answer, error) {
	t.Helper()
	call.Method, call.URL, call.Timeout = method, mustURL(t, base+"/staff/1"), total
	if method == http.MethodPost || method == http.MethodPatch {
		call.Body = []byte(`{}`)
	}
	return c.Do(ctx, call)
}

func status(code int, header ...string) tripper {
	return func(*http.Request) (*http.Response, error) { return answer(code, "", header...), nil }
}

func failing(err error) tripper {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

var (
	errReset  = &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}
	errRefuse = &net.OpError{Op: "dial", Err: errors.New("connection refused")}
)

// truncated returns a response whose body breaks off.
func truncated(code int) tripper {
	return func(*http.Request) (*http.Response, error) {
		resp := answer(code, "")
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), brokenReader{}))
		resp.ContentLength = 100
		return resp, nil
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// tokenList returns tokens one after the other; Renew moves to the next one.
type tokenList struct {
	tokens []string
	err    error
	at     int
	asked  int
	found  bool // whether Renew requests none

	rejected []string
}

func (l *tokenList) Token(context.Context) (string, error) {
	l.asked++
	return l.tokens[l.at], l.err
}

func (l *tokenList) Replaced(token string, accepted bool) {
	if !accepted {
		l.rejected = append(l.rejected, token)
	}
}

func (l *tokenList) Renew(ctx context.Context, refused string) (bool, error) {
	if l.found {
		FoundToken(ctx)
	}
	if l.at+1 < len(l.tokens) {
		l.at++
	}
	return l.tokens[l.at] != refused, nil
}
