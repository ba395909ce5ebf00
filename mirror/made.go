package mirror

import (
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// made is what a run has made or changed in the service.
type made struct {
	mu      sync.Mutex
	results map[plan.Key]Result
	folders map[string]string // ids of folders that were made, by their path here
	at      map[string]time.Time
	batches map[*plan.Step]*batched
	unknown map[plan.Key]bool
}

func newMade() *made {
	return &made{results: map[plan.Key]Result{}, folders: map[string]string{}, at: map[string]time.Time{}, batches: map[*plan.Step]*batched{}, unknown: map[plan.Key]bool{}}
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
	m.folders[at], m.at[strings.ToLower(id)] = id, time.Now()
}

// in returns the id of a folder that was made at a path.
func (m *made) in(at string) (id string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id, ok = m.folders[at]
	return id, ok
}

// young returns when a folder was made, if this run made it.
func (m *made) young(id string) (at time.Time, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok = m.at[strings.ToLower(id)]
	return at, ok
}
