package practice_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

func isArgumentError(err error) bool {
	_, ok := errors.AsType[*practice.ArgumentError](err)
	return ok
}

// forEveryOperation runs a test in a bubble, with a service of its own.
func forEveryOperation(t *testing.T, test func(t *testing.T, op operationRow, server *practicetest.Server)) {
	t.Helper()
	for _, op := range operationTable {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				test(t, op, practicetest.New(t, practicetest.WithEvents(20), practicetest.WithMatters(2)))
			})
		})
	}
}

func TestTheTableHasEveryOperationOfTheDescription(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("api/openapi.yaml")
	require.NoError(t, err)
	var described, tested []string
	for _, match := range regexp.MustCompile(`(?m)^      operationId: (\w+)$`).FindAllStringSubmatch(string(text), -1) {
		described = append(described, match[1])
	}
	for _, op := range operationTable {
		tested = append(tested, op.id)
	}
	assert.ElementsMatch(t, described, tested)
}

func TestEveryOperationSucceeds(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		var response practice.Response
		err := op.call(t.Context(), server.Client(t), server.Firm(), practice.WithRequestID("request-1"), practice.WithResponse(&response))
		require.NoError(t, err)

		sent := server.Requests()
		require.Len(t, sent, 1)
		assert.Equal(t, op.id, sent[0].Operation)
		assert.True(t, strings.HasPrefix(server.BaseURL()+"/", "http") && strings.Contains(server.BaseURL(), "/practice"), "the base address has a path")
		assert.Equal(t, server.Credentials().APIKey, sent[0].Header.Get("x-api-key"))
		assert.Equal(t, "Bearer "+server.Credentials().AccessToken, sent[0].Header.Get("Authorization"))
		assert.Equal(t, "request-1", sent[0].RequestID)
		assert.Contains(t, sent[0].Header.Get("User-Agent"), "practice-go/")
		assert.Equal(t, "request-1", response.EchoedRequestID)
		assert.Equal(t, "request-1", response.Header.Get("RequestId"), "the whole header is there")
		assert.False(t, response.RequestIDMismatch())
		assert.Equal(t, sent[0].Status, response.StatusCode)
		require.Len(t, response.Attempts, 1)
		assert.Equal(t, "success", response.Attempts[0].Reason)
		if len(sent[0].Body) > 0 {
			assert.Equal(t, "application/json-patch+json", sent[0].Header.Get("Content-Type"))
		}
	})
}

func TestBadArgumentsAreRefusedAndNothingIsSent(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		client := server.Client(t)
		for argument, call := range op.refuse {
			err := call(t.Context(), client, server.Firm())
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%s: %v", argument, err)
			assert.Equal(t, op.name, refused.Operation)
			first, _, _ := strings.Cut(argument, " ")
			assert.True(t, strings.HasPrefix(refused.Argument, strings.TrimSuffix(first, ",")), "%s is refused as %s", argument, refused.Argument)
		}
		assert.Empty(t, server.Requests())
	})
}

func TestBadOptionsAreRefusedAndNothingIsSent(t *testing.T) {
	t.Parallel()
	bad := map[string]practice.CallOption{
		"nil":                    nil,
		"WithTimeout(-1)":        practice.WithTimeout(-1),
		"WithAttemptTimeout(-1)": practice.WithAttemptTimeout(-1),
		"WithRetries(-1)":        practice.WithRetries(-1),
		"WithRetries(21)":        practice.WithRetries(21),
		"WithUserID(control)":    practice.WithUserID("a\r\nb: c"),
		"WithRequestID(empty)":   practice.WithRequestID(""),
		"WithRequestID(split)":   practice.WithRequestID("a\nb"),
		"WithRequestID(signed)":  practice.WithRequestID("a|b"),
		"WithHeader(reserved)":   practice.WithHeader("Authorization", "Bearer x"),
		"WithHeader(value)":      practice.WithHeader("X-Trace", "a\r\nb"),
		"WithHeader(name)":       practice.WithHeader("X Trace", "a"),
		"WithQuery(no name)":     practice.WithQuery("", "a"),
		"WithResponse(nil)":      practice.WithResponse(nil),
		"WithPrefetch(-1)":       practice.WithPrefetch(-1),
		"WithPrefetch(65)":       practice.WithPrefetch(65),
	}
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		client := server.Client(t)
		for name, option := range bad {
			err := op.call(t.Context(), client, server.Firm(), option)
			refused, ok := errors.AsType[*practice.ConfigError](err)
			require.True(t, ok, "%s: %v", name, err)
			assert.NotEmpty(t, refused.Reason)
		}
		assert.Empty(t, server.Requests())
	})
}

type failingTransport struct{ err error }

func (f failingTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestAFailingTransport(t *testing.T) {
	t.Parallel()
	reset := errors.New("reset by peer")
	refused := &net.OpError{Op: "dial", Err: errors.New("refused")}
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		for _, cause := range []error{reset, refused} {
			client := server.Client(t, practice.WithHTTPClient(&http.Client{Transport: failingTransport{cause}}))
			err := op.call(t.Context(), client, server.Firm())
			require.ErrorIs(t, err, cause)
			failed, ok := errors.AsType[*practice.NoAnswerError](err)
			require.True(t, ok)
			assert.Equal(t, op.name, failed.Operation)
			assert.NotEmpty(t, failed.RequestID)
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			mayHaveHappened := op.class == create && errors.Is(cause, reset)
			assert.Equal(t, mayHaveHappened, ambiguous)
			attempts := 1 + practice.DefaultRetries
			if mayHaveHappened {
				attempts = 1
			}
			assert.Len(t, failed.Attempts, attempts)
		}
	})
}

func TestAContextThatHasEnded(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := op.call(ctx, server.Client(t), server.Firm())
		require.ErrorIs(t, err, context.Canceled)
		_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
		assert.False(t, ambiguous, "nothing was sent")
		assert.Empty(t, server.Requests())
	})
}

func TestEveryErrorStatusHasItsSentinel(t *testing.T) {
	t.Parallel()
	sentinels := map[int]error{
		302: practice.ErrRedirect, 400: practice.ErrBadRequest, 401: practice.ErrUnauthorized, 403: practice.ErrForbidden,
		404: practice.ErrNotFound, 409: practice.ErrConflict, 429: practice.ErrRateLimited, 500: practice.ErrServer, 503: practice.ErrServer,
	}
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		client := server.Client(t)
		for status, sentinel := range sentinels {
			server.ClearFaults()
			server.Inject(practicetest.Fault{Operation: op.id, Status: status, Times: -1})
			err := op.call(t.Context(), client, server.Firm(), practice.WithRequestID("request-1"))
			require.ErrorIs(t, err, sentinel, "status %d", status)
			answer, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok)
			assert.Equal(t, status, answer.StatusCode)
			assert.Equal(t, op.name, answer.Operation)
			assert.Equal(t, "request-1", answer.RequestID)
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			assert.Equal(t, op.class == create && status >= 500, ambiguous, "status %d", status)
			for other, wrong := range sentinels {
				if !errors.Is(sentinel, wrong) {
					assert.NotErrorIs(t, err, wrong, "status %d is not %d", status, other)
				}
			}
		}
	})
}

func TestTheRequestIDIsTheSameOnEveryAttempt(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *testing.T, op operationRow, server *practicetest.Server) {
		server.Inject(practicetest.Fault{Operation: op.id, Kind: practicetest.FaultRateLimit, Times: 2, RetryAfter: "1"})
		var response practice.Response
		started := time.Now()
		require.NoError(t, op.call(t.Context(), server.Client(t), server.Firm(), practice.WithResponse(&response)))
		assert.Equal(t, 2*time.Second, time.Since(started).Truncate(time.Second))
		require.Len(t, server.Requests(), 3)
		for _, sent := range server.Requests() {
			assert.Equal(t, response.RequestID, sent.RequestID)
		}
	})
}
