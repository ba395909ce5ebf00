package acceptance_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// operationRow is the subtest of one operation. A failure names the operation
// and ends only its subtest.
type operationRow struct {
	testing.TB
	op        operations.Operation
	index     int
	document  *description.Document
	described *description.Operation
	done      []func()
}

func (r *operationRow) Errorf(format string, args ...any) {
	r.Helper()
	r.TB.Errorf(r.op.Name+": "+format, args...)
}

func (r *operationRow) Fatalf(format string, args ...any) {
	r.Helper()
	r.Errorf(format, args...)
	r.FailNow()
}

func (r *operationRow) FailNow() {
	r.Fail()
	runtime.Goexit() // ends the goroutine started by run
}

// Cleanup registers a function that runs at the end of the row.
func (r *operationRow) Cleanup(f func()) { r.done = append(r.done, f) }

// creates reports whether the operation is a create, which the client must not
// retry on its own.
func (r *operationRow) creates() bool { return r.described.Class == "create" }

// run runs the test of the row in a goroutine and waits for it.
func (r *operationRow) run(test func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			for _, f := range slices.Backward(r.done) {
				f()
			}
		}()
		test()
	}()
	<-ended
}

// forEveryOperation tests the operations area by area. Those of one area run
// one after the other in a bubble and share a service, which is reset for each.
func forEveryOperation(t *testing.T, test func(t *operationRow, server *practicetest.Server)) {
	t.Helper()
	forSomeOperations(t, 1, test)
}

// forSomeOperations does so for every nth in .ci/run.
func forSomeOperations(t *testing.T, n uint32, test func(t *operationRow, server *practicetest.Server)) {
	t.Helper()
	document := described(t)
	for area, rows := range rowsByArea(t, n) {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t, practicetest.WithEvents(20), practicetest.WithMatters(2))
				for _, row := range rows {
					renew(server)
					row.TB, row.document, row.described = t, document, document.Operation(row.op.ID)
					require.NotNil(t, row.described, "api/: %s has no operation %s", row.op.Name, row.op.ID)
					row.run(func() { test(row, server) })
				}
			})
		})
	}
}

var api = sync.OnceValues(func() (*description.Document, error) { return description.Load(os.DirFS("../../api")) })

// described returns the description of the API, which no test changes.
func described(t *testing.T) *description.Document {
	t.Helper()
	document, err := api()
	require.NoError(t, err)
	return document
}

// rowsByArea returns the rows of every nth operation by area.
func rowsByArea(t *testing.T, n uint32) map[string][]*operationRow {
	t.Helper()
	areas := map[string][]*operationRow{}
	for i, op := range soak.Slice(t, n, operations.All(), func(op operations.Operation) string { return op.ID }) {
		areas[op.Area()] = append(areas[op.Area()], &operationRow{op: op, index: i})
	}
	return areas
}

// renew resets the service. It keeps the data if all requests were reads.
func renew(server *practicetest.Server) {
	reads := func(r practicetest.RecordedRequest) bool {
		return r.Part == practicetest.PartAPI && r.Method == http.MethodGet
	}
	if slices.ContainsFunc(server.Requests(), func(r practicetest.RecordedRequest) bool { return !reads(r) }) {
		server.Reset()
	}
	server.ResetRequests()
	server.ClearFaults()
}

func TestEveryOperationSucceeds(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(t *operationRow, server *practicetest.Server) {
		var response practice.Response
		err := t.op.Call(t.Context(), server.Client(t, t.op.ClientOptions(server)...), server.Firm(), practice.WithRequestID("request-1"), practice.WithResponse(&response))
		require.NoError(t, err)

		sent := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 1)
		assert.Equal(t, t.op.ID, sent[0].Operation)
		assert.True(t, strings.HasPrefix(server.BaseURL()+"/", "http") && strings.Contains(server.BaseURL(), "/practice"), "the base address has a path")
		assert.Equal(t, server.Credentials().APIKey, sent[0].Header.Get("x-api-key"))
		own := sent[0].Header.Get("Authorization") == "Bearer "+server.Credentials().AccessToken
		assert.Equal(t, !t.op.ByClient(), own, "the token of the user, or one of the client")
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
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		client := server.Client(t)
		for name, option := range bad {
			err := t.op.Call(t.Context(), client, server.Firm(), option)
			refused, ok := errors.AsType[*practice.ConfigError](err)
			require.True(t, ok, "%s: %v", name, err)
			if setting, _, _ := strings.Cut(name, "("); option != nil {
				assert.Equal(t, setting, refused.Setting)
			}
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
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		for _, cause := range []error{reset, refused} {
			client := server.Client(t, practice.WithHTTPClient(&http.Client{Transport: failingTransport{cause}}))
			err := t.op.Call(t.Context(), client, server.Firm())
			require.ErrorIs(t, err, cause)
			failed, ok := errors.AsType[*practice.NoAnswerError](err)
			require.True(t, ok)
			assert.Equal(t, t.op.Name, failed.Operation)
			assert.NotEmpty(t, failed.RequestID)
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			mayHaveHappened := t.creates() && errors.Is(cause, reset)
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
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := t.op.Call(ctx, server.Client(t), server.Firm())
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
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		client := server.Client(t)
		for status, sentinel := range sentinels {
			server.ClearFaults()
			server.Inject(practicetest.Fault{Operation: t.op.ID, Status: status, Times: -1})
			err := t.op.Call(t.Context(), client, server.Firm(), practice.WithRequestID("request-1"))
			require.ErrorIs(t, err, sentinel, "status %d", status)
			answer, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok)
			assert.Equal(t, status, answer.StatusCode)
			assert.Equal(t, t.op.Name, answer.Operation)
			assert.Equal(t, "request-1", answer.RequestID)
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			assert.Equal(t, t.creates() && status >= 500, ambiguous, "status %d", status)
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
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		server.Inject(practicetest.Fault{Operation: t.op.ID, Kind: practicetest.FaultRateLimit, Times: 2, RetryAfter: "1"})
		var response practice.Response
		started := time.Now()
		require.NoError(t, t.op.Call(t.Context(), server.Client(t, t.op.ClientOptions(server)...), server.Firm(), practice.WithResponse(&response)))
		assert.Equal(t, 2*time.Second, time.Since(started).Truncate(time.Second))
		require.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 3)
		for _, sent := range testkit.RequestsTo(server, practicetest.PartAPI) {
			assert.Equal(t, response.RequestID, sent.RequestID)
		}
	})
}
