package practicetest

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
)

// firms holds the contents of a new service that follow from a seed: the firm,
// another firm, and the content of their files.
type firms struct {
	*state
	firm    Firm
	objects *objectstore.Store
}

// newFirms generates the firms of a seed. If whole is false, the records below
// a matter and their content are generated on first use.
func newFirms(from Seed, now time.Time, objects *objectstore.Store, whole bool) *firms {
	st := newState(from, described().catalog)
	sd := &seeder{state: st, objects: objects, whole: whole, now: now, matters: from.Matters, events: from.Events}
	st.Grow(sd.matters + sd.events) // growing the maps gradually takes as long as filling them
	own := sd.firm()
	sd.matters, sd.events = 1, 20
	other := sd.firm()
	st.Sort()
	hook, otherHook := sd.webhook(own), sd.webhook(other)
	made := &firms{state: st, firm: sd.describe(own, other), objects: objects}
	made.firm.WebhookID, made.firm.OtherFirmWebhookID = hook.id, otherHook.id
	return made
}

// firms returns the firms of a seed at a time and stores the content of their
// files.
func (s *Server) firms(from Seed, now time.Time) (*state, Firm) {
	if from.Matters > mostShared.Matters || from.Events > mostShared.Events || from.Promotions > mostShared.Promotions {
		// An external store needs all content. Reads are not in the state file, so
		// they must not generate anything.
		made := newFirms(from, now, s.store, s.outside != nil || s.kept != nil)
		return made.state, made.firm
	}
	made := shared.find(from, now)
	s.store.Load(made.objects)
	return made.clone(), made.firm
}

// mostShared bounds the firms that are kept. Larger ones would fill the memory
// of a program, and a service rarely needs all their records.
var mostShared = Seed{Matters: 32, Events: 1000, Promotions: 100}

// shared holds the firms of the seeds used last. Unlike other package-level
// variables it changes, which is allowed because nobody can tell: firms depend
// on the key only and are never modified, and each service gets a copy.
// Generating them takes much longer than copying them, and the tests of a
// program start thousands of services with the same seed.
var shared recentFirms

// recentFirms generates firms once and keeps those used last. It is safe for
// concurrent use.
type recentFirms struct {
	mu   sync.Mutex
	used []recentFirm // the latest first
}

type recentFirm struct {
	from Seed
	now  time.Time
	made func() *firms
}

// mostRecent is the number of firms that are kept. Each takes about two
// megabytes.
const mostRecent = 8

// find returns the firms of a seed at a time. They must not be modified.
func (f *recentFirms) find(from Seed, now time.Time) *firms {
	f.mu.Lock()
	at := slices.IndexFunc(f.used, func(one recentFirm) bool { return one.from == from && one.now.Equal(now) })
	if at < 0 {
		at = min(len(f.used), mostRecent-1)
		f.used = append(f.used[:at], recentFirm{from, now, sync.OnceValue(func() *firms {
			return newFirms(from, now, objectstore.New(func() time.Time { return now }, nil), true)
		})})
	}
	one := f.used[at]
	copy(f.used[1:at+1], f.used[:at])
	f.used[0] = one
	f.mu.Unlock()
	return one.made()
}

// clone returns a state with the records of st, of which changes do not affect
// st. The two share the records, because a record is never modified. What
// services do is not in st, and starts empty in the copy.
func (st *state) clone() *state {
	n := newState(st.from, st.by)
	n.Store, n.ordinals, n.number = st.Clone(), maps.Clone(st.ordinals), st.number
	n.accounts = maps.Clone(st.accounts)
	for _, one := range st.subscriptions {
		n.subscriptions = append(n.subscriptions, new(*one))
	}
	return n
}

// served holds what all services derive alike from the API description.
type served struct {
	catalog *catalog
	router  router
	scopes  map[string]bool // known scopes
}

// described returns what the API description serves. It must not be modified.
var described = sync.OnceValue(func() served {
	all := newCatalog(areas())
	return served{all, newRouter(operations, all.handlers), everyScope(operations)}
})
