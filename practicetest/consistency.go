package practicetest

import (
	"errors"
	"time"
)

// Consistency says how writes become visible. The zero value is the default:
// every write takes effect after the delay of [WithWriteDelay], in the order of
// acceptance, for reads, lists and events at one moment. It is the least that
// the service does differently from a database, and a test that fails under it
// fails for a reason of its own. An integration that is to stand the real
// service runs its tests under [Unkind] too.
//
// Every draw follows from the seed and the order of the writes.
type Consistency struct {
	// MinDelay and MaxDelay bound the time from the acceptance of a write to
	// its effect; writes of different delays overtake each other. Both 0: see
	// [WithWriteDelay].
	MinDelay, MaxDelay time.Duration
	// ListLag is the maximum lag of lists behind reads.
	ListLag time.Duration
	// EventLead is the maximum time by which an event precedes its record.
	EventLead time.Duration
	// EventLag is the maximum time by which an event follows its record.
	EventLag time.Duration
	// Pending sets the treatment of a write that refers to a record which an
	// earlier write creates and which is not visible yet.
	Pending PendingReferences
}

// PendingReferences is the treatment of a reference to a record that is not
// visible yet.
type PendingReferences int

const (
	// PendingAccepted accepts the write; it takes effect after the other.
	PendingAccepted PendingReferences = iota
	// PendingRefused answers 404.
	PendingRefused
	// PendingFails accepts the write, and an error event follows.
	PendingFails
)

// Unkind returns a service whose writes overtake each other, whose lists lag
// behind reads and whose events come before the record or long after it.
func Unkind() Consistency {
	return Consistency{
		MinDelay: 10 * time.Millisecond, MaxDelay: 300 * time.Millisecond, ListLag: 200 * time.Millisecond,
		EventLead: 100 * time.Millisecond, EventLag: 100 * time.Millisecond,
	}
}

// WithConsistency chooses how writes become visible.
func WithConsistency(c Consistency) Option {
	return func(cfg *config) { cfg.consistency, cfg.chosenDelay = c, true }
}

// SetConsistency changes how the writes that are accepted from now on become
// visible, until the service is reset. A time out of its range is a mistake;
// see [Server.Inject].
func (s *Server) SetConsistency(c Consistency) {
	if err := c.check(); err != nil {
		s.misuse("practicetest: SetConsistency: %v", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.consistency = c
}

// check refuses times that are out of their ranges.
func (c Consistency) check() error {
	return errors.Join(
		between("list lag", c.ListLag, 0, longest), between("event lead", c.EventLead, 0, longest), between("event lag", c.EventLag, 0, longest),
		between("longest delay of writes", c.MaxDelay, 0, longest), between("shortest delay of writes", c.MinDelay, 0, c.MaxDelay),
		between("consistency of references", int(c.Pending), 0, int(PendingFails)))
}

// delay returns how long a write takes.
func (s *Server) delay() time.Duration {
	c := s.state.consistency
	if c.MaxDelay <= 0 {
		return s.cfg.writeDelay
	}
	return c.MinDelay + s.draw(c.MaxDelay-c.MinDelay)
}

// draw returns a duration up to the longest.
func (s *Server) draw(longest time.Duration) time.Duration {
	if longest <= 0 {
		return 0
	}
	return time.Duration(s.state.chance.Int64N(int64(longest) + 1))
}

// show makes a committed record visible to reads and lists, and raises its
// events: at once, or with the delays of the consistency.
func (t *tx) show(r *record, what changeKind) {
	s, c := t.server, t.server.state.consistency
	lead := s.draw(c.EventLead)
	s.later(t.now.Add(lead), t.now, func(time.Time) { s.state.Show(r) })
	s.later(t.now.Add(lead+s.draw(c.ListLag)), t.now, func(time.Time) { s.state.Enlist(r) })
	at := t.now
	if lead == 0 {
		at = at.Add(s.draw(c.EventLag))
	}
	s.later(at, t.now, func(now time.Time) { t.raise(now, r, what) })
}

// later does something when its time comes, now when it has.
func (s *Server) later(due, now time.Time, do func(time.Time)) {
	if !due.After(now) {
		do(now)
		return
	}
	s.writes++
	s.queue(&write{number: s.writes, due: due, then: do})
}
