package webhook

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/practicesdk/practice-go/models"
)

// Reasons for rejecting a delivery, for use with errors.Is. The comments show
// the status of the response.
var (
	ErrNoSignature    = errors.New("webhook: the delivery is not signed")                           // 401
	ErrBadSignature   = errors.New("webhook: the signature does not match any key")                 // 401
	ErrBadTimestamp   = errors.New("webhook: the signed timestamp is not a valid tick count")       // 401
	ErrTooOld         = errors.New("webhook: the delivery was sent too long ago")                   // 401
	ErrTooNew         = errors.New("webhook: the delivery timestamp is too far in the future")      // 401
	ErrWrongAccount   = errors.New("webhook: the key and the event belong to different accounts")   // 401
	ErrSecondBody     = errors.New("webhook: the signature was already used with a different body") // 401
	ErrMethod         = errors.New("webhook: the request is not a POST")                            // 405
	ErrBodyTooLarge   = errors.New("webhook: the body is too large")                                // 413
	ErrBodyUnreadable = errors.New("webhook: the body was incomplete or arrived too slowly")        // 400
	ErrMalformed      = errors.New("webhook: the body is not a notification")                       // 400
	ErrHandler        = errors.New("webhook: a handler failed")                                     // 500
	ErrUnfinished     = errors.New("webhook: the handlers did not finish before the timeout")       // 503
	ErrInProgress     = errors.New("webhook: another delivery of this event is being handled")      // 503
	ErrBusy           = errors.New("webhook: the limit on concurrent deliveries has been reached")  // 503
	ErrStore          = errors.New("webhook: a store used by the receiver failed")                  // 503
)

// Errors of stores, for errors.Is. A receiver wraps them in ErrStore.
var (
	ErrQueueFull    = errors.New("webhook: the queue is full")
	ErrQueueClosed  = errors.New("webhook: the queue is closed")
	ErrNoDeadLetter = errors.New("webhook: the dead letter was not found")
	ErrNotTracked   = errors.New("webhook: the write with this request id is not tracked")
)

// ConfigError reports an invalid setting. It does not contain the value.
type ConfigError struct {
	Name   string // the option or argument
	Reason string // what it must be
}

// Error names the setting and the requirement.
func (e *ConfigError) Error() string { return "webhook: " + e.Name + ": " + e.Reason }

func checkClientID(clientID string) error {
	if clientID == "" {
		return &ConfigError{"clientID", "must not be empty"}
	}
	return nil
}

// PanicError is a recovered panic, wrapped in [ErrHandler] for a handler or
// [ErrStore] for a store.
type PanicError struct {
	Value any    // value passed to panic; nil if the function called runtime.Goexit
	Stack []byte // stack trace of the panic, as the runtime prints it

	ofStore bool
}

// Error shows the value but not the stack.
func (e *PanicError) Error() string {
	who := "a handler"
	if e.ofStore {
		who = "a store"
	}
	if e.Value == nil {
		return "webhook: " + who + " called runtime.Goexit"
	}
	return fmt.Sprintf("webhook: %s panicked: %v", who, e.Value)
}

// Unwrap returns the value when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// DeliveryError reports a rejected delivery, a message that could not be
// handled, or a failed store. errors.Is matches the sentinel error of the
// reason and the error of the handler. The sender receives only the status.
type DeliveryError struct {
	Status    int              // HTTP status of the response; 0 if the failure did not change it
	RequestID string           // see Event.RequestID; trustworthy only if Verified.Signed
	Type      models.EventType // type of the event; empty if the delivery was rejected before it was decoded
	Verified  Verified         // result of the verification
	Attempt   int              // number of the attempt to handle a message from a queue, from 1; 0 within the request
	Dead      bool             // the message became a dead letter
	Err       error            // the reason
}

// Error returns the status or the attempt, and the reason.
func (e *DeliveryError) Error() string {
	switch {
	case e.Dead:
		return fmt.Sprintf("webhook: queued delivery became a dead letter after attempt %d: %v", e.Attempt, e.Err)
	case e.Attempt > 0:
		return fmt.Sprintf("webhook: attempt %d to handle a queued delivery failed: %v", e.Attempt, e.Err)
	case e.Status == 0:
		return fmt.Sprintf("webhook: delivery accepted, but an error occurred: %v", e.Err)
	default:
		return fmt.Sprintf("webhook: delivery rejected with status %d: %v", e.Status, e.Err)
	}
}

// Unwrap returns the reason.
func (e *DeliveryError) Unwrap() error { return e.Err }

// LogValue returns the fields that identify the failure.
func (e *DeliveryError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("status", e.Status), slog.String("type", string(e.Type)), slog.String("request_id", e.RequestID),
		slog.Int("attempt", e.Attempt), slog.Bool("dead", e.Dead), slog.Any("error", e.Err))
}
