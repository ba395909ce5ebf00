package fetch

import (
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// unshown holds the reads of recent events that did not show the change. Its
// zero value is ready for use. An event that it no longer holds is waited for
// once more.
type unshown struct {
	mu           sync.Mutex
	young, older map[string]patience // two generations; the older one is dropped as a whole
}

type patience struct {
	reads  int
	latest backoff.Stopwatch // end of the latest read
}

// wait returns how long to wait before the next read for an event.
func (u *unshown) wait(event string) time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	if p := u.of(event); p.reads > 0 {
		return waits()[p.reads-1] - p.latest.Passed()
	}
	return 0
}

// again counts a read that did not show the change, and returns how many there
// were before. Several handlers of an event may have read at the same time,
// which counts once.
func (u *unshown) again(event string) (before int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.of(event)
	before = p.reads
	switch {
	case before > 0 && p.latest.Passed() < waits()[before-1]:
		return before - 1
	case before >= len(waits()):
		return before
	}
	if u.young == nil || len(u.young) >= records {
		u.young, u.older = make(map[string]patience), u.young
	}
	u.young[event] = patience{before + 1, backoff.Start()}
	return before
}

func (u *unshown) of(event string) patience {
	if p, known := u.young[event]; known {
		return p
	}
	return u.older[event]
}
