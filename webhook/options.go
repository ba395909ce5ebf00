package webhook

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Option is a setting of [NewReceiver]; some are also settings of [NewVerifier]
// or [NewMemoryStore]. A constructor returns a [ConfigError] for a setting that
// is not one of its own.
type Option func(*settings) error

// Defaults and limits.
const (
	DefaultTolerance = 5 * time.Minute // largest difference between the send time of a delivery and the clock
	DefaultDeadline  = 8 * time.Second // time limit of a delivery, including its handlers
	DefaultMaxBody   = 1 << 20         // size of a body in bytes

	DefaultStoreTimeout = 2 * time.Second  // time limit of one call to a Deduplicator or a Tracker
	ServiceTimeout      = 10 * time.Second // time for which the service waits for a response
)

// constructor is a set of constructors.
type constructor int

const (
	ofReceiver constructor = 1 << iota
	ofVerifier
	ofMemory
)

type settings struct {
	of        constructor
	now       func() time.Time
	tolerance time.Duration
	capacity  int           // of a memory store
	retention time.Duration // of a memory store

	deadline time.Duration
	maxBody  int64
	onError  func(context.Context, *DeliveryError)
	onAlarm  func(context.Context, Alarm) (refuse bool)

	middleware []Middleware
	propagator Propagator // nil if nothing is carried through the queue

	maxDeliveries int  // 0 means no limit
	serial        bool // events of one record are handled one at a time

	storeTimeout time.Duration
	deduplicator Deduplicator
	tracker      *Tracker
	own          ownRequests

	queue          Queue
	workers        int
	handlerTimeout time.Duration
	retry          RetryPolicy
}

// identifies reports whether a setting needs the identity of events.
func (s *settings) identifies() bool { return s.deduplicator != nil || s.queue != nil }

// idle reports whether only the handlers use the events.
func (s *settings) idle() bool { return s.queue == nil && s.tracker == nil && s.own.verifier == nil }

// settingsOf returns the settings of a constructor.
func settingsOf(of constructor, options []Option) (settings, error) {
	s := settings{
		of: of, now: time.Now, tolerance: DefaultTolerance, capacity: DefaultCapacity, retention: DefaultRetention,
		deadline: DefaultDeadline, maxBody: DefaultMaxBody, storeTimeout: DefaultStoreTimeout,
		own: ownRequests{age: DefaultOwnAge}, workers: DefaultWorkers, handlerTimeout: DefaultHandlerTimeout, retry: DefaultRetryPolicy(),
	}
	for _, option := range options {
		if err := option(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// setting returns an option of a receiver; see settingFor.
func setting(name string, bad bool, rule string, set func(*settings)) Option {
	return settingFor(ofReceiver, name, bad, rule, set)
}

// settingFor returns an option that calls set, or returns a ConfigError if the
// value is bad or the constructor is another one.
func settingFor(of constructor, name string, bad bool, rule string, set func(*settings)) Option {
	return func(s *settings) error {
		switch {
		case s.of&of == 0:
			return &ConfigError{name, "is not supported by this constructor"}
		case bad:
			return &ConfigError{name, rule}
		}
		set(s)
		return nil
	}
}

// Rules for most numbers, and for hooks and stores.
const (
	aboveZero = "must be greater than 0"
	notNil    = "must not be nil"
)

// WithTolerance sets the largest difference between the send time of a delivery
// and the clock, in either direction. It must be greater than 0; the default is
// [DefaultTolerance]. A short tolerance leaves less time to replay captured
// headers, but it must cover the difference between the two clocks.
func WithTolerance(tolerance time.Duration) Option {
	return settingFor(ofReceiver|ofVerifier, "WithTolerance", tolerance <= 0, aboveZero, func(s *settings) { s.tolerance = tolerance })
}

// WithClock sets the clock for send times and retention; the default is
// time.Now. Several goroutines call it concurrently.
func WithClock(now func() time.Time) Option {
	return settingFor(ofReceiver|ofVerifier|ofMemory, "WithClock", now == nil, notNil, func(s *settings) { s.now = now })
}

// WithMaxBody sets the largest size of a body, in bytes; a larger one is
// [ErrBodyTooLarge]. It must be greater than 0; the default is [DefaultMaxBody].
func WithMaxBody(bytes int64) Option {
	return setting("WithMaxBody", bytes <= 0, aboveZero, func(s *settings) {
		s.maxBody = min(bytes, math.MaxInt64-1) // one byte more is read to detect a body that is too large
	})
}

// WithDeadline sets the time limit of a delivery, for reading its body and
// running its handlers. It must be greater than 0 and less than
// [ServiceTimeout], after which the service no longer waits; the default is
// [DefaultDeadline]. Set ReadHeaderTimeout and ReadTimeout of the [http.Server]
// as well: with Go 1.27, and behind a middleware whose ResponseWriter has no
// Unwrap method, a sender that waits for 100 Continue and then sends no body
// gets a response only when ReadTimeout expires.
func WithDeadline(deadline time.Duration) Option {
	return setting("WithDeadline", deadline <= 0 || deadline >= ServiceTimeout, fmt.Sprintf("must be greater than 0 and less than %v", ServiceTimeout), func(s *settings) {
		s.deadline = deadline
	})
}

// WithMaxDeliveries sets how many deliveries are handled concurrently within
// their requests. Any others get status 503 ([ErrBusy]), and the service might
// not send them again. Handlers that outlive their request count until they
// return. A delivery counts only after its signature is verified, so that
// forgeries cannot use up the limit. It must be greater than 0; without this
// option there is no limit.
func WithMaxDeliveries(deliveries int) Option {
	return setting("WithMaxDeliveries", deliveries <= 0, aboveZero, func(s *settings) { s.maxDeliveries = deliveries })
}

// WithStoreTimeout sets the time limit for one call of the Deduplicator or the
// Tracker; it also applies when the store ignores its context.
// Within a request the limit is at most a quarter of [WithDeadline], and all
// stores that are called before the handlers, including a [KeySource], share
// half of it. It must be greater than 0; the default is [DefaultStoreTimeout].
func WithStoreTimeout(timeout time.Duration) Option {
	return setting("WithStoreTimeout", timeout <= 0, aboveZero, func(s *settings) { s.storeTimeout = timeout })
}

// WithErrorHook reports failures to hook: each rejected delivery, before the
// response; each failed attempt to handle a message from a queue; each failure
// of a store; and the error or panic of a handler that returns after the
// response. Several goroutines call the hook concurrently, and it should return
// quickly. Its context has the values of the request but does not end with it.
// A panic of the hook is ignored.
func WithErrorHook(hook func(context.Context, *DeliveryError)) Option {
	return setting("WithErrorHook", hook == nil, notNil, func(s *settings) { s.onError = hook })
}

// WithAlarmHook calls hook, under the rules of [WithErrorHook], when a valid
// signature arrives again with another body, before the handlers run; see
// [Alarm]. If hook returns true, the delivery is rejected with status 401
// ([ErrSecondBody]); this also rejects the second of two events of one request
// that the service sends within the same tick, and the genuine event when a
// forgery arrived first. A receiver remembers the signatures that it has seen
// itself: a second body that reaches another process, or this one after a
// restart, does not raise an alarm. Without this option the receiver does not
// remember signatures. With [NoKey] the option is a [ConfigError].
func WithAlarmHook(hook func(context.Context, Alarm) (refuse bool)) Option {
	return setting("WithAlarmHook", hook == nil, notNil, func(s *settings) { s.onAlarm = hook })
}

// Defaults of a receiver with a queue.
const (
	DefaultWorkers        = 4           // messages handled concurrently
	DefaultHandlerTimeout = time.Minute // time limit of one attempt, including its handlers
)

// WithQueue stores and acknowledges deliveries at once; [Receiver.Run] handles
// them later. It stores every event that is signed and has a type, even if no
// handler can decode it; a body that is not valid JSON, repeats a member or
// nests more than 250 levels deep is not an event ([ErrMalformed]). When the
// queue is full or fails, the status is 503, and the service might not send the
// delivery again. [WithErrorHook] reports this, and [Stats.QueueFull] counts
// deliveries rejected because the queue was full.
func WithQueue(queue Queue) Option {
	return setting("WithQueue", queue == nil, notNil, func(s *settings) { s.queue = queue })
}

// WithWorkers sets how many messages the receiver handles concurrently.
// It must be greater than 0; the default is [DefaultWorkers].
func WithWorkers(workers int) Option {
	return setting("WithWorkers", workers <= 0, aboveZero, func(s *settings) { s.workers = workers })
}

// WithHandlerTimeout sets the time limit for the handlers of one attempt at a
// message from a queue; their context then ends. If the lease of the message or
// the claim cannot be extended, the context ends earlier, before another worker
// can get the event. The worker waits for handlers that ignore their context,
// and keeps the message and the claim. It must be greater than 0; the default is
// [DefaultHandlerTimeout].
func WithHandlerTimeout(timeout time.Duration) Option {
	return setting("WithHandlerTimeout", timeout <= 0, aboveZero, func(s *settings) { s.handlerTimeout = timeout })
}

// WithRetryPolicy sets when a failed message from a queue is retried, and when
// it becomes a dead letter. The default is [DefaultRetryPolicy].
func WithRetryPolicy(policy RetryPolicy) Option {
	return setting("WithRetryPolicy", policy.Attempts < 1 || policy.First <= 0 || policy.Max < policy.First,
		"must have at least 1 attempt, a First wait greater than 0, and a Max wait that is not shorter than First", func(s *settings) { s.retry = policy })
}

// WithSerialRecords handles the events of one record one at a time and in the
// order in which they were put into the queue, even if several processes share
// it. An event that fails delays only the later events of its record, until it
// succeeds or becomes a dead letter. The order is set when an event is put, so
// use the option for each receiver that puts events into the queue. Events
// without a record are not ordered. Without [WithQueue] it is a [ConfigError].
//
// The service itself may send an older event after a newer one: compare
// Event.Timestamp with that of the record in the transaction that writes the
// effect, or read the record, as package fetch does.
func WithSerialRecords() Option {
	return setting("WithSerialRecords", false, "", func(s *settings) { s.serial = true })
}

// WithDeduplicator drops redelivered events: the delivery is acknowledged and
// no handler runs. While another delivery of the same event is being handled
// the status is 503, because that one may still fail. An event counts as
// handled when its handlers succeed, even after the deadline of its delivery.
//
// When the Deduplicator fails, the receiver reports it to [WithErrorHook].
// Within a request it then handles the event anyway, because handling it twice
// is better than losing it; an event from a queue waits.
func WithDeduplicator(deduplicator Deduplicator) Option {
	return setting("WithDeduplicator", deduplicator == nil, notNil, func(s *settings) { s.deduplicator = deduplicator })
}

// WithTracker records every error event in the tracker before the queue or the
// handlers get it, including one without a handler. From a queue, an event that
// could not be recorded waits. Without a queue the handlers run but the status
// is 503, so that the service can report the failed write again.
func WithTracker(tracker *Tracker) Option {
	return setting("WithTracker", tracker == nil, notNil, func(s *settings) { s.tracker = tracker })
}
