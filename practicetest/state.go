package practicetest

import (
	"net/http"
	"slices"
)

// state is everything the service knows. The server's lock guards it.
type state struct {
	*store
	from          Seed
	consistency   Consistency
	ids           *idSource // of the client and of requests that the service makes up
	chance        *idSource // random source of the seed
	accounts      map[string]*account
	subscriptions []*subscription
	messages      []PortalMessage
	invitations   []Invitation
	bare          map[string]*bareMatter // by id
	seeded        []*bareMatter          // all that there ever were, in the order of their places
	chosen        map[string]bool        // ids that came with ResourceId
	late          []string               // what became of writes that failed when they were due
	external      map[string][]string    // ids of the records that came with ExternalId, the latest last
	previews      map[string]bool        // versions of files that have one, by the keys of their content

	documentChanges uint64 // counts changes of folders and files
}

// account is one firm.
type account struct {
	id   string
	seed uint64 // of the versions of its records
}

func newState(from Seed, pace Consistency, by *catalog) *state {
	seed := from.Number
	return &state{
		store: newStore(seed, by), from: from, consistency: pace, ids: newIDSource(seed, 0), chance: newIDSource(seed, 6), accounts: map[string]*account{},
		bare: map[string]*bareMatter{}, chosen: map[string]bool{}, external: map[string][]string{}, previews: map[string]bool{},
	}
}

// completed returns a record with the members that other records decide.
func (st *state) completed(r *record, seen func(*slot) *record) *record {
	if r.of.complete == nil {
		return r
	}
	return r.of.complete(st, r, seen)
}

// seenByReads returns the state of a record that reads show.
func seenByReads(s *slot) *record { return s.Shown }

// seenByWrites returns the state of a record that a write sees.
func seenByWrites(s *slot) *record { return s.Now }

func notFound(what string) *problem {
	return refuse(http.StatusNotFound, "There is no such %s, or it is not visible yet.", what)
}

func otherFirm(what string) *problem {
	return refuse(http.StatusForbidden, "The %s belongs to another account.", what)
}

// dropSubscriptions removes the webhook subscriptions of a grant that has
// ended.
func (st *state) dropSubscriptions(g *grant) {
	st.subscriptions = slices.DeleteFunc(st.subscriptions, func(sub *subscription) bool { return sub.grant == g })
}
