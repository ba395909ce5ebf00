package practice_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestATracerSeesAttemptsBelowTheirCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer testkit.TraceRecorder
		var contexts []*testkit.Span
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithObserver(func(ctx context.Context, _ practice.Observation) {
			contexts = append(contexts, ctx.Value(testkit.SpanKey{}).(*testkit.Span))
		}))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		tracer.Complete(t)
		require.Len(t, tracer.Below(nil), 1)
		call := tracer.Below(nil)[0]
		attempts := tracer.Below(call)
		require.Len(t, attempts, 2)
		assert.Equal(t, []*testkit.Span{attempts[0], attempts[1], call}, contexts, "the observer gets the contexts of the tracer")
		for i, s := range []*testkit.Span{call, attempts[0], attempts[1]} {
			want := practice.Observation{
				Operation: "Staff.Get", Method: http.MethodGet, Path: "/staff/{id}", Server: serverOf(server),
				RequestID: call.Started.RequestID, Call: i == 0, Attempt: i,
			}
			want.Waits.Retry = s.Ended.Waits.Retry * time.Duration(i/2)
			assert.Equal(t, want, s.Started, "nothing is known of the outcome")
			assert.Equal(t, i != 0, s.Header)
		}
		assert.Equal(t, 503, attempts[0].Ended.Status)
		assert.Equal(t, "status 503", attempts[0].Ended.Reason)
		assert.Equal(t, 200, attempts[1].Ended.Status)
		assert.Equal(t, 2, call.Ended.Attempt)
	})
}

func serverOf(server *practicetest.Server) string { return testkit.HostOf(server.BaseURL()) }

func TestWhatATracerAddsGoesOutWithEachAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		tracer := testkit.TraceRecorder{Add: http.Header{
			"Traceparent": {"00-01-02-01"}, "Baggage": {"a=1", "b=2"}, "Tracestate": {"tracer's"},
			"Authorization": {"Bearer other"}, "Userid": {"other"}, "Split": {"a\r\nX: y"}, "Bad name": {"x"},
		}}
		client := server.Client(t, practice.WithTracer(&tracer))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithHeader("Tracestate", "caller's"))))
		sent := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 2)
		for _, r := range sent {
			assert.Equal(t, []string{"00-01-02-01"}, r.Header.Values("Traceparent"), "once, also the second time")
			assert.Equal(t, []string{"a=1", "b=2"}, r.Header.Values("Baggage"))
			assert.Equal(t, []string{"caller's"}, r.Header.Values("Tracestate"), "the caller knows better")
			assert.NotContains(t, r.Header.Values("Authorization"), "Bearer other")
			assert.Empty(t, r.Header.Values("Userid"))
			assert.Empty(t, r.Header.Values("Split"))
		}
		for _, r := range testkit.RequestsTo(server, practicetest.PartToken) {
			assert.Empty(t, r.Header.Values("Traceparent"))
		}
	})
}

func TestATracerSeesTheEndOfACallThatSendsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer testkit.TraceRecorder
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithLimiter(closed{}))
		err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		require.ErrorIs(t, err, errClosed)
		require.Len(t, tracer.Spans, 1)
		tracer.Complete(t)
		assert.Equal(t, err, tracer.Spans[0].Ended.Err)
		assert.Zero(t, tracer.Spans[0].Ended.Attempt)

		err = testkit.Discard(client.Staff.Get(t.Context(), ""))
		require.Error(t, err)
		require.Len(t, tracer.Spans, 2)
		assert.Equal(t, err, tracer.Spans[1].Ended.Err, "a refused argument")
		tracer.Complete(t)
	})
}

type closed struct{}

var errClosed = errors.New("the limiter is closed")

func (closed) Wait(context.Context) error { return errClosed }

func TestPagesAreToldFromOtherCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		pages := map[string]int{}
		client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) {
			if o.Call && o.Page {
				pages[o.Operation]++
			}
		}))
		ctx, matterID := t.Context(), server.Firm().MatterID
		require.NoError(t, testkit.Discard(client.BankAccounts.List(ctx, practice.BankAccountListOptions{})))
		require.NoError(t, testkit.Discard(practice.Collect(client.Documents.AllEntries(ctx, matterID, ""))))
		require.NoError(t, testkit.Discard(client.Documents.ListRootFolder(ctx, matterID)))
		require.NoError(t, testkit.Discard(client.Fees.Patch(ctx, matterID, server.Firm().FeeID, models.FeePatch{Subject: models.Some("Advice")})))
		assert.Equal(t, map[string]int{"BankAccounts.List": 1, "Documents.ListRootFolder": 1, "Documents.AllEntries": 1}, pages)
	})
}
