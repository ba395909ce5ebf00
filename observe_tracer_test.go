package practice_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// span is a call or an attempt as a tracer saw it.
type span struct {
	parent         *span
	started, ended practice.Observation
	ends           int
	header         bool // there was one to add to
}

type spanKey struct{}

// traceRecorder is a tracer that keeps what it sees.
type traceRecorder struct {
	add http.Header // to every attempt

	mu    sync.Mutex
	spans []*span
}

func (r *traceRecorder) Start(ctx context.Context, started practice.Observation, header http.Header) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	parent, _ := ctx.Value(spanKey{}).(*span)
	begun := &span{parent: parent, started: started, header: header != nil}
	r.spans = append(r.spans, begun)
	for name, values := range r.add {
		if header != nil {
			header[name] = values
		}
	}
	return context.WithValue(ctx, spanKey{}, begun)
}

func (r *traceRecorder) End(ctx context.Context, ended practice.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, _ := ctx.Value(spanKey{}).(*span)
	begun.ended = ended
	begun.ends++
}

// below are the spans with this parent, in the order of their beginnings.
func (r *traceRecorder) below(parent *span) []*span {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*span
	for _, s := range r.spans {
		if s.parent == parent {
			found = append(found, s)
		}
	}
	return found
}

// complete checks that everything that began has ended once.
func (r *traceRecorder) complete(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		assert.Equal(t, 1, s.ends, "%+v", s.started)
	}
}

func TestATracerSeesAttemptsBelowTheirCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer traceRecorder
		var contexts []*span
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithObserver(func(ctx context.Context, _ practice.Observation) {
			contexts = append(contexts, ctx.Value(spanKey{}).(*span))
		}))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		tracer.complete(t)
		require.Len(t, tracer.below(nil), 1)
		call := tracer.below(nil)[0]
		attempts := tracer.below(call)
		require.Len(t, attempts, 2)
		assert.Equal(t, []*span{attempts[0], attempts[1], call}, contexts, "the observer gets the contexts of the tracer")
		for i, s := range []*span{call, attempts[0], attempts[1]} {
			want := practice.Observation{
				Operation: "Staff.Get", Method: http.MethodGet, Path: "/staff/{id}", Server: serverOf(server),
				RequestID: call.started.RequestID, Call: i == 0, Attempt: i,
			}
			want.Waits.Retry = s.ended.Waits.Retry * time.Duration(i/2)
			assert.Equal(t, want, s.started, "nothing is known of the outcome")
			assert.Equal(t, i != 0, s.header)
		}
		assert.Equal(t, 503, attempts[0].ended.Status)
		assert.Equal(t, "status 503", attempts[0].ended.Reason)
		assert.Equal(t, 200, attempts[1].ended.Status)
		assert.Equal(t, 2, call.ended.Attempt)
	})
}

func serverOf(server *practicetest.Server) string { return hostOf(server.BaseURL()) }

// hostOf is an address without its path.
func hostOf(address string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return "http://" + host
}

func TestWhatATracerAddsGoesOutWithEachAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		tracer := traceRecorder{add: http.Header{
			"Traceparent": {"00-01-02-01"}, "Baggage": {"a=1", "b=2"}, "Tracestate": {"tracer's"},
			"Authorization": {"Bearer other"}, "Userid": {"other"}, "Split": {"a\r\nX: y"}, "Bad name": {"x"},
		}}
		client := server.Client(t, practice.WithTracer(&tracer))
		server.Inject(practicetest.Fault{Operation: "getStaff", Status: 503})
		require.NoError(t, discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithHeader("Tracestate", "caller's"))))
		sent := requestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 2)
		for _, r := range sent {
			assert.Equal(t, []string{"00-01-02-01"}, r.Header.Values("Traceparent"), "once, also the second time")
			assert.Equal(t, []string{"a=1", "b=2"}, r.Header.Values("Baggage"))
			assert.Equal(t, []string{"caller's"}, r.Header.Values("Tracestate"), "the caller knows better")
			assert.NotContains(t, r.Header.Values("Authorization"), "Bearer other")
			assert.Empty(t, r.Header.Values("Userid"))
			assert.Empty(t, r.Header.Values("Split"))
		}
		for _, r := range requestsTo(server, practicetest.PartToken) {
			assert.Empty(t, r.Header.Values("Traceparent"))
		}
	})
}

func TestATracerSeesTheEndOfACallThatSendsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		var tracer traceRecorder
		client := server.Client(t, practice.WithTracer(&tracer), practice.WithLimiter(closed{}))
		err := discard(client.Staff.Get(t.Context(), server.Firm().StaffID))
		require.ErrorIs(t, err, errClosed)
		require.Len(t, tracer.spans, 1)
		tracer.complete(t)
		assert.Equal(t, err, tracer.spans[0].ended.Err)
		assert.Zero(t, tracer.spans[0].ended.Attempt)

		err = discard(client.Staff.Get(t.Context(), ""))
		require.Error(t, err)
		require.Len(t, tracer.spans, 2)
		assert.Equal(t, err, tracer.spans[1].ended.Err, "a refused argument")
		tracer.complete(t)
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
		require.NoError(t, discard(client.BankAccounts.List(ctx, practice.BankAccountListOptions{})))
		require.NoError(t, discard(practice.Collect(client.Documents.AllEntries(ctx, matterID, ""))))
		require.NoError(t, discard(client.Documents.ListRootFolder(ctx, matterID)))
		require.NoError(t, discard(client.Fees.Patch(ctx, matterID, server.Firm().FeeID, models.FeePatch{Subject: models.Some("Advice")})))
		assert.Equal(t, map[string]int{"BankAccounts.List": 1, "Documents.ListRootFolder": 1, "Documents.AllEntries": 1}, pages)
	})
}
