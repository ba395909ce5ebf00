package practicetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// cause describes the origin of a change, for its events.
type cause struct {
	accountID string
	userID    string
	requestID string
	source    string // empty means API
	link      linker
}

// sourceName returns the source in the form of events.
func (c cause) sourceName() string { return cmp.Or(c.source, "API") }

func (c *call) cause() cause {
	from := cause{accountID: c.account.id, userID: c.userID, requestID: c.requestID, link: c.link}
	if c.application {
		from.source = applicationSource
	}
	return from
}

// write is an accepted write that has not taken effect yet.
type write struct {
	number   uint64
	due      time.Time
	account  *account
	from     cause
	resource string // resource and id of the error event if the write fails
	id       string
	makes    []recordKey // records whose ids it has reserved
	claim    claim       // ids that the client chose for the new record
	failure  string      // message of the error event, if doomed
	doomed   bool
	removes  bool // the request is a DELETE
	do       func(*tx) error
	then     func(now time.Time) // if set, called instead of do, to make an earlier write visible
}

// accept checks a write and queues it. Its changes are stored when it is due.
// The checks then run again, and a failure causes an error event.
// [Server.FailWrite] can make the write fail at that time. A write of a
// synchronous operation takes effect at once, and its errors are returned.
func (s *Server) accept(c *call, w *write, do func(*tx) error) error {
	w.account, w.from, w.due, w.removes = c.account, c.cause(), c.now, c.route.method == http.MethodDelete
	w.do = func(t *tx) error {
		if err := do(t); err != nil {
			return err
		}
		if err := t.references(c); err != nil || c.meets == nil {
			return err
		}
		return c.meets(t)
	}
	c.written = w.id
	if err := s.try(c, w); err != nil {
		s.giveUp(w)
		return err
	}
	w.claim = c.claim
	s.state.take(w.claim)
	if message, doomed := s.takeFailure(c.operation); doomed {
		w.failure, w.doomed = message, true
	}
	s.writes++
	w.number = s.writes
	if !w.due.After(c.now) {
		s.execute(w, c.now)
		return nil
	}
	s.queue(w)
	return nil
}

// try runs the checks of a write and sets the time at which it is due. A write
// that refers to a pending one is refused, delayed or doomed, see Consistency.
func (s *Server) try(c *call, w *write) error {
	asynchronous := c.route.status == http.StatusAccepted && !c.application
	if asynchronous {
		w.due = c.now.Add(s.delay())
	}
	err := w.do(s.tx(c))
	pending := (*pendingError)(nil)
	switch {
	case !errors.As(err, &pending):
		return err
	case !asynchronous || s.state.consistency.Pending == PendingRefused:
		return notFound(pending.of.name)
	case s.state.consistency.Pending == PendingFails:
		w.failure, w.doomed = notFound(pending.of.name).detail, true
	case w.due.Before(pending.due):
		w.due = pending.due
	}
	return nil
}

// queue schedules a write.
func (s *Server) queue(w *write) {
	for _, key := range w.makes {
		if place := s.state.Slot(key); place != nil {
			place.Due = w.due
		}
	}
	s.pending.Add(w)
	s.clock.inner.Schedule(w.due, func() { s.settled()() })
}

// execute applies a write, or raises an error event if it fails.
func (s *Server) execute(w *write, now time.Time) {
	if w.then != nil {
		w.then(now)
		return
	}
	t := &tx{server: s, account: w.account, now: now, from: w.from, removes: w.removes}
	message, failed := w.failure, w.doomed
	if !failed {
		if err := w.do(t); s.awaits(w, err) {
			return
		} else if err != nil {
			message, failed = sentenceOf(err), true
		}
	}
	if failed {
		s.giveUp(w)
		s.raiseError(now, w.from, message, w.resource, w.id)
		return
	}
	t.commit()
}

// awaits reschedules a write that refers to a record which a later write will
// create. It returns false if err is another error.
func (s *Server) awaits(w *write, err error) bool {
	pending := (*pendingError)(nil)
	if !errors.As(err, &pending) || !w.due.Before(pending.due) {
		return false
	}
	w.due = pending.due
	s.queue(w)
	return true
}

// giveUp releases the ids that a failed write has reserved.
func (s *Server) giveUp(w *write) {
	for _, key := range w.makes {
		s.state.Release(key)
		delete(s.arrived, key.ID)
	}
	s.state.giveBack(w.claim)
}

// sentenceOf returns the reason for a failed write as a sentence.
func sentenceOf(err error) string {
	if p := (*problem)(nil); errors.As(err, &p) {
		if len(p.fields) > 0 {
			return sentence(p.fields)
		}
		return p.detail
	}
	return err.Error()
}

// settled locks the server, applies everything that is due, and returns the
// function that unlocks it.
func (s *Server) settled() (unlock func()) {
	s.mu.Lock()
	s.settleDue(s.clock.Now().UTC())
	return s.mu.Unlock
}

// settleDue applies everything that is due: pending writes in the order of
// their due times, the expiry of grants, and cancellations of subscriptions.
func (s *Server) settleDue(now time.Time) {
	for len(s.pending) > 0 && !s.pending[0].due.After(now) {
		w := s.pending.Next()
		s.execute(w, w.due)
	}
	s.endGrants(now)
	s.endCancelled(now)
}

// Settle applies every pending write immediately. Lists then show the writes
// too, whatever the lag of a [Consistency], and their events are raised.
func (s *Server) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleAll(s.clock.Now().UTC())
}

func (s *Server) settleAll(now time.Time) {
	for len(s.pending) > 0 {
		s.execute(s.pending.Next(), now)
	}
}

// FailWrite makes the next asynchronous write of an operation fail late: the
// service accepts it, but it has no effect and causes an error event with the
// message. Several calls for one operation make that many writes fail.
// operation is an operationId of api/openapi.yaml, such as patchFee. One that
// is misspelt or not asynchronous is a mistake in the test; see
// [Server.Inject].
func (s *Server) FailWrite(operation, message string) {
	if !s.accepts(operation) {
		s.misuse("practicetest: FailWrite: %q is not an asynchronous write%s", operation, s.router.meant(operation))
		return
	}
	place := placeOfTest()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[operation] = append(s.failures[operation], failure{message, place})
}

// failure is a call of FailWrite that no write has met yet.
type failure struct{ message, place string }

func (s *Server) takeFailure(operation string) (message string, doomed bool) {
	waiting := s.failures[operation]
	if len(waiting) == 0 {
		return "", false
	}
	s.failures[operation] = waiting[1:]
	return waiting[0].message, true
}

// LateFailures returns a sentence for each accepted write that has failed, when
// it was due, since the last reset. Each contains the message of the error
// event.
func (s *Server) LateFailures() []string {
	defer s.settled()()
	return slices.Clone(s.state.late)
}

// raiseError raises the error event of a failed write. The real service is not
// consistent in the resource name, so the seed chooses its form: clients must
// not rely on it.
func (s *Server) raiseError(now time.Time, from cause, message, resource, id string) {
	s.state.late = append(s.state.late, fmt.Sprintf("%s %s (RequestId %q): %s", resource, id, from.requestID, message))
	s.raise(now, from, "error", s.payload(from.link, payloads["error"], encode(struct {
		Message      string `json:"message"`
		ResourceName string `json:"resourceName"`
		ResourceID   string `json:"resourceId"`
	}{message, s.errorName(resource), id})))
}

// errorName returns the resource name for error events in the form that the
// seed chooses. The caller must hold the lock.
func (s *Server) errorName(resource string) string {
	switch s.state.from.Number % 3 {
	case 2:
		return strings.ToUpper(resource[:min(1, len(resource))]) + strings.TrimPrefix(resource, resource[:min(1, len(resource))])
	case 0:
		return ""
	default:
		return resource
	}
}

// raise raises an event of a change in a firm.
func (s *Server) raise(now time.Time, from cause, eventType string, payload json.RawMessage) {
	s.dispatch(Event{
		Type: eventType, AccountID: from.accountID, UserID: from.userID, Source: from.source, Payload: payload,
		Timestamp: ticks(now), RequestID: from.requestID,
	})
}

// Compare orders writes by due time, then by acceptance.
func (w *write) Compare(other *write) int {
	return cmp.Or(w.due.Compare(other.due), cmp.Compare(w.number, other.number))
}
