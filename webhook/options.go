package webhook

import (
	"context"
	"fmt"
	"math"
	"time"
)

// VerifierOption is a setting of [NewVerifier].
type VerifierOption interface{ applyVerifier(*verifierSettings) error }

// ReceiverOption is a setting of [NewReceiver].
type ReceiverOption interface{ applyReceiver(*settings) error }

// Option is a setting of a verifier or a receiver.
type Option interface {
	VerifierOption
	ReceiverOption
}

// ClockOption is a setting of the types in this package that use a clock.
type ClockOption interface {
	Option
	MemoryOption
	TrackerOption
}

// Defaults and limits.
const (
	DefaultTolerance = 5 * time.Minute // largest difference between the send time of a delivery and the clock
	DefaultDeadline  = 8 * time.Second // time limit of a delivery, including its handlers
	DefaultMaxBody   = 1 << 20         // size of a body in bytes

	DefaultStoreTimeout = 2 * time.Second  // time limit of one call to a Deduplicator, a Sequencer or a Tracker
	ServiceTimeout      = 10 * time.Second // time for which the service waits for a response
)

type verifierSettings struct {
	tolerance time.Duration
	now       func() time.Time
}

type settings struct {
	verifier verifierSettings
	deadline time.Duration
	maxBody  int64
	onError  func(context.Context, *DeliveryError)
	onAlarm  func(context.Context, Alarm)

	middleware []Middleware
	propagator Propagator // nil if nothing is carried through the queue

	maxDeliveries    int // 0 means no limit
	refuseSecondBody bool
	serial           bool // events of one record are handled one at a time

	storeTimeout time.Duration
	deduplicator Deduplicator
	sequencer    Sequencer
	tracker      *Tracker
	own          ownRequests

	queue          Queue
	workers        int
	handlerTimeout time.Duration
	retry          RetryPolicy
}

// identifies reports whether a setting needs the identity of events.
func (s *settings) identifies() bool {
	return s.deduplicator != nil || s.orders()
}

// orders reports whether a setting needs the records of events.
func (s *settings) orders() bool { return s.sequencer != nil || s.queue != nil || s.serial }

// idle reports whether only the handlers use the events.
func (s *settings) idle() bool { return s.queue == nil && s.tracker == nil && s.own.verifier == nil }

func defaultVerifierSettings() verifierSettings {
	return verifierSettings{tolerance: DefaultTolerance, now: time.Now}
}

func defaultSettings() settings {
	return settings{
		verifier: defaultVerifierSettings(),
		deadline: DefaultDeadline,
		maxBody:  DefaultMaxBody,

		storeTimeout:   DefaultStoreTimeout,
		own:            ownRequests{age: DefaultOwnAge},
		workers:        DefaultWorkers,
		handlerTimeout: DefaultHandlerTimeout,
		retry:          DefaultRetryPolicy(),
	}
}

type option func(*verifierSettings) error

func (f option) applyVerifier(s *verifierSettings) error { return f(s) }
func (f option) applyReceiver(s *settings) error         { return f(&s.verifier) }

type clockOption func() time.Time

func (now clockOption) check() error {
	if now == nil {
		return &ConfigError{"WithClock", notNil}
	}
	return nil
}

func (now clockOption) applyVerifier(s *verifierSettings) error { s.now = now; return now.check() }
func (now clockOption) applyReceiver(s *settings) error         { return now.applyVerifier(&s.verifier) }
func (now clockOption) applyMemory(s *memorySettings) error     { s.now = now; return now.check() }
func (now clockOption) applyTracker(t *Tracker) error           { t.now = now; return now.check() }

type receiverOption func(*settings) error

func (f receiverOption) applyReceiver(s *settings) error { return f(s) }

// setting returns an option of a receiver; see checked.
func setting(name string, bad bool, rule string, set func(*settings)) ReceiverOption {
	return receiverOption(checked(name, bad, rule, set))
}

// checked returns a function that calls set, or that returns a ConfigError if
// the value is bad.
func checked[S any](name string, bad bool, rule string, set func(*S)) func(*S) error {
	return func(s *S) error {
		if bad {
			return &ConfigError{name, rule}
		}
		set(s)
		return nil
	}
}

// Rules for most numbers, and for hooks and stores.
const (
	aboveZero = "must be above 0"
	notNil    = "must not be nil"
)

// WithTolerance sets the largest difference between the send time of a delivery
// and the clock, in either direction. It must be above 0; the default is
// [DefaultTolerance]. A short tolerance leaves less time to replay captured
// headers, but it must cover the difference between the two clocks.
func WithTolerance(tolerance time.Duration) Option {
	return option(checked("WithTolerance", tolerance <= 0, aboveZero, func(s *verifierSettings) { s.tolerance = tolerance }))
}

// WithClock sets the clock for send times and retention; the default is
// time.Now. Several goroutines call it concurrently.
func WithClock(now func() time.Time) ClockOption { return clockOption(now) }

// WithMaxBody sets the largest size of a body, in bytes; a larger one is
// [ErrBodyTooLarge]. It must be above 0; the default is [DefaultMaxBody].
func WithMaxBody(bytes int64) ReceiverOption {
	return setting("WithMaxBody", bytes <= 0, aboveZero, func(s *settings) {
		s.maxBody = min(bytes, math.MaxInt64-1) // one byte more is read to detect a body that is too large
	})
}

// WithDeadline sets the time limit of a delivery, for reading its body and
// running its handlers. It must be above 0 and below [ServiceTimeout], after
// which the service no longer waits; the default is [DefaultDeadline]. Set
// ReadHeaderTimeout and ReadTimeout of the [http.Server] as well: with Go 1.27,
// and behind a middleware whose ResponseWriter has no Unwrap method, a sender
// that waits for 100 Continue and then sends no body gets a response only when
// that time is over.
func WithDeadline(deadline time.Duration) ReceiverOption {
	return setting("WithDeadline", deadline <= 0 || deadline >= ServiceTimeout, fmt.Sprintf("must be above 0 and below %v", ServiceTimeout), func(s *settings) {
		s.deadline = deadline
	})
}

// WithMaxDeliveries sets how many deliveries are handled concurrently within
// their requests. Further ones get status 503 ([ErrBusy]), and the service may
// not send them again. Handlers that outlive their request count until they
// return. A delivery counts only after its signature is verified, so that
// forgeries cannot use up the limit. It must be above 0; without this option
// there is no limit.
func WithMaxDeliveries(deliveries int) ReceiverOption {
	return setting("WithMaxDeliveries", deliveries <= 0, aboveZero, func(s *settings) { s.maxDeliveries = deliveries })
}

// RefuseSecondBody refuses a valid signature that arrives again with another
// body, with status 401 ([ErrSecondBody]); see [Alarm]. It also refuses the
// second of two events of one request that the service sends within the same
// tick, and the genuine event when a forgery arrived first. With [NoKey] it is
// a [ConfigError].
func RefuseSecondBody() ReceiverOption {
	return setting("RefuseSecondBody", false, "", func(s *settings) { s.refuseSecondBody = true })
}

// WithStoreTimeout sets the time limit for one call of the Deduplicator, the
// Sequencer or the Tracker; it also applies when the store ignores its context.
// Within a request the limit is at most a quarter of [WithDeadline], and all
// stores that are called before the handlers, including a [KeySource], share
// half of it. It must be above 0; the default is [DefaultStoreTimeout].
func WithStoreTimeout(timeout time.Duration) ReceiverOption {
	return setting("WithStoreTimeout", timeout <= 0, aboveZero, func(s *settings) { s.storeTimeout = timeout })
}

// WithErrorHook reports failures to hook: each refused delivery, before the
// response; each failed attempt to handle a message from a queue; each failure
// of a store; and the error or panic of a handler that returns after the
// response. Several goroutines call the hook concurrently, and it should return
// quickly. Its context has the values of the request but does not end with it.
// A panic of the hook is ignored.
func WithErrorHook(hook func(context.Context, *DeliveryError)) ReceiverOption {
	return setting("WithErrorHook", hook == nil, notNil, func(s *settings) { s.onError = hook })
}

// WithAlarmHook calls hook, under the rules of [WithErrorHook], when a valid
// signature arrives again with another body, before the handlers run; see
// [Alarm]. Without this option the receiver does not keep signatures. With
// [NoKey] it is a [ConfigError].
func WithAlarmHook(hook func(context.Context, Alarm)) ReceiverOption {
	return setting("WithAlarmHook", hook == nil, notNil, func(s *settings) { s.onAlarm = hook })
}

// Defaults of a receiver with a queue.
const (
	DefaultWorkers        = 4           // messages handled concurrently
	DefaultHandlerTimeout = time.Minute // time limit of one attempt, including its handlers
)

// WithQueue stores and acknowledges deliveries at once; [Receiver.Run] handles
// them later. It stores every event that is signed and has a type, even if no
// handler can decode it. When the queue is full or fails, the status is 503,
// and the service may not send the delivery again. [WithErrorHook] reports
// this, and [Stats.QueueFull] counts deliveries refused by a full queue.
func WithQueue(queue Queue) ReceiverOption {
	return setting("WithQueue", queue == nil, notNil, func(s *settings) { s.queue = queue })
}

// WithWorkers sets how many messages one [Receiver.Run] handles concurrently.
// It must be above 0; the default is [DefaultWorkers].
func WithWorkers(workers int) ReceiverOption {
	return setting("WithWorkers", workers <= 0, aboveZero, func(s *settings) { s.workers = workers })
}

// WithHandlerTimeout sets the time limit for the handlers of one attempt at a
// message from a queue; their context then ends. It ends earlier if the lease
// of the message or the claim cannot be extended, before another worker may get
// the event. The worker waits for handlers that ignore their context, and keeps
// message and claim. It must be above 0; the default is
// [DefaultHandlerTimeout].
func WithHandlerTimeout(timeout time.Duration) ReceiverOption {
	return setting("WithHandlerTimeout", timeout <= 0, aboveZero, func(s *settings) { s.handlerTimeout = timeout })
}

// WithRetryPolicy sets when a failed message from a queue is retried, and when
// it becomes a dead letter. The default is [DefaultRetryPolicy].
func WithRetryPolicy(policy RetryPolicy) ReceiverOption {
	return setting("WithRetryPolicy", policy.Attempts < 1 || policy.First <= 0 || policy.Max < policy.First,
		"needs at least 1 attempt, a first wait above 0 and no shorter longest wait", func(s *settings) { s.retry = policy })
}

// WithDeduplicator drops redelivered events: the delivery is acknowledged and
// no handler runs. While another delivery of the same event is being handled
// the status is 503, because that one may still fail. An event counts as
// handled when its handlers succeed, even after the deadline of its delivery.
//
// When the Deduplicator fails, the receiver reports it to [WithErrorHook].
// Within a request it then handles the event anyway, because handling it twice
// is better than losing it; an event from a queue waits.
func WithDeduplicator(deduplicator Deduplicator) ReceiverOption {
	return setting("WithDeduplicator", deduplicator == nil, notNil, func(s *settings) { s.deduplicator = deduplicator })
}

// WithSequencer sets [Event.Order]; see [Sequencer] for the limits of its
// advice. When the Sequencer fails, Order is OrderNone and [WithErrorHook]
// reports the failure. Messages do not wait for it: a failed update is retried
// after the message, and until then this receiver remembers it.
func WithSequencer(sequencer Sequencer) ReceiverOption {
	return setting("WithSequencer", sequencer == nil, notNil, func(s *settings) { s.sequencer = sequencer })
}

// WithTracker records every verified and decoded delivery in the tracker before
// the queue or the handlers get it, including one that is dropped or has no
// handler. With a queue, an update that fails or takes more than 50 ms is
// retried when a worker has the message, and then in the background. Without a
// queue, if recording an error event fails, the handlers run but the status is
// 503, so that the service may report the failed write again.
func WithTracker(tracker *Tracker) ReceiverOption {
	return setting("WithTracker", tracker == nil, notNil, func(s *settings) { s.tracker = tracker })
}
