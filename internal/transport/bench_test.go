package transport

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"testing"
)

// benchmarkLink measures one link over a transport that returns 1 KB
// immediately.
func benchmarkLink(b *testing.B, link func(http.RoundTripper) http.RoundTripper) {
	b.Helper()
	body := bytes.Repeat([]byte("x"), 1024)
	wire := link(tripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}, nil
	}))
	target, err := url.Parse(base + "/staff/1")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		call := newCall(Read)
		call.begin()
		call.Headers = fixed{"Accept": {"application/json"}}
		req := (&http.Request{Method: http.MethodGet, URL: target, Host: target.Host, Header: http.Header{}}).WithContext(withCall(b.Context(), call))
		resp, err := wire.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLinks(b *testing.B) {
	config := Config{
		Origin: NewOrigin(&url.URL{Scheme: "https", Host: "api.example.test", Path: "/v1"}),
		APIKey: "key", Tokens: &tokenList{tokens: []string{"token"}},
	}
	for name, link := range map[string]func(http.RoundTripper) http.RoundTripper{
		"none": func(next http.RoundTripper) http.RoundTripper { return next },
		"rate limit": func(next http.RoundTripper) http.RoundTripper {
			return &rateLimit{next: next, limiter: NewLimiter(1e9, 1<<30)}
		},
		"authorise":      func(next http.RoundTripper) http.RoundTripper { return newAuthorise(next, config) },
		"attempt record": func(next http.RoundTripper) http.RoundTripper { return &attemptRecord{next: next} },
		"whole body":     func(next http.RoundTripper) http.RoundTripper { return &wholeBody{next: next} },
		"attempt limit":  func(next http.RoundTripper) http.RoundTripper { return &attemptLimit{next: next, reporting: true} },
	} {
		b.Run(name, func(b *testing.B) { benchmarkLink(b, link) })
	}
}

// BenchmarkCall measures a whole chain: a call with one attempt, and one with a
// retry without a wait.
func BenchmarkCall(b *testing.B) {
	body := bytes.Repeat([]byte("x"), 1024)
	for name, test := range map[string]struct {
		method   string
		sent     []byte
		attempts int
	}{
		"read":        {http.MethodGet, nil, 1},
		"write":       {http.MethodPatch, []byte(`{}`), 1},
		"read, again": {http.MethodGet, nil, 2},
	} {
		b.Run(name, func(b *testing.B) {
			sent := 0
			wire := tripper(func(*http.Request) (*http.Response, error) {
				status := http.StatusOK
				if sent++; sent%test.attempts != 0 {
					status = http.StatusServiceUnavailable
				}
				return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}, nil
			})
			target := &url.URL{Scheme: "https", Host: "api.example.test", Path: "/v1/staff/1"}
			chain := New(Config{
				HTTPClient: &http.Client{Transport: wire}, Origin: NewOrigin(target), Limiter: NewLimiter(0, 0),
			})
			b.ReportAllocs()
			for b.Loop() {
				call := newCall(Read)
				call.Method, call.URL, call.Body = test.method, target, test.sent
				call.Retries.FirstWait = 0
				got, err := chain.Do(b.Context(), call)
				if err != nil {
					b.Fatal(err)
				}
				got.Release()
			}
		})
	}
}
