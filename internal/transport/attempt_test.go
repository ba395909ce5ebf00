package transport

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stalled never responds; it returns when its context ends.
func stalled(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// stalledBody responds, but its body never ends.
func stalledBody(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Body: io.NopCloser(waitingReader{req.Context()}), ContentLength: -1}, nil
}

type waitingReader struct{ ctx context.Context }

func (r waitingReader) Read([]byte) (int, error) {
	<-r.ctx.Done()
	return 0, r.ctx.Err()
}

func TestAttemptAndTotalTimeLimitsAreTwoThings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		wire           tripper
		class          Class
		attempt, total time.Duration
		attempts       int
		passed         TimeLimitError
	}{
		{"a read that stalls is tried again", stalled, Read, time.Second, 0, 4, TimeLimitError{Limit: time.Second}},
		{"a body that stalls as well", stalledBody, Read, time.Second, 0, 4, TimeLimitError{Limit: time.Second}},
		{"a create is not", stalled, Create, time.Second, 0, 1, TimeLimitError{Limit: time.Second}},
		{"the total limit ends it all", stalled, Read, 0, 2 * time.Second, 1, TimeLimitError{Limit: 2 * time.Second, Total: true}},
		{"whichever comes first", stalled, Read, time.Minute, 2 * time.Second, 1, TimeLimitError{Limit: 2 * time.Second, Total: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chain, sent := chainOver(t, nil, test.wire)
				call := newCall(test.class)
				call.AttemptTimeout = test.attempt
				_, err := chain.send(t, t.Context(), methodOf(test.class), call, test.total)
				var limit *TimeLimitError
				require.ErrorAs(t, err, &limit)
				assert.Equal(t, test.passed, *limit)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, test.attempts, *sent)
				assert.True(t, call.Attempts[0].Uncertain, "the request had been sent")
			})
		})
	}
}

// TestAnAttemptThatIsOverBeforeItBeginsIsNotSent checks that a write whose
// limit passes before it reaches the transport counts as not sent.
func TestAnAttemptThatIsOverBeforeItBeginsIsNotSent(t *testing.T) {
	t.Parallel()
	for _, class := range []Class{IdempotentWrite, Create} {
		t.Run(className(class), func(t *testing.T) {
			t.Parallel()
			chain, sent := chainOver(t, nil, stalled)
			call := newCall(class)
			call.Retries.Max, call.AttemptTimeout = 0, time.Nanosecond
			_, err := chain.send(t, t.Context(), methodOf(class), call, 0)
			var limit *TimeLimitError
			require.ErrorAs(t, err, &limit)
			assert.Zero(t, *sent)
			assert.False(t, call.Uncertain())
		})
	}
}

func TestTheCallersOwnDeadlineKeepsItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, stalled)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := chain.send(t, ctx, http.MethodGet, newCall(Read), time.Minute)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		var limit *TimeLimitError
		assert.NotErrorAs(t, err, &limit)
	})
}

func TestAttemptsRecordSizesAndDuration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, func(*http.Request) (*http.Response, error) {
			<-time.After(3 * time.Second) // by the clock of the bubble
			return answer(200, "hello"), nil
		})
		call := newCall(Create)
		_, err := chain.send(t, t.Context(), http.MethodPost, call, 0)
		require.NoError(t, err)
		want := Attempt{Number: 1, Status: 200, Duration: 3 * time.Second, BytesSent: 2, BytesReceived: 5, Reason: "success"}
		assert.Equal(t, []Attempt{want}, call.Attempts)
	})
}

// TestAttemptsDoNotRecordTheAddress checks a middleware with its own
// http.Client, whose errors contain the address of the request.
func TestAttemptsDoNotRecordTheAddress(t *testing.T) {
	t.Parallel()
	for _, class := range []Class{Read, IdempotentWrite, Create} {
		for name, cause := range map[string]error{"not connected": errRefuse, "reset": errReset} {
			t.Run(className(class)+"/"+name, func(t *testing.T) {
				t.Parallel()
				chain, _ := chainOver(t, nil, failing(&url.Error{Op: "Get", URL: base + "/staff?q=JaneDoe", Err: cause}))
				call := newCall(class)
				call.Retries.Max = 0
				_, err := chain.send(t, t.Context(), methodOf(class), call, 0)
				require.ErrorIs(t, err, cause)
				require.Len(t, call.Attempts, 1)
				assert.Equal(t, cause, call.Attempts[0].Err)
				assert.Equal(t, name == "reset", call.Uncertain())
			})
		}
	}
}

func TestMiddlewareSeesEachAttemptOutermostFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var order []string
		name := func(text string) Middleware {
			return func(next http.RoundTripper) http.RoundTripper {
				return tripper(func(req *http.Request) (*http.Response, error) {
					order = append(order, text)
					return next.RoundTrip(req)
				})
			}
		}
		codes := []int{503, 200}
		wire := tripper(func(*http.Request) (*http.Response, error) {
			code := codes[0]
			codes = codes[1:]
			return answer(code, ""), nil
		})
		chain := New(Config{
			HTTPClient: &http.Client{Transport: wire}, Origin: NewOrigin(mustURL(t, base)), Limiter: NewLimiter(0, 0),
			Middleware: []Middleware{name("outer"), name("inner")},
		})
		_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"outer", "inner", "outer", "inner"}, order)
	})
}
