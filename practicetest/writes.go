package practicetest

import (
	"encoding/json"
	"time"
)

// cause is the request behind an event.
type cause struct {
	accountID string
	userID    string
	requestID string
	link      linker
}

// pendingWrite is a write that was accepted and has no effect yet.
type pendingWrite struct {
	due   time.Time
	apply func(now time.Time)
}

// accept queues an asynchronous write: apply takes effect after the write delay,
// unless [Server.FailWrite] has doomed it.
func (s *Server) accept(c *call, resource, id string, apply func(now time.Time, from cause)) {
	from := cause{c.account.id, c.userID, c.requestID, c.link}
	effect := func(now time.Time) { apply(now, from) }
	if message, doomed := s.takeFailure(c.operation); doomed {
		effect = func(now time.Time) { s.raiseError(now, from, message, resource, id) }
	}
	if s.cfg.writeDelay == 0 {
		effect(c.now)
		return
	}
	due := c.now.Add(s.cfg.writeDelay)
	s.pending = append(s.pending, pendingWrite{due, effect})
	s.clock.schedule(due, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.settleDue(s.clock.Now().UTC())
	})
}

// settleDue does what is due: delayed writes, in the order of their acceptance,
// and the end of refresh tokens.
func (s *Server) settleDue(now time.Time) {
	for len(s.pending) > 0 && !s.pending[0].due.After(now) {
		write := s.pending[0]
		s.pending = s.pending[1:]
		write.apply(write.due)
	}
	s.endGrants(now)
}

// Settle gives every accepted write its effect now.
func (s *Server) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now().UTC()
	for _, write := range s.pending {
		write.apply(now)
	}
	s.pending = nil
}

// FailWrite makes the next asynchronous write of an operation fail late: the service
// accepts it as usual, it has no effect, and an error event with the message follows.
// Several calls for one operation fail as many writes. An operation is an operationId
// of api/openapi.yaml, for example patchFee.
func (s *Server) FailWrite(operation, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[operation] = append(s.failures[operation], message)
}

func (s *Server) takeFailure(operation string) (message string, doomed bool) {
	waiting := s.failures[operation]
	if len(waiting) == 0 {
		return "", false
	}
	s.failures[operation] = waiting[1:]
	return waiting[0], true
}

// raiseError sends the event of a failed write.
func (s *Server) raiseError(now time.Time, from cause, message, resource, id string) {
	s.raise(now, from, "error", encode(struct {
		Message      string `json:"message"`
		ResourceName string `json:"resourceName"`
		ResourceID   string `json:"resourceId"`
	}{message, resource, id}))
}

// raise tells the subscriptions of the firm about a change.
func (s *Server) raise(now time.Time, from cause, eventType string, payload json.RawMessage) {
	s.dispatch(Event{
		Type: eventType, AccountID: from.accountID, UserID: from.userID, Payload: payload,
		Timestamp: ticks(now), RequestID: from.requestID,
	})
}
