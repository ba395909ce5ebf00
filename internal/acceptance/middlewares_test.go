package acceptance_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/internal/testkit"
)

// middlewares returns five common kinds of middleware, and none at all.
func middlewares(t *testing.T) map[string]func(http.RoundTripper) http.RoundTripper {
	t.Helper()
	return map[string]func(http.RoundTripper) http.RoundTripper{
		"none":          func(next http.RoundTripper) http.RoundTripper { return next },
		"time-out":      timingOut(10 * time.Second),
		"hedge":         hedging(10 * time.Second),
		"header writer": writingHeaders,
		"body replacer": replacingBodies,
	}
}

// timingOut returns a middleware that gives up after limit.
func timingOut(limit time.Duration) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			came := copyOf(next, req)
			timer := time.NewTimer(limit)
			defer timer.Stop()
			select {
			case first := <-came:
				return first.resp, first.err
			case <-timer.C:
				return nil, context.DeadlineExceeded
			}
		})
	}
}

// hedging returns a middleware that sends a second copy if the first takes too
// long, and returns the response that arrives first.
func hedging(after time.Duration) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.GetBody != nil {
				body, _ := io.ReadAll(req.Body)
				_ = req.Body.Close()
				req = req.Clone(req.Context())
				req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
			}
			send := func() <-chan carried {
				again := req.Clone(req.Context())
				if req.GetBody != nil {
					again.Body, _ = req.GetBody()
				}
				return copyOf(next, again)
			}
			first := send()
			timer := time.NewTimer(after)
			defer timer.Stop()
			select {
			case came := <-first:
				return came.resp, came.err
			case <-timer.C:
			}
			second := send()
			select {
			case came := <-first:
				return came.resp, came.err
			case came := <-second:
				return came.resp, came.err
			}
		})
	}
}

type carried struct {
	resp *http.Response
	err  error
}

// copyOf sends req in a goroutine and returns a channel for the result.
func copyOf(next http.RoundTripper, req *http.Request) <-chan carried {
	came := make(chan carried, 1)
	go func() {
		resp, err := next.RoundTrip(req)
		came <- carried{resp, err}
	}()
	return came
}

// carrying returns a middleware that sends every request by its own transport.
func carrying(own http.RoundTripper) func(http.RoundTripper) http.RoundTripper {
	return func(http.RoundTripper) http.RoundTripper { return own }
}

// writingHeaders adds the headers that make net/http retry a request.
func writingHeaders(next http.RoundTripper) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		req = req.Clone(req.Context())
		req.Header.Set("Idempotency-Key", req.Header.Get("RequestId"))
		req.Header.Set("X-Idempotency-Key", req.Header.Get("RequestId"))
		return next.RoundTrip(req)
	})
}

// replacingBodies reads the body and replaces it by a copy that GetBody returns
// any number of times.
func replacingBodies(next http.RoundTripper) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if req.Body == nil {
			return next.RoundTrip(req)
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		_ = req.Body.Close()
		req = req.Clone(req.Context())
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.Body, _ = req.GetBody()
		return next.RoundTrip(req)
	})
}
