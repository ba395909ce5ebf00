package acceptance_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestTheCauseOfACancelledContextIsFoundInEachWait cancels a call with a cause
// in each of the moments in which it waits.
func TestTheCauseOfACancelledContextIsFoundInEachWait(t *testing.T) {
	t.Parallel()
	blocks := func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	unreachable := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	})
	for wait, opts := range map[string][]practice.ClientOption{
		"a retry": {practice.WithHTTPClient(&http.Client{Transport: unreachable}), practice.WithRetries(20)},
		"a 429": {practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			refused := testkit.AnswerOf(http.StatusTooManyRequests, "")
			refused.Header.Set("Retry-After", "20")
			return refused, nil
		})})},
		"the rate limit": {practice.WithLimiter(limiterFunc(blocks))},
		"a token": {practice.WithTokens(practice.TokenFunc(func(ctx context.Context, _ string) (string, error) {
			return "", blocks(ctx)
		}))},
		"the response": {practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			return nil, blocks(r.Context())
		})})},
		"the body": {practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			begun := testkit.AnswerOf(http.StatusOK, "")
			begun.Body, begun.ContentLength = io.NopCloser(waitingBody(func([]byte) (int, error) { return 0, blocks(r.Context()) })), 10
			return begun, nil
		})})},
	} {
		t.Run(wait, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				shutdown := errors.New("the program ends")
				client, err := practice.NewClient("https://api.example.test", append([]practice.ClientOption{practice.WithAPIKey("key")}, opts...)...)
				require.NoError(t, err)
				for name, call := range map[string]func(context.Context) error{
					"read":   func(ctx context.Context) error { return testkit.Discard(client.Staff.Get(ctx, testkit.SomeID)) },
					"create": func(ctx context.Context) error { return testkit.Creates["with a body"](ctx, client) },
				} {
					ctx, cancel := context.WithCancelCause(t.Context())
					time.AfterFunc(time.Second, func() { cancel(shutdown) })
					require.ErrorIs(t, call(ctx), shutdown, name)
				}
			})
		})
	}
}

type limiterFunc func(context.Context) error

func (f limiterFunc) Wait(ctx context.Context) error { return f(ctx) }

type waitingBody func([]byte) (int, error)

func (f waitingBody) Read(p []byte) (int, error) { return f(p) }
