package practicetest

import (
	"fmt"
	"slices"
	"sync"
)

// maxRecorded is the number of violations, of changes and of deliveries that a
// service keeps.
const maxRecorded = 1 << 16

// strictness collects the requests that the interface does not allow.
type strictness struct {
	on     bool
	report func(text string) // nil when nobody wants to know
	warned func(text string) // the same of what is no violation

	mu       sync.Mutex
	silent   bool
	tolerant int
	excused  []string
	found    []string
}

func (s *strictness) violate(format string, args ...any) {
	if !s.on {
		return
	}
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent {
		return
	}
	if s.tolerant > 0 {
		s.excused = append(s.excused, text)
		return
	}
	if len(s.found) == maxRecorded {
		s.found = s.found[1:]
	}
	s.found = append(s.found, text)
	if s.report != nil {
		s.report(text)
	}
}

// silence has nothing count, while what was done before is done again.
func (s *strictness) silence(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = on
}

// Violations returns one sentence for each request that a strict server has
// found to be not allowed: an unknown path, method, query parameter or member,
// a missing header, a wrong media type, a value outside of its limits, a
// credential sent to the storage. Violations that [Server.Tolerate] excused are
// not among them. A service keeps the latest 65,536.
func (s *Server) Violations() []string {
	s.strict.mu.Lock()
	defer s.strict.mu.Unlock()
	return slices.Clone(s.strict.found)
}

// ExcuseViolations forgets the violations so far and returns them: what sends
// them on purpose and cannot be wrapped into [Server.Tolerate] says so
// afterwards.
func (s *Server) ExcuseViolations() []string {
	s.strict.mu.Lock()
	defer s.strict.mu.Unlock()
	found := s.strict.found
	s.strict.found = nil
	return found
}

// Tolerate runs f and returns the violations that happen meanwhile, which do
// not fail the test. It excuses violations of other goroutines too.
func (s *Server) Tolerate(f func()) []string {
	t := s.strict
	t.mu.Lock()
	t.tolerant++
	from := len(t.excused)
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.tolerant--; t.tolerant == 0 {
			t.excused = nil // nobody asks for them any more
		}
	}()
	f()
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.excused[from:])
}

// violate reports a request that the interface does not allow.
func (s *Server) violate(c *call, format string, args ...any) {
	if c.record == nil {
		return // somebody in the vendor's own application makes no request
	}
	wrong := fmt.Sprintf(format, args...)
	s.log.note(c.record, func(r *RecordedRequest) { r.Violations = append(r.Violations, wrong) }, s.strict.on)
	s.strict.violate("%s: %s", c.where(), wrong)
}

// warn records a request that is probably a mistake.
func (s *Server) warn(c *call, text string) {
	s.log.note(c.record, func(r *RecordedRequest) { r.Warnings = append(r.Warnings, text) }, s.strict.on)
	if s.strict.on && s.strict.warned != nil {
		s.strict.warned(c.where() + ": " + text)
	}
}

// where names the request of a call.
func (c *call) where() string {
	where := c.record.Method + " " + c.record.Path
	if c.operation != "" {
		where += " (" + c.operation + ")"
	}
	return where
}
