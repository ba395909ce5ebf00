package webhook

import "sync/atomic"

// Stats counts what a receiver did since it was made. A message that is tried again counts again.
// Specification, Delivery rules.
type Stats struct {
	Accepted    uint64 // deliveries that were answered with 200
	Refused     uint64 // deliveries that were not answered with 200, see Receiver.Refusals
	Handled     uint64 // events whose handlers all succeeded
	Failed      uint64 // events of which a handler failed or ran out of time
	Duplicates  uint64 // events that were dropped because they had been handled
	Own         uint64 // events that were dropped because this integration caused them, see IgnoreOwn
	Alarms      uint64 // signatures that came again with another body, see Alarm
	Queued      uint64 // deliveries that were stored in the queue
	QueueFull   uint64 // deliveries that were refused because the queue was full
	Retries     uint64 // messages that were given back to the queue to be tried again
	DeadLetters uint64 // messages that were given up
}

type counters struct {
	accepted, handled, failed, duplicates, own, alarms, queued, queueFull, retries, deadLetters atomic.Uint64

	refusals refusals
}

// Stats gives the counts. Each is exact; together they are no snapshot of one moment.
func (r *Receiver) Stats() Stats {
	c := &r.count
	return Stats{
		Accepted: c.accepted.Load(), Refused: c.refusals.total(), Handled: c.handled.Load(), Failed: c.failed.Load(), Duplicates: c.duplicates.Load(),
		Own: c.own.Load(), Alarms: c.alarms.Load(), Queued: c.queued.Load(), QueueFull: c.queueFull.Load(),
		Retries: c.retries.Load(), DeadLetters: c.deadLetters.Load(),
	}
}
