package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// Without an HTTP server, a Verifier checks the headers. Every reason for a
// refusal has a sentinel.
func ExampleVerifier() {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var verifier *webhook.Verifier
	verifier, err := webhook.NewVerifier("client0001", webhook.Keys("the key"),
		webhook.WithTolerance(time.Minute), webhook.WithClock(func() time.Time { return at }))
	if err != nil {
		fmt.Println(err)
		return
	}
	signer, err := webhook.NewSigner("client0001", "the key")
	if err != nil {
		fmt.Println(err)
		return
	}
	deliver := func(sent time.Time, change func(http.Header)) {
		header := http.Header{}
		if err := signer.Sign(header, sent, "request-1"); err != nil {
			fmt.Println(err)
			return
		}
		change(header)
		verified, err := verifier.Verify(header)
		for _, reason := range []error{
			webhook.ErrNoSignature, webhook.ErrBadSignature, webhook.ErrBadTimestamp, webhook.ErrTooOld, webhook.ErrTooNew,
		} {
			if errors.Is(err, reason) {
				fmt.Println(reason)
			}
		}
		if err == nil {
			fmt.Println(verified.Signed(), verified.RequestID)
		}
	}
	unchanged := func(http.Header) {}
	deliver(at, unchanged)
	deliver(at, func(h http.Header) { h.Del(webhook.HeaderSignature) })
	deliver(at, func(h http.Header) { h.Set(webhook.HeaderRequestID, "request-2") })
	deliver(at, func(h http.Header) {
		h.Set(webhook.HeaderTimestamp, "now")
		h.Set(webhook.HeaderSignature, signer.Signature("now", "request-1"))
	})
	deliver(at.Add(-time.Hour), unchanged)
	deliver(at.Add(time.Hour), unchanged)
	// Output:
	// true request-1
	// webhook: the delivery is not signed
	// webhook: the signature does not match any key
	// webhook: the signed timestamp is not a valid tick count
	// webhook: the delivery was sent too long ago
	// webhook: the delivery timestamp is too far in the future
}

// A receiver counts its refusals by reason.
func ExampleReceiver_Refusals_reasons() {
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithMaxBody(webhook.DefaultMaxBody/1024),
		webhook.WithDeadline(webhook.DefaultDeadline/2))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		if e.Type == "files.updated" {
			return errors.New("the disk is full")
		}
		panic("no room")
	})
	for _, body := range []string{`{}`, strings.Repeat(" ", 2048), `{"type":"files.updated"}`, `{"type":"roles.updated"}`} {
		receiver.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body)))
	}
	receiver.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/hooks", nil))
	refused := receiver.Refusals()
	for _, reason := range []error{
		webhook.ErrMalformed, webhook.ErrBodyTooLarge, webhook.ErrHandler, webhook.ErrMethod,
		webhook.ErrBodyUnreadable, webhook.ErrUnfinished, webhook.ErrInProgress, webhook.ErrStore,
	} {
		fmt.Println(refused[reason], reason)
	}
	// Output:
	// 1 webhook: the body is not a notification
	// 1 webhook: the body is too large
	// 2 webhook: a handler failed
	// 1 webhook: the request is not a POST
	// 0 webhook: the body was incomplete or arrived too slowly
	// 0 webhook: the handlers did not finish before the timeout
	// 0 webhook: another delivery of this event is being handled
	// 0 webhook: a store used by the receiver failed
}

// A panic of a handler is reported to the error hook like an error.
func ExamplePanicError() {
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithErrorHook(func(_ context.Context, failed *webhook.DeliveryError) {
		if panicked, ok := errors.AsType[*webhook.PanicError](failed); ok {
			fmt.Println(failed.Status, panicked.Value, len(panicked.Stack) > 0)
		}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { panic("no room") })
	receiver.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"fee.created"}`)))
	// Output:
	// 500 no room true
}

// An invalid setting is refused by the constructor.
func ExampleConfigError() {
	_, err := webhook.NewReceiver("client0001", webhook.NoKey(), webhook.WithDeadline(webhook.ServiceTimeout))
	if refused, ok := errors.AsType[*webhook.ConfigError](err); ok {
		fmt.Println(refused.Name, refused.Reason)
	}
	// Output:
	// WithDeadline must be greater than 0 and less than 10s
}
