package conformance_test

import (
	"net/http"
	"strings"
	"sync"
)

// ledger records the parts of the document that exchanges used.
type ledger struct {
	mu         sync.Mutex
	operations map[string]*usage
	answered   map[string]bool // members of responses
}

// usage records the parts of the document that exchanges of one operation used.
type usage struct {
	statuses map[int]int
	media    map[string]bool // of error responses
	query    map[string]bool
	header   map[string]bool
	members  map[string]bool
	types    map[string]bool // media types of request bodies
	body     bool
	bare     bool // called without an account prefix
	prefixed bool
	fullest  exchange // the request with the most members
}

func newLedger() *ledger {
	return &ledger{operations: map[string]*usage{}, answered: map[string]bool{}}
}

// of returns the record of an operation.
func (l *ledger) of(id string) *usage {
	if l.operations[id] == nil {
		l.operations[id] = &usage{
			statuses: map[int]int{}, media: map[string]bool{}, query: map[string]bool{}, header: map[string]bool{},
			members: map[string]bool{}, types: map[string]bool{},
		}
	}
	return l.operations[id]
}

func (l *ledger) note(x exchange, v verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.of(v.id)
	u.statuses[x.status]++
	u.body = u.body || v.sent.body
	u.bare, u.prefixed = u.bare || !v.prefixed, u.prefixed || v.prefixed
	mark(u.query, v.sent.query)
	mark(u.header, v.sent.header)
	mark(u.types, v.sent.media)
	for _, member := range v.sent.members {
		u.members[member.name] = true
	}
	for _, member := range v.answered {
		l.answered[member.name] = true
	}
	if x.status >= http.StatusBadRequest {
		media, _, _ := strings.Cut(x.header.Get("Content-Type"), ";")
		u.media[media] = true
	} else if !v.prefixed && says(x) >= says(u.fullest) {
		u.fullest = x
	}
}

func mark(set map[string]bool, names []string) {
	for _, name := range names {
		set[name] = true
	}
}

func says(x exchange) int {
	if x.request == nil {
		return 0
	}
	return len(x.sent) + len(x.request.URL.RawQuery)
}

// noteStatus records the response to a request that the client did not send.
func (l *ledger) noteStatus(id string, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of(id).statuses[status]++
}
