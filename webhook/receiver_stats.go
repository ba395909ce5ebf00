package webhook

import "sync/atomic"

// Stats counts the work of a receiver. A message that is retried counts again.
type Stats struct {
	Accepted    uint64 // deliveries that were answered with 200
	Refused     uint64 // deliveries that were not answered with 200, see Receiver.Refusals
	Handled     uint64 // events whose handlers succeeded
	Failed      uint64 // events of which a handler failed or ran out of time
	Duplicates  uint64 // events that were dropped because they had been handled
	Own         uint64 // events that were dropped because this integration caused them, see IgnoreOwn
	Alarms      uint64 // signatures that came again with another body, see Alarm
	Queued      uint64 // deliveries that were stored in the queue
	QueueFull   uint64 // deliveries that were refused because the queue was full
	Retries     uint64 // messages that were returned to the queue to be retried
	DeadLetters uint64 // messages that became dead letters
	Overdue     uint64 // times that handlers from a queue went on after their time, whatever their context
}

type counters struct {
	accepted, handled, failed, duplicates, own, alarms, queued, queueFull, retries, deadLetters, overdue atomic.Uint64

	refusals refusals
}

// Stats returns the counts, which are exact but not of one moment.
func (r *Receiver) Stats() Stats {
	c := &r.count
	return Stats{
		Accepted: c.accepted.Load(), Refused: c.refusals.total(), Handled: c.handled.Load(), Failed: c.failed.Load(), Duplicates: c.duplicates.Load(),
		Own: c.own.Load(), Alarms: c.alarms.Load(), Queued: c.queued.Load(), QueueFull: c.queueFull.Load(),
		Retries: c.retries.Load(), DeadLetters: c.deadLetters.Load(), Overdue: c.overdue.Load(),
	}
}

// refusals counts by reason.
type refusals [classCount]atomic.Uint64

func (c *refusals) total() (sum uint64) {
	for i := range c {
		sum += c[i].Load()
	}
	return sum
}

// Refusals returns the refused deliveries of [Stats] by reason: a sentinel of
// this package, such as [ErrTooOld]. A reason that has not occurred is absent.
func (r *Receiver) Refusals() map[error]uint64 {
	counts := make(map[error]uint64)
	for i, class := range classes() {
		if n := r.count.refusals[i].Load(); n > 0 {
			counts[class.reason] = n
		}
	}
	return counts
}
