package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// exchange is a request of the client with the response of the embedded
// service.
type exchange struct {
	request string // method and path, with the query
	body    []byte
	status  int
	answer  []byte
}

// address matches the base URL of the embedded service.
var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// exchangeOf makes the valid call of an operation on a new embedded service.
func exchangeOf(ctx context.Context, op operations.Operation) (exchange, error) {
	server, err := practicetest.Start(practicetest.WithSeed(1), practicetest.WithRendering(practicetest.Rendering{}),
		practicetest.WithVirtualClock(time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC)))
	if err != nil {
		return exchange{}, err
	}
	defer func() { _ = server.Close() }()
	r := &recorder{base: server.BaseURL(), inner: server.HTTPClient().Transport}
	client, err := server.NewClient(append(op.ClientOptions(server), practice.WithHTTPClient(&http.Client{Transport: r}))...)
	if err != nil {
		return exchange{}, err
	}
	defer client.CloseIdleConnections()
	if err := op.Call(ctx, client, server.Firm()); err != nil {
		return exchange{}, err
	}
	r.seen.answer = address.ReplaceAll(r.seen.answer, []byte("https://api.example.test"))
	return r.seen, nil
}

// recorder keeps the last exchange with the API.
type recorder struct {
	base  string
	inner http.RoundTripper
	seen  exchange
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	path, own := strings.CutPrefix(req.URL.String(), r.base)
	if !own {
		return r.inner.RoundTrip(req)
	}
	seen := exchange{request: req.Method + " " + path}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		seen.body, req = body, req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	resp, err := r.inner.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	seen.status = resp.StatusCode
	seen.answer, err = io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(seen.answer))
	r.seen = seen
	return resp, err
}
