package practicetest

import (
	"net/http"
	"slices"
)

// state holds the data of the service. It is guarded by the server's lock.
type state struct {
	*store
	from          Seed
	consistency   Consistency
	ids           *idSource // source of the client's id and of request ids
	chance        *idSource // source of random decisions at run time
	accounts      map[string]*account
	subscriptions []*subscription
	messages      []PortalMessage
	invitations   []Invitation
	bare          map[string]*bareMatter // matters that are not generated yet, by id
	seeded        []*bareMatter          // all seeded matters, by their index
	chosen        map[string]bool        // ids that clients chose with ResourceId
	late          []string               // messages of writes that failed when due
	external      map[string][]string    // ids of records by ExternalId, the latest last
	previews      map[string]bool        // object keys of file versions that have a preview

	documentChanges uint64 // number of changes of folders and files
}

// account is the account of one firm.
type account struct {
	id   string
	seed uint64 // seed of the version ids of its records
}

func newState(from Seed, by *catalog) *state {
	seed := from.Number
	return &state{
		store: newStore(seed, by), from: from, ids: newIDSource(seed, 0), chance: newIDSource(seed, 6), accounts: map[string]*account{},
		bare: map[string]*bareMatter{}, chosen: map[string]bool{}, external: map[string][]string{}, previews: map[string]bool{},
	}
}

// completed returns a record with the members that depend on other records.
func (st *state) completed(r *record, seen func(*slot) *record) *record {
	if r.of.complete == nil {
		return r
	}
	return r.of.complete(st, r, seen)
}

// seenByReads returns the state of a record that reads return.
func seenByReads(s *slot) *record { return s.Shown }

// seenByWrites returns the state of a record that writes use.
func seenByWrites(s *slot) *record { return s.Now }

func notFound(what string) *problem {
	return refuse(http.StatusNotFound, "The %s does not exist or is not visible yet.", what)
}

func otherFirm(what string) *problem {
	return refuse(http.StatusForbidden, "The %s belongs to a different account.", what)
}

// dropSubscriptions removes the webhook subscriptions of a grant.
func (st *state) dropSubscriptions(g *grant) {
	st.subscriptions = slices.DeleteFunc(st.subscriptions, func(sub *subscription) bool { return sub.grant == g })
}
