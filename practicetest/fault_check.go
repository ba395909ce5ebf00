package practicetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Inject makes requests fail as the faults say. Faults that are already there
// stay in front. An operation that does not exist is a mistake of the test: it
// fails the test of [New], and panics with a server of [Start]. A test of New
// also fails when it ends before a request has met a fault, unless
// [Server.ClearFaults] has removed it.
func (s *Server) Inject(faults ...Fault) {
	for _, f := range faults {
		if f.Operation != "" && f.Operation != "*" && !s.answers(f.Operation) {
			s.misuse("practicetest: Inject: there is no operation %q%s", f.Operation, s.router.meant(f.Operation))
			continue
		}
		s.faults.inject(f)
	}
}

// ClearFaults removes the faults that are left of those injected.
func (s *Server) ClearFaults() { s.faults.clear() }

// answers reports whether an operation can meet a fault.
func (s *Server) answers(operation string) bool {
	return s.router.operation(operation) != nil ||
		slices.Contains([]string{"token", "authorize", "storage.put", "storage.get"}, operation)
}

// accepts reports whether an operation is a write that takes effect later.
func (s *Server) accepts(operation string) bool {
	o := s.router.operation(operation)
	return o != nil && o.status == http.StatusAccepted
}

// operation finds one of those that the service performs.
func (r router) operation(id string) *operation {
	for _, same := range r {
		for _, one := range same {
			if one.id == id {
				return one.operation
			}
		}
	}
	return nil
}

// meant asks whether a name that no operation has is that of a method, or one
// in other letters: errors name methods, faults name operations.
func (r router) meant(name string) string {
	method := strings.Replace(name, ".All", ".List", 1)
	for _, same := range r {
		for _, one := range same {
			if one.called == method || strings.EqualFold(one.id, name) && one.id != name {
				return fmt.Sprintf("; did you mean %q?", one.id)
			}
		}
	}
	return ""
}

// Unmet tells what the test has asked for and nothing has met so far: a
// sentence for each fault, late failure and stub. A test of [New] fails for
// them at its end; others ask, for a misspelt operation makes a test pass that
// tests nothing.
func (s *Server) Unmet() (sentences []string) {
	add := func(format, name string) { sentences = append(sentences, fmt.Sprintf(format, name)) }
	for _, operation := range s.faults.unmet() {
		add("no request has met the fault injected for %s", inWords(operation))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pattern := range s.unmetStubs() {
		add("no request has met the stub for %q", pattern)
	}
	for _, operation := range slices.Sorted(maps.Keys(s.failures)) {
		if len(s.failures[operation]) > 0 {
			add("no write has met the failure asked for with FailWrite(%q)", operation)
		}
	}
	return sentences
}

// inWords returns the operation of a fault.
func inWords(operation string) string {
	if operation == "" || operation == "*" {
		return "any operation"
	}
	return strconv.Quote(operation)
}

// unmet returns the operations of the faults that no request has matched.
func (f *faults) unmet() (operations []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.active {
		if !a.met {
			operations = append(operations, a.Operation)
		}
	}
	return operations
}
