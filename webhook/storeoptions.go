package webhook

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
