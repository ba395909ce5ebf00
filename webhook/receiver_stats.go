package webhook

import "sync/atomic"

// Stats holds counters of a receiver. A message that is retried counts again.
type Stats struct {
	Accepted    uint64 // deliveries with status 200
	Refused     uint64 // deliveries with another status, see Receiver.Refusals
	Handled     uint64 // events whose handlers succeeded
	Failed      uint64 // events with a handler that failed or timed out
	Duplicates  uint64 // events dropped because they had already been handled
	Own         uint64 // events dropped because this integration caused them, see IgnoreOwn
	Alarms      uint64 // signatures that arrived again with another body, see Alarm
	Queued      uint64 // deliveries stored in the queue
	QueueFull   uint64 // deliveries rejected because the queue was full
	Retries     uint64 // messages returned to the queue for a retry
	DeadLetters uint64 // messages that became dead letters
	Overdue     uint64 // attempts from a queue whose handlers ran beyond their time limit
}

type counters struct {
	accepted, handled, failed, duplicates, own, alarms, queued, queueFull, retries, deadLetters, overdue atomic.Uint64

	refusals refusals
}

// Stats returns the counters. Each is exact, but they are not read at the same
// moment.
func (r *Receiver) Stats() Stats {
	c := &r.count
	return Stats{
		Accepted: c.accepted.Load(), Refused: c.refusals.total(), Handled: c.handled.Load(), Failed: c.failed.Load(), Duplicates: c.duplicates.Load(),
		Own: c.own.Load(), Alarms: c.alarms.Load(), Queued: c.queued.Load(), QueueFull: c.queueFull.Load(),
		Retries: c.retries.Load(), DeadLetters: c.deadLetters.Load(), Overdue: c.overdue.Load(),
	}
}

// refusals counts refused deliveries by class.
type refusals [classCount]atomic.Uint64

func (c *refusals) total() (sum uint64) {
	for i := range c {
		sum += c[i].Load()
	}
	return sum
}

// Refusals returns the number of rejected deliveries of [Stats] by reason: a
// sentinel of this package, such as [ErrTooOld]. Reasons that have not occurred
// are absent.
func (r *Receiver) Refusals() map[error]uint64 {
	counts := make(map[error]uint64)
	for i, class := range classes() {
		if n := r.count.refusals[i].Load(); n > 0 {
			counts[class.reason] = n
		}
	}
	return counts
}
