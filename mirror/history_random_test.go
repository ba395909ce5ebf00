package mirror

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/practicesdk/practice-go/internal/soak"
)

var (
	randomHistories = flag.Int("histories", soak.Times(soak.Least(40), 20_000), "how many random histories TestLongHistoriesOfAMirrorLoseNothing tries")
	firstHistory    = flag.Uint64("first-history", 0, "the seed of the first one")
)

// anywhere lists names for random changes: some are in use, some are inside
// others.
var anywhere = []string{"a", "b", "c", "D", "E", "F", "D/x", "D/a", "D/E", "E/y", "E/D", "E/a", "F/x", "u\u0308", "\u00fc", "a~"}

// byChance returns one of the listed changes, or one at random names.
func byChance(random *rand.Rand) change {
	if listed := changes(); random.IntN(5) < 2 {
		return listed[random.IntN(len(listed))]
	}
	from, to := anywhere[random.IntN(len(anywhere))], anywhere[random.IntN(len(anywhere))]
	all := []change{
		{"here: write " + from, func(h *history) bool { return write(h, from, random.IntN(2) == 0) }},
		{"here: rename " + from + " to " + to, func(h *history) bool { return from != to && rename(h, from, to) }},
		{"here: swap " + from + " and " + to, func(h *history) bool { return from != to && swap(h, from, to) }},
		{"here: delete " + from, func(h *history) bool { return removeHere(h, from) }},
		{"there: version of " + from, func(h *history) bool { return version(h, from) }},
		{"there: create " + from, func(h *history) bool { return createThere(h, from, random.IntN(8) > 0) }},
		{"there: rename " + from + " to " + to, func(h *history) bool { return renameThere(h, from, to) }},
		{"there: delete " + from, func(h *history) bool { return removeThere(h, from) }},
	}
	return all[random.IntN(len(all))]
}

// Random histories of up to 40 changes, with faults at any request and stale
// lists: no content is lost or duplicated, and both sides converge to one tree.
func TestLongHistoriesOfAMirrorLoseNothing(t *testing.T) {
	t.Parallel()
	const together = 10
	var tried, rounds, faults atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d random histories with %d rounds, of which %d met a fault", tried.Load(), rounds.Load(), faults.Load())
	})
	for first := *firstHistory; first < *firstHistory+uint64(*randomHistories); first += together {
		t.Run(fmt.Sprint("from ", first), func(t *testing.T) {
			t.Parallel()
			for seed := first; seed < min(first+together, *firstHistory+uint64(*randomHistories)); seed++ {
				longHistory(t, seed, &rounds, &faults)
				tried.Add(1)
			}
		})
	}
}

// longHistory tries the history of a seed.
func longHistory(t *testing.T, seed uint64, rounds, faults *atomic.Int64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 61))
	one(t, random.IntN(4) > 0, func(h *history) {
		h.told = append(h.told, fmt.Sprint("history ", seed))
		h.service.late = random.IntN(3)
		for left := 1 + random.IntN(40); left > 0; {
			for n := 1 + random.IntN(4); n > 0 && left > 0; n, left = n-1, left-1 {
				h.do(byChance(random))
			}
			if rounds.Add(1); random.IntN(2) == 0 {
				h.sync(random.IntN(2) == 0, 0)
			} else if h.syncWith(random.IntN(2) == 0, 1+random.IntN(12), random.IntN(4)) {
				faults.Add(1)
			}
		}
		h.rest()
	})
}

// TestADocumentWhoseFolderIsForgottenIsDeleted tries a history in which the
// entry of a folder is gone and that of a document in it is not: each Push
// failed, because the document has no local path.
func TestADocumentWhoseFolderIsForgottenIsDeleted(t *testing.T) {
	t.Parallel()
	longHistory(t, 18429, new(atomic.Int64), new(atomic.Int64))
}

// TestABackupAndItsDocumentMayHaveOneContent tries histories in which a Push
// fails after a file was saved beside a backup, or swapped with another: the file
// that was moved away is a new document, and the document keeps the same content
// until another Push replaces it.
func TestABackupAndItsDocumentMayHaveOneContent(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{15361, 18027, 18434, 19287} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			longHistory(t, seed, new(atomic.Int64), new(atomic.Int64))
		})
	}
}
