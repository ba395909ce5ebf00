package mirror

import (
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// made holds the records that a run has made or changed in the service.
type made struct {
	mu      sync.Mutex
	results map[plan.Key]Result
	folders map[string]madeFolder // by their path here
	batches map[*plan.Step]*batched
}

type madeFolder struct {
	id string
	at time.Time
}

func newMade() *made {
	return &made{results: map[plan.Key]Result{}, folders: map[string]madeFolder{}, batches: map[*plan.Step]*batched{}}
}

func (m *made) done(key plan.Key, r Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results[key] = r
}

// folder notes a folder that was made.
func (m *made) folder(at, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.folders[at] = madeFolder{id, time.Now()}
}

// in returns the id of a folder that was made at a path.
func (m *made) in(at string) (id string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.folders[at]
	return f.id, ok
}

// young reports whether this run made a folder less than a while ago.
func (m *made) young(id string, while time.Duration) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.folders {
		if strings.EqualFold(f.id, id) {
			return time.Since(f.at) <= while
		}
	}
	return false
}
