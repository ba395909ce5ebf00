package fetch

import (
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// missing holds the reads of recent events that did not find the record. Its
// zero value is ready for use. An event that it no longer holds is waited for
// once more.
type missing struct {
	mu           sync.Mutex
	young, older map[string]absence // two generations; the older one is dropped as a whole
}

type absence struct {
	reads  int
	latest backoff.Stopwatch // end of the latest read
}

// wait returns how long to wait before the next read for an event.
func (m *missing) wait(event string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.of(event); a.reads > 0 {
		return waits()[a.reads-1] - a.latest.Passed()
	}
	return 0
}

// again counts a read that did not find the record, and returns how many there
// were before. It forgets an event after the last read.
func (m *missing) again(event string) (before int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = m.of(event).reads
	delete(m.older, event)
	if before >= len(waits()) {
		delete(m.young, event)
		return before
	}
	if m.young == nil || len(m.young) >= records {
		m.young, m.older = make(map[string]absence), m.young
	}
	m.young[event] = absence{before + 1, backoff.Start()}
	return before
}

func (m *missing) of(event string) absence {
	if a, known := m.young[event]; known {
		return a
	}
	return m.older[event]
}
