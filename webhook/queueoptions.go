package webhook

import "time"

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
