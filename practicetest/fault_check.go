package practicetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/spelling"
)

// Inject adds faults to those that are already active, which take precedence.
// An unknown operation is a mistake in the test: it fails the test if the
// server was made by [New], and panics if it was made by [Start]. A test with
// New also fails if it ends before a request has triggered a fault, unless
// [Server.ClearFaults] has removed the fault.
func (s *Server) Inject(faults ...Fault) {
	for _, f := range faults {
		if !s.answers(f.Operation) {
			s.misuse("practicetest: Inject: the operation %q does not exist%s", f.Operation, s.router.meant(f.Operation))
			continue
		}
		s.faults.inject(f)
	}
}

// ClearFaults removes the faults that are still active.
func (s *Server) ClearFaults() { s.faults.clear() }

// answers reports whether faults can be injected for an operation.
func (s *Server) answers(operation string) bool {
	return operation == "" || operation == "*" || s.router.byOperation(operation) != nil || slices.Contains(otherOperations(), operation)
}

// otherOperations returns the operations of the other parts, which the API
// description does not contain.
func otherOperations() []string { return []string{"token", "authorize", "storage.put", "storage.get"} }

// accepts reports whether an operation is an asynchronous write.
func (s *Server) accepts(operation string) bool {
	o := s.router.byOperation(operation)
	return o != nil && o.status == http.StatusAccepted
}

// meant returns a suggestion for a misspelt operation, as the end of an error
// message. It suggests the operation of a method name such as Matters.List,
// since the client's errors contain method names, or the most similar
// operation. It returns "" if no name is similar.
func (r router) meant(name string) string {
	if r.byOperation(name) != nil {
		return ""
	}
	method := strings.Replace(name, ".All", ".List", 1)
	ids := otherOperations()
	for _, same := range r {
		for _, one := range same {
			if one.called == method {
				return fmt.Sprintf("; did you mean %q?", one.id)
			}
			ids = append(ids, one.id)
		}
	}
	slices.Sort(ids)
	best := spelling.Nearest(name, ids)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Unmet returns a sentence, with the line of the test, for each fault, late
// failure and stub that had no effect. A test with [New] fails at its end if
// there are any. With other servers, call Unmet at the end: a misspelt
// operation would otherwise go unnoticed.
func (s *Server) Unmet() (sentences []string) {
	add := func(place, format, name string) { sentences = append(sentences, fmt.Sprintf(format, name)+place) }
	for _, a := range s.faults.unmet() {
		add(a.place, "the fault injected for %s was not used by any request", inWords(a.Operation))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.stubs {
		if !one.met {
			add(one.place, "the stub for %q was not used by any request", one.pattern)
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(s.failures)) {
		for _, failure := range s.failures[operation] {
			add(failure.place, "the failure requested with FailWrite(%q) was not used by any write", operation)
		}
	}
	return sentences
}

// inWords returns an operation as it appears in a sentence.
func inWords(operation string) string {
	if operation == "" || operation == "*" {
		return "any operation"
	}
	return strconv.Quote(operation)
}

// unmet returns the faults that have matched no request.
func (f *faults) unmet() (all []activeFault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.active {
		if !a.met {
			all = append(all, *a)
		}
	}
	return all
}
