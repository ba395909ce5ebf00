package webhook_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

var errOwn = errors.New("the database key is hunter2")

// failures returns a hook that collects the reports of a receiver, for
// deliveries one after another.
func failures(into *[]*webhook.DeliveryError) webhook.Option {
	return webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { *into = append(*into, err) })
}

func TestReceiverAnswers(t *testing.T) {
	t.Parallel()
	body := sample(t, "matter-updated")
	post := func(t *testing.T, body string) *http.Request { t.Helper(); return signed(t, []byte(body)) }
	sentAgo := func(age time.Duration) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request {
			t.Helper()
			return signedWith(t, key, clock().Add(-age), requestID, body)
		}
	}
	changed := func(change func(*http.Request)) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request {
			t.Helper()
			req := signed(t, body)
			change(req)
			return req
		}
	}
	text := func(body string) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request { t.Helper(); return post(t, body) }
	}
	ok := func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil }

	for name, test := range map[string]struct {
		request func(*testing.T) *http.Request
		handle  func(context.Context, *webhook.Event[models.MatterPayload]) error
		status  int
		want    error
	}{
		"a delivery":             {sentAgo(0), ok, 200, nil},
		"not signed":             {changed(func(r *http.Request) { r.Header.Del("Signature") }), ok, 401, webhook.ErrNoSignature},
		"forged":                 {changed(func(r *http.Request) { r.Header.Set("RequestId", "x") }), ok, 401, webhook.ErrBadSignature},
		"without a time":         {changed(func(r *http.Request) { r.Header.Del("Timestamp") }), ok, 401, webhook.ErrBadTimestamp},
		"too old":                {sentAgo(6 * time.Minute), ok, 401, webhook.ErrTooOld},
		"too new":                {sentAgo(-6 * time.Minute), ok, 401, webhook.ErrTooNew},
		"not a POST":             {changed(func(r *http.Request) { r.Method = http.MethodPut }), ok, 405, webhook.ErrMethod},
		"too large":              {text(`{"type":"matter.updated","x":"` + strings.Repeat("x", 4096) + `"}`), ok, 413, webhook.ErrBodyTooLarge},
		"broken off":             {changed(func(r *http.Request) { r.Body = broken() }), ok, 400, webhook.ErrBodyUnreadable},
		"no body":                {text(""), ok, 400, webhook.ErrMalformed},
		"no body object":         {changed(func(r *http.Request) { r.Body = nil }), ok, 400, webhook.ErrMalformed},
		"not JSON":               {text("type=matter.updated"), ok, 400, webhook.ErrMalformed},
		"not an object":          {text(`["matter.updated"]`), ok, 400, webhook.ErrMalformed},
		"null":                   {text(`null`), ok, 400, webhook.ErrMalformed},
		"without a type":         {text(`{"payload":{}}`), ok, 400, webhook.ErrMalformed},
		"with a null type":       {text(`{"type":null,"payload":{}}`), ok, 400, webhook.ErrMalformed},
		"with two types":         {text(`{"type":"matter.updated","type":"error"}`), ok, 400, webhook.ErrMalformed},
		"with a doubled member":  {text(`{"type":"matter.updated","payload":{"id":"1","id":"2"}}`), ok, 400, webhook.ErrMalformed},
		"with text behind it":    {text(`{"type":"matter.updated"} {}`), ok, 400, webhook.ErrMalformed},
		"with a type of no text": {text(`{"type":["matter.updated"]}`), ok, 400, webhook.ErrMalformed},
		"with a wrong payload":   {text(`{"type":"matter.updated","payload":{"clients":"none"}}`), ok, 400, webhook.ErrMalformed},
		"a handler that fails": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { return errOwn },
			500, errOwn,
		},
		"a handler whose error is one of ours": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { return webhook.ErrTooOld },
			500, webhook.ErrHandler,
		},
		"a handler that panics": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { panic("at the disco") },
			500, webhook.ErrHandler,
		},
		"a handler that panics with an error": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { panic(errOwn) },
			500, errOwn,
		},
		"a handler that ends its goroutine": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { runtime.Goexit(); return nil },
			500, webhook.ErrHandler,
		},
		"a handler that gives up by itself": {
			sentAgo(0),
			func(context.Context, *webhook.Event[models.MatterPayload]) error { return context.DeadlineExceeded },
			500, context.DeadlineExceeded,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reported []*webhook.DeliveryError
			receiver := newReceiver(t, webhook.WithMaxBody(4096), failures(&reported))
			handled := 0
			webhook.On(receiver, models.EventTypeMatterUpdated,
				func(ctx context.Context, e *webhook.Event[models.MatterPayload]) error {
					handled++
					return test.handle(ctx, e)
				})
			w := serve(receiver, test.request(t))
			assert.Equal(t, test.status, w.Code)
			text := ""
			if test.status != 200 {
				text = http.StatusText(test.status) + "\n"
			}
			assert.Equal(t, text, w.Body.String(), "the sender learns the status only")
			assert.Equal(t, test.status != 200, w.Header().Get("Content-Type") == "text/plain; charset=utf-8")
			assert.Equal(t, test.status == 405, w.Header().Get("Allow") == http.MethodPost)
			assert.Equal(t, test.status == 200 || test.status == 500, handled == 1)
			if test.want == nil {
				assert.Empty(t, reported)
				assert.EqualValues(t, 1, receiver.Stats().Accepted)
				assert.Empty(t, receiver.Refusals())
				return
			}
			require.Len(t, reported, 1)
			assert.Equal(t, map[error]uint64{counted(test.status, test.want): 1}, receiver.Refusals())
			assert.EqualValues(t, 1, receiver.Stats().Refused)
			require.ErrorIs(t, reported[0], test.want)
			assert.Equal(t, test.status, reported[0].Status)
			assert.Equal(t, test.status == 500, errors.Is(reported[0], webhook.ErrHandler))
			assert.Equal(t, test.status < 401 || test.status > 405, reported[0].Verified.Signed())
		})
	}
}

// counted returns the reason under which a refusal is counted, ignoring errors
// that a handler wraps.
func counted(status int, err error) error {
	if status == http.StatusInternalServerError {
		return webhook.ErrHandler
	}
	return err
}

func broken() io.ReadCloser {
	return io.NopCloser(io.MultiReader(strings.NewReader(`{"type":`), iotest.ErrReader(io.ErrUnexpectedEOF)))
}

func TestReceiverTakesABodyOfExactlyTheLimit(t *testing.T) {
	t.Parallel()
	body := sample(t, "error")
	assert.Equal(t, 200, serve(newReceiver(t, webhook.WithMaxBody(int64(len(body)))), signed(t, body)).Code)
	assert.Equal(t, 413, serve(newReceiver(t, webhook.WithMaxBody(int64(len(body)-1))), signed(t, body)).Code)
	assert.Equal(t, 200, serve(newReceiver(t, webhook.WithMaxBody(math.MaxInt64)), signed(t, body)).Code)
}

func TestReceiverDoesNotReadTheBodyOfAForgery(t *testing.T) {
	t.Parallel()
	req := signed(t, nil)
	req.Header.Set("Signature", strings.Repeat("0", 64))
	req.Body = io.NopCloser(readerFunc(func([]byte) (int, error) {
		t.Error("the body was read")
		return 0, io.EOF
	}))
	assert.Equal(t, 401, serve(newReceiver(t), req).Code)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestReceiverReportsWhatIsKnownOfTheDelivery(t *testing.T) {
	t.Parallel()
	var reported []*webhook.DeliveryError
	receiver := newReceiver(t, failures(&reported))
	webhook.On(receiver, models.EventTypeError,
		func(context.Context, *webhook.Event[models.ErrorPayload]) error { panic("oh") })
	serve(receiver, signed(t, sample(t, "error")))
	require.Len(t, reported, 1)
	assert.Equal(t, requestID, reported[0].RequestID)
	assert.Equal(t, models.EventTypeError.Type(), reported[0].Type)
	assert.Equal(t, sentTicks, reported[0].Verified.SentAt)
	require.EqualError(t, reported[0],
		"webhook: delivery rejected with status 500: webhook: a handler failed: webhook: a handler panicked: oh")
	var panicked *webhook.PanicError
	require.ErrorAs(t, reported[0], &panicked)
	assert.Equal(t, "oh", panicked.Value)
	assert.Contains(t, string(panicked.Stack), "receiver_test.go")
	assert.Contains(t, reported[0].LogValue().String(), requestID)
}

func TestReceiverSurvivesAHookThatPanics(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.WithErrorHook(func(context.Context, *webhook.DeliveryError) { panic("hook") }))
	assert.Equal(t, 400, serve(receiver, signed(t, []byte("?"))).Code)
}

func TestReceiverOfASubscriptionWithoutAKey(t *testing.T) {
	t.Parallel()
	receiver, err := webhook.NewReceiver(clientID, webhook.NoKey())
	require.NoError(t, err)
	var events []*webhook.Event[models.ErrorPayload]
	webhook.On(receiver, models.EventTypeError,
		func(_ context.Context, e *webhook.Event[models.ErrorPayload]) error {
			events = append(events, e)
			return nil
		})
	post := func(header, body string) int {
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		if header != "" {
			req.Header.Set("RequestId", header)
		}
		return serve(receiver, req).Code
	}
	assert.Equal(t, 200, post("", `{"type":"error"}`))
	assert.Equal(t, 200, post("", `{"type":"error","requestId":"of the body"}`))
	assert.Equal(t, 200, post("of the header", `{"type":"error","requestId":"of the body"}`))
	assert.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
	require.Len(t, events, 4)
	for i, want := range []string{"", "of the body", "of the header", requestID} {
		assert.Equal(t, want, events[i].RequestID)
		assert.False(t, events[i].Verified.Signed(), "nothing was verified")
	}
}

func TestReceiverWorksBehindAnyRouter(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)
	mux.Handle("/prefix/", http.StripPrefix("/prefix", receiver))
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, want := range map[string]int{"/hooks": 200, "/prefix/anything": 200, "/elsewhere": 404} {
		req := signed(t, sample(t, "matter-updated"))
		out, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, req.Body)
		require.NoError(t, err)
		out.Header = req.Header
		res, err := server.Client().Do(out)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, want, res.StatusCode, path)
	}
}
