package practicetest

import (
	"fmt"
	"slices"
	"sync"
)

// maxRecorded is the maximum number of violations, changes and deliveries that
// the service keeps.
const maxRecorded = 1 << 16

// recorded appends an entry to a log and drops the oldest one if the log is
// full.
func recorded[T any](log []T, entry T) []T {
	if len(log) == maxRecorded {
		log = log[1:]
	}
	return append(log, entry)
}

// strictness records the violations of a strict service.
type strictness struct {
	on     bool
	report func(text string) // called for each violation; nil: not called
	warned func(text string) // called for each warning; nil: not called

	mu       sync.Mutex
	silent   bool
	tolerant []*[]string // violations since each running Tolerate began
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
	for _, excused := range s.tolerant {
		*excused = append(*excused, text)
	}
	if len(s.tolerant) > 0 {
		return
	}
	s.found = recorded(s.found, text)
	if s.report != nil {
		s.report(text)
	}
}

// silence turns the recording of violations off or on. It is off while a state
// file is replayed.
func (s *strictness) silence(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = on
}

// Violations returns a sentence for each violation: an unknown path, method,
// query parameter or member, a missing header, a wrong media type, a value out
// of range, or a credential sent to the object store. It does not include those
// that [Server.Tolerate] permitted. The service keeps the latest 65,536.
func (s *Server) Violations() []string {
	s.strict.mu.Lock()
	defer s.strict.mu.Unlock()
	return slices.Clone(s.strict.found)
}

// ExcuseViolations removes the recorded violations and returns them. Use it
// where violations are intended but the code cannot be wrapped in
// [Server.Tolerate].
func (s *Server) ExcuseViolations() []string {
	s.strict.mu.Lock()
	defer s.strict.mu.Unlock()
	found := s.strict.found
	s.strict.found = nil
	return found
}

// Tolerate runs f and returns the violations that occur meanwhile, including
// those in other goroutines. They do not fail the test.
func (s *Server) Tolerate(f func()) []string {
	t, excused := s.strict, new([]string)
	t.mu.Lock()
	t.tolerant = append(t.tolerant, excused)
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.tolerant = slices.DeleteFunc(t.tolerant, func(other *[]string) bool { return other == excused })
	}()
	f()
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(*excused)
}

// violate records a violation of the API.
func (s *Server) violate(c *call, format string, args ...any) {
	if c.record == nil {
		return // a change in the vendor's own application has no request
	}
	wrong := fmt.Sprintf(format, args...)
	s.log.note(c.record, func(r *RecordedRequest) { r.Violations = append(r.Violations, wrong) }, s.strict.on)
	s.strict.violate("%s: %s", c.where(), wrong)
}

// warn records a probable mistake in a request.
func (s *Server) warn(c *call, text string) {
	s.log.note(c.record, func(r *RecordedRequest) { r.Warnings = append(r.Warnings, text) }, s.strict.on)
	if s.strict.on && s.strict.warned != nil {
		s.strict.warned(c.where() + ": " + text)
	}
}

// where returns the method, path and operation of the request, for messages.
func (c *call) where() string {
	where := c.record.Method + " " + c.record.Path
	if c.operation != "" {
		where += " (" + c.operation + ")"
	}
	return where
}
