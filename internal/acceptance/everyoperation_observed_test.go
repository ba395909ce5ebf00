package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"sync"
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

// witness records the observations, log lines and spans of a client.
type witness struct {
	tracer testkit.TraceRecorder
	log    bytes.Buffer

	mu   sync.Mutex
	seen []practice.Observation
}

func (w *witness) options() []practice.ClientOption {
	return []practice.ClientOption{
		practice.WithTracer(&w.tracer), practice.WithLogger(slog.New(slog.NewJSONHandler(&w.log, nil))),
		practice.WithObserver(func(_ context.Context, o practice.Observation) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.seen = append(w.seen, o)
		}),
	}
}

// calls returns the observations of an operation's calls.
func (w *witness) calls(operation string) (found []practice.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range w.seen {
		if !o.Kind.IsAttempt() && o.Operation == operation {
			found = append(found, o)
		}
	}
	return found
}

// tells checks that the last call observed is that of the method, with the
// outcome that its caller got.
func (w *witness) tells(t *testing.T, method string, err error) {
	t.Helper()
	require.NotEmpty(t, w.seen, "nobody was told of %s", method)
	last := w.seen[len(w.seen)-1]
	assert.False(t, last.Kind.IsAttempt(), method)
	assert.Equal(t, method, last.Operation)
	assert.Equal(t, err, last.Err, method)
	w.tracer.Complete(t)
	spans := w.tracer.Below(nil)
	require.Len(t, spans, 1, "%s is one trace", method)
	assert.Equal(t, last, spans[0].Ended, method)
	lines := strings.Count(w.log.String(), `"level":"WARN","msg":"practice: call failed","operation":"`+method+`"`)
	assert.Equal(t, err != nil, lines > 0, "%s: %v: %s", method, err, &w.log)
	w.seen, w.tracer.Spans = nil, nil
	w.log.Reset()
}

// forEveryMethod calls all methods of all services with generated arguments and
// returns the first error of each.
func forEveryMethod(ctx context.Context, client *practice.Client, argument func(reflect.Type) reflect.Value, check func(method string, err error)) {
	services := reflect.ValueOf(client).Elem()
	for _, field := range reflect.VisibleFields(services.Type()) {
		if !field.IsExported() {
			continue
		}
		service := services.FieldByIndex(field.Index)
		for i := range service.NumMethod() {
			method := service.Type().Method(i)
			arguments := []reflect.Value{reflect.ValueOf(ctx)}
			for at := 1; at < service.Method(i).Type().NumIn()-1; at++ {
				arguments = append(arguments, argument(service.Method(i).Type().In(at)))
			}
			if results := service.Method(i).Call(arguments); len(results) > 0 {
				if canFail, err := firstError(results[len(results)-1]); canFail {
					check(field.Name+"."+method.Name, err)
				}
			}
		}
	}
}

// firstError returns the error of a method, or the first error of its iterator,
// and whether the method can fail.
func firstError(result reflect.Value) (canFail bool, first error) {
	if result.Kind() != reflect.Func {
		first, _ = result.Interface().(error)
		return result.Type() == reflect.TypeFor[error](), first
	}
	for _, err := range result.Seq2() {
		first, _ = err.Interface().(error)
		break
	}
	return true, first
}

func TestARefusedArgumentOfEveryMethodIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w witness
		server := practicetest.New(t, practicetest.WithStrict(false)) // it may refuse an empty body
		client := server.Client(t, w.options()...)
		methods := 0
		forEveryMethod(t.Context(), client, reflect.Zero, func(method string, err error) {
			if strings.HasSuffix(method, ".FS") || err == nil { // empty options are valid
				w.seen, w.tracer.Spans = nil, nil
				w.log.Reset()
				return
			}
			methods++
			w.tells(t, method, err)
		})
		assert.Greater(t, methods, 30)

		refused := client.With(practice.WithRetries(-1))
		forEveryMethod(t.Context(), refused, reflect.Zero, func(method string, err error) {
			if !strings.HasSuffix(method, ".FS") {
				require.Error(t, err, method)
				w.tells(t, method, err)
			}
		})
	})
}

func TestAnUnreadableAnswerIsAFailureForEveryoneWhoWatches(t *testing.T) {
	t.Parallel()
	forSomeOperations(t, 4, func(r *operationRow, server *practicetest.Server) {
		for name, body := range map[string]string{
			"not whole": `{"value":[{"id":`, "of another kind": `"down for maintenance"`, "no JSON": `<html>`, "a bad element": `{"value":[{"id":tru}]}`,
		} {
			var w witness
			client := server.Client(r, w.options()...)
			server.Inject(practicetest.Fault{Operation: r.op.ID, Status: http.StatusOK, Body: body})
			err := r.op.Call(r.Context(), client, server.Firm())
			server.ClearFaults()
			var unreadable *practice.DecodeError
			if errors.As(err, &unreadable) {
				assert.Equal(r, http.StatusOK, w.seen[len(w.seen)-1].Status, name)
			}
			w.tells(r.TB.(*testing.T), r.op.Name, err)
		}
	})
}

func TestAWalkIsToldAsAWhole(t *testing.T) {
	t.Parallel()
	list := func(body string) practicetest.Fault {
		return practicetest.Fault{Operation: "listWebhooks", Status: http.StatusOK, Body: body}
	}
	take := func(n int, walk iter.Seq2[models.WebhookSubscription, error]) {
		for range walk {
			if n--; n == 0 {
				return
			}
		}
	}
	for name, test := range map[string]struct {
		body    string
		take    int // 0: all
		failure string
		want    practice.Observation
		page    string // error of the page
	}{
		"complete": {body: `{"value":[{"id":"1"},{"id":"2"}],"size":2}`,
			want: practice.Observation{Records: 2, Reason: "complete"}},
		"of nothing": {body: `{"value":[],"size":0}`, want: practice.Observation{Reason: "complete"}},
		"left by its caller": {body: `{"value":[{"id":"1"},{"id":"2"}],"size":2}`, take: 1,
			want: practice.Observation{Records: 1, Reason: "the caller stopped the iteration"}},
		"with a record that cannot be read": {body: `{"value":[{"id":"1"},{"id":7},{"id":"2"}],"size":3}`,
			want: practice.Observation{Records: 2, Unreadable: 1, Reason: "complete"}, failure: "record 1 ", page: "record 1 "},
		"with an element that is no JSON": {body: `{"value":[{"id":"1"},{"id":tru}],"size":2}`,
			want: practice.Observation{Records: 1, Reason: "the list ended with an error"}, failure: "could not be read", page: "could not be read"},
		"with a page that is no page": {body: `7`,
			want: practice.Observation{Reason: "the list ended with an error"}, failure: "could not be read", page: "could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var w witness
				server := practicetest.New(t)
				client := server.Client(t, w.options()...)
				server.Inject(list(test.body))
				take(test.take, client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{}))

				calls := w.calls("Webhooks.All")
				require.Len(t, calls, 2, "the page, then the walk")
				page, walk := calls[0], calls[1]
				assert.Equal(t, practice.ObservedPage, page.Kind)
				assert.Equal(t, practice.ObservedWalk, walk.Kind)
				assert.Equal(t, test.want, practice.Observation{Records: walk.Records, Unreadable: walk.Unreadable, Reason: walk.Reason})
				assert.Equal(t, 1, walk.Attempt)
				assert.Equal(t, page.BytesReceived, walk.BytesReceived)
				assert.Equal(t, walk.Records, page.Records)
				assert.Equal(t, walk.Unreadable, page.Unreadable)
				for o, failure := range map[practice.Observation]string{page: test.page, walk: test.failure} {
					if failure == "" {
						assert.NoError(t, o.Err)
					} else {
						assert.ErrorContains(t, o.Err, failure)
					}
				}
				w.tracer.Complete(t)
				roots := w.tracer.Below(nil)
				require.Len(t, roots, 1, "one trace")
				assert.Len(t, w.tracer.Below(roots[0]), 1, "the page is below the walk")
			})
		})
	}
}

// TestAPageOfAWalkEndsWhenItIsReadButLastsUntilItsAnswer checks that the time
// of the loop body does not count as the time of the page.
func TestAPageOfAWalkEndsWhenItIsReadButLastsUntilItsAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w witness
		server := practicetest.New(t, practicetest.WithEvents(40))
		client := server.Client(t, w.options()...)
		for _, err := range client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 20}}, practice.WithPrefetch(0)) {
			require.NoError(t, err)
			<-time.After(time.Second)
		}
		calls := w.calls("Events.All")
		require.NotEmpty(t, calls)
		walk := calls[len(calls)-1]
		assert.GreaterOrEqual(t, walk.Duration, 20*time.Second)
		assert.Equal(t, len(calls)-1, walk.Attempt)
		for _, page := range calls[:len(calls)-1] {
			assert.Less(t, page.Duration, time.Second)
		}
	})
}

func TestWaitsAreTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w witness
		server := practicetest.New(t)
		server.Inject(
			practicetest.Fault{Operation: "token", Kind: practicetest.FaultLatency, Delay: 3 * time.Second},
			practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultRateLimit, RetryAfter: "7"})
		client := server.Client(t, append(w.options(), testkit.ClientCredentials(server), practice.WithLimiter(slow{5 * time.Second}))...)
		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)))
		call := w.calls("Staff.Get")[0]
		assert.Equal(t, practice.Waits{Token: 3 * time.Second, RateLimit: 10 * time.Second, Retry: 7 * time.Second}, call.Waits)
		assert.Equal(t, 20*time.Second, call.Duration)
		var tokens []practice.Observation
		for _, o := range w.seen {
			if o.Kind == practice.ObservedTokenAttempt {
				tokens = append(tokens, o)
			}
		}
		require.Len(t, tokens, 1)
		token := tokens[0]
		assert.Positive(t, token.BytesReceived)
		assert.Positive(t, token.BytesSent)
		token.BytesReceived, token.BytesSent = 0, 0
		assert.Equal(t, practice.Observation{
			Operation: "Token", Method: http.MethodPost, Server: testkit.HostOf(server.TokenURL()), Kind: practice.ObservedTokenAttempt, Attempt: 1, Status: 200,
			Protocol: "HTTP/1.1", Duration: 3 * time.Second, Reason: "success",
		}, token)
		attempts := w.tracer.Below(w.tracer.Below(nil)[0])
		var waits []practice.Waits
		for _, attempt := range attempts {
			if attempt.Started.Kind != practice.ObservedTokenAttempt {
				waits = append(waits, attempt.Started.Waits)
				assert.Equal(t, attempt.Started.Waits, attempt.Ended.Waits)
			}
		}
		assert.Equal(t, []practice.Waits{
			{Token: 3 * time.Second, RateLimit: 5 * time.Second}, {RateLimit: 5 * time.Second, Retry: 7 * time.Second},
		}, waits)
	})
}

// slow is a limiter that always waits.
type slow struct{ wait time.Duration }

func (s slow) Wait(ctx context.Context) error {
	select {
	case <-time.After(s.wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestAWaitThatIsGivenUpIsToldToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w witness
		server := practicetest.New(t)
		client := server.Client(t, append(w.options(), practice.WithLimiter(slow{time.Hour}))...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := testkit.Discard(client.Staff.Get(ctx, server.Firm().StaffID))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, practice.Waits{RateLimit: time.Minute}, w.calls("Staff.Get")[0].Waits)

		server.Inject(practicetest.Fault{Operation: "getStaff", Kind: practicetest.FaultRateLimit, RetryAfter: "20"})
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		err = testkit.Discard(server.Client(t, w.options()...).Staff.Get(ctx, server.Firm().StaffID))
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, practice.Waits{Retry: 3 * time.Second}, w.calls("Staff.Get")[1].Waits)
	})
}

// strayTracer returns contexts that do not derive from the context of the call.
type strayTracer struct{ context.Context }

func (s strayTracer) Start(context.Context, practice.Observation, http.Header) context.Context {
	return s.Context
}
func (strayTracer) End(context.Context, practice.Observation) {}

func TestATracerWithoutAContextCostsNoCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		for name, theirs := range map[string]context.Context{"none": nil, "another": context.Background()} {
			client := server.Client(t, practice.WithTracer(strayTracer{theirs}))
			require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)), name)
			require.NoError(t, testkit.Discard(practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{}))), name)
		}
	})
}
