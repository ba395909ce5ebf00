package practicetest

import (
	"errors"
	"time"
)

// Consistency configures how writes become visible. The zero value is the
// default: every write takes effect after the delay of [WithWriteDelay], in the
// order of acceptance, and at the same time for reads, lists and events. This
// is the mildest behaviour; run the tests of an integration under [Unkind] too,
// to prepare it for the real service.
//
// Every random choice depends only on the seed and the order of the writes.
type Consistency struct {
	// MinDelay and MaxDelay bound the time between the acceptance of a write
	// and its effect. Writes with different delays overtake each other. If both
	// are 0, [WithWriteDelay] applies.
	MinDelay, MaxDelay time.Duration
	// ListLag is the maximum time by which lists lag behind reads.
	ListLag time.Duration
	// EventLead is the maximum time by which an event precedes the change of
	// its record.
	EventLead time.Duration
	// EventLag is the maximum time by which an event follows the change of its
	// record.
	EventLag time.Duration
	// Pending sets how the service treats a write that refers to a record whose
	// create is accepted but not visible yet.
	Pending PendingReferences
}

// PendingReferences selects how the service treats a write that refers to a
// record that is not visible yet.
type PendingReferences int

const (
	// PendingAccepted accepts the write. It takes effect after the create of
	// the other record.
	PendingAccepted PendingReferences = iota
	// PendingRefused rejects the write with 404.
	PendingRefused
	// PendingFails accepts the write; it then fails and causes an error event.
	PendingFails
)

// Unkind returns a harsh configuration: writes take effect after 10 to 300 ms
// and overtake each other, lists lag up to 200 ms behind reads, and events
// arrive up to 100 ms before or after the record changes. [Server.Settle] ends
// all these waits.
func Unkind() Consistency {
	return Consistency{
		MinDelay: 10 * time.Millisecond, MaxDelay: 300 * time.Millisecond, ListLag: 200 * time.Millisecond,
		EventLead: 100 * time.Millisecond, EventLag: 100 * time.Millisecond,
	}
}

// WithConsistency sets how writes become visible.
func WithConsistency(c Consistency) Option {
	return func(cfg *config) { cfg.consistency, cfg.chosenDelay = c, true }
}

// SetConsistency sets how writes accepted from now on become visible, until the
// service is reset. A time that is out of range is a mistake in the test; see
// [Server.Inject].
func (s *Server) SetConsistency(c Consistency) {
	if err := c.check(); err != nil {
		s.misuse("practicetest: SetConsistency: %v", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.consistency = c
}

// check reports values that are out of range.
func (c Consistency) check() error {
	return errors.Join(
		between("list lag", c.ListLag, 0, longest), between("event lead", c.EventLead, 0, longest), between("event lag", c.EventLag, 0, longest),
		between("longest delay of writes", c.MaxDelay, 0, longest), between("shortest delay of writes", c.MinDelay, 0, c.MaxDelay),
		between("consistency of references", int(c.Pending), 0, int(PendingFails)))
}

// delay draws the time until a write takes effect.
func (s *Server) delay() time.Duration {
	c := s.state.consistency
	if c.MaxDelay <= 0 {
		return s.cfg.writeDelay
	}
	return c.MinDelay + s.draw(c.MaxDelay-c.MinDelay)
}

// draw returns a random duration from 0 to longest.
func (s *Server) draw(longest time.Duration) time.Duration {
	if longest <= 0 {
		return 0
	}
	return time.Duration(s.state.chance.Int64N(int64(longest) + 1))
}

// show makes a committed record visible to reads and lists and raises its
// events, at once or after the delays of the consistency.
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

// later calls do at once if due has passed, otherwise when the clock reaches
// due.
func (s *Server) later(due, now time.Time, do func(time.Time)) {
	if !due.After(now) {
		do(now)
		return
	}
	s.writes++
	s.queue(&write{number: s.writes, due: due, then: do})
}
