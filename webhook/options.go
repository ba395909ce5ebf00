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

// ClockOption is a setting of everything here that has a clock.
type ClockOption interface {
	Option
	MemoryOption
	TrackerOption
}

// Defaults and limits.
const (
	DefaultTolerance = 5 * time.Minute  // how far the send time of a delivery may be from the clock, both ways
	DefaultDeadline  = 8 * time.Second  // time for a delivery, with all its handlers
	DefaultMaxBody   = 1 << 20          // bytes of one body
	ServiceTimeout   = 10 * time.Second // how long the service waits for an answer; Specification, Delivery rules
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

	deduplicator Deduplicator
	sequencer    Sequencer
	tracker      *Tracker
	own          ownRequests

	queue          Queue
	workers        int
	handlerTimeout time.Duration
	retry          RetryPolicy
}

// identifies tells whether the identity of events is needed.
func (s *settings) identifies() bool {
	return s.deduplicator != nil || s.sequencer != nil || s.queue != nil
}

// idle tells whether nothing but handlers takes an interest in events.
func (s *settings) idle() bool { return s.queue == nil && s.tracker == nil && s.own.verifier == nil }

func defaultVerifierSettings() verifierSettings {
	return verifierSettings{tolerance: DefaultTolerance, now: time.Now}
}

func defaultSettings() settings {
	return settings{
		verifier: defaultVerifierSettings(),
		deadline: DefaultDeadline,
		maxBody:  DefaultMaxBody,

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
		return &ConfigError{"WithClock", "must not be nil"}
	}
	return nil
}

func (now clockOption) applyVerifier(s *verifierSettings) error { s.now = now; return now.check() }
func (now clockOption) applyReceiver(s *settings) error         { return now.applyVerifier(&s.verifier) }
func (now clockOption) applyMemory(s *memorySettings) error     { s.now = now; return now.check() }
func (now clockOption) applyTracker(t *Tracker) error           { t.now = now; return now.check() }

type receiverOption func(*settings) error

func (f receiverOption) applyReceiver(s *settings) error { return f(s) }

// WithTolerance sets how far the send time of a delivery may be from the clock, into the past and into the future
// alike; a delivery exactly that far away is taken. It must be above 0; the default is [DefaultTolerance]. A short one
// leaves less time to send captured headers again; it must leave room for the clocks of both sides.
// Specification, Signature verification.
func WithTolerance(tolerance time.Duration) Option {
	return option(func(s *verifierSettings) error {
		if tolerance <= 0 {
			return &ConfigError{"WithTolerance", "must be above 0"}
		}
		s.tolerance = tolerance
		return nil
	})
}

// WithClock sets the clock that send times are compared with, and that tells how long something is kept; the default is
// time.Now. It is called from many goroutines at once. Specification, Signature verification.
func WithClock(now func() time.Time) ClockOption { return clockOption(now) }

// WithMaxBody sets how many bytes a body may have; a larger one is [ErrBodyTooLarge]. It must be above 0; the default
// is [DefaultMaxBody].
func WithMaxBody(bytes int64) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if bytes <= 0 {
			return &ConfigError{"WithMaxBody", "must be above 0"}
		}
		s.maxBody = min(bytes, math.MaxInt64-1) // one more is read to see that it is too large
		return nil
	})
}

// WithDeadline sets the time for a delivery, with all its handlers. It must be above 0 and below [ServiceTimeout],
// after which the service no longer listens; the default is [DefaultDeadline]. Specification, Delivery rules.
func WithDeadline(deadline time.Duration) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if deadline <= 0 || deadline >= ServiceTimeout {
			return &ConfigError{"WithDeadline", fmt.Sprintf("must be above 0 and below %v", ServiceTimeout)}
		}
		s.deadline = deadline
		return nil
	})
}

// WithErrorHook has every delivery that was not taken reported to hook, before it is answered, every attempt to handle a
// message from a queue that failed, and every failure of a store. The hook is called from
// many goroutines at once and should return quickly. What a handler returns or panics with after its delivery was
// answered for it, because the time was over, is reported too. Its context has the values of the request, but does not
// end with it. A panic of the hook is dropped: it must cost neither the answer nor the process.
func WithErrorHook(hook func(context.Context, *DeliveryError)) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if hook == nil {
			return &ConfigError{"WithErrorHook", "must not be nil"}
		}
		s.onError = hook
		return nil
	})
}

// WithAlarmHook has hook called when a good signature comes again with another body, before the handlers run; see
// [Alarm]. The hook is called from many goroutines at once and should return quickly. Without this option nothing is
// remembered of the signatures; with [NoKey] it is refused. Specification, Signature verification.
func WithAlarmHook(hook func(context.Context, Alarm)) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if hook == nil {
			return &ConfigError{"WithAlarmHook", "must not be nil"}
		}
		s.onAlarm = hook
		return nil
	})
}

// Defaults of a receiver with a queue.
const (
	DefaultWorkers        = 4           // messages that are handled at once
	DefaultHandlerTimeout = time.Minute // time for one attempt, with all its handlers
)

// WithQueue has deliveries stored and acknowledged at once, and handled later by [Receiver.Run]. The answer is 200 as
// soon as the queue has stored the delivery, and 503 when the queue is full or fails: whether the service then sends
// it again is not specified, so [WithErrorHook] is told and [Stats.QueueFull] counts it.
//
// An event may still come and be handled more than once: use a Deduplicator. Specification, Delivery rules.
func WithQueue(queue Queue) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if queue == nil {
			return &ConfigError{"WithQueue", "must not be nil"}
		}
		s.queue = queue
		return nil
	})
}

// WithWorkers sets how many messages one [Receiver.Run] handles at once. It must be above 0; the default is
// [DefaultWorkers].
func WithWorkers(workers int) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if workers <= 0 {
			return &ConfigError{"WithWorkers", "must be above 0"}
		}
		s.workers = workers
		return nil
	})
}

// WithHandlerTimeout sets the time for one attempt to handle a message from a queue, with all its handlers; then their
// context ends. The worker waits for handlers that do not heed it, and the message stays theirs, but the claim of a
// Deduplicator ends a little later, and another delivery of the event may be handled at the same time. It must be above 0; the default is [DefaultHandlerTimeout].
func WithHandlerTimeout(timeout time.Duration) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if timeout <= 0 {
			return &ConfigError{"WithHandlerTimeout", "must be above 0"}
		}
		s.handlerTimeout = timeout
		return nil
	})
}

// WithRetryPolicy sets when a message from a queue is tried again, and when it is given up. The default is
// [DefaultRetryPolicy].
func WithRetryPolicy(policy RetryPolicy) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if err := policy.check(); err != nil {
			return err
		}
		s.retry = policy
		return nil
	})
}

// WithDeduplicator has events that come again dropped: the delivery is acknowledged and no handler is called. While
// another delivery of the same event is being handled the answer is 503, because that one may yet fail. When the
// handlers fail the event may come again. What was handled after the time of its delivery was over counts as handled.
//
// When the Deduplicator fails, an event within its request is handled all the same, so that it is rather handled twice
// than lost, and [WithErrorHook] is told; an event from a queue waits. Specification, Delivery rules.
func WithDeduplicator(deduplicator Deduplicator) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if deduplicator == nil {
			return &ConfigError{"WithDeduplicator", "must not be nil"}
		}
		s.deduplicator = deduplicator
		return nil
	})
}

// WithSequencer has [Event.Order] filled in. It only advises, see [Sequencer]. When the Sequencer fails there is no
// advice, and [WithErrorHook] is told. Specification, Delivery rules.
func WithSequencer(sequencer Sequencer) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if sequencer == nil {
			return &ConfigError{"WithSequencer", "must not be nil"}
		}
		s.sequencer = sequencer
		return nil
	})
}

// WithTracker has the tracker fed with every delivery that is verified and decoded, before the handlers are called and
// also for events that no handler is for, that are duplicates, or that [IgnoreOwn] drops. When it fails for an error
// event, the handlers are called but the answer is 503, so that the failure of a write may be reported again; from a
// queue the event waits. Specification, Errors.
func WithTracker(tracker *Tracker) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if tracker == nil {
			return &ConfigError{"WithTracker", "must not be nil"}
		}
		s.tracker = tracker
		return nil
	})
}
