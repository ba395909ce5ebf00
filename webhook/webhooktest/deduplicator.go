package webhooktest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

type dedupTest struct {
	Instance[webhook.Deduplicator]
}

// Deduplicator tests an implementation of [webhook.Deduplicator].
func Deduplicator(t *testing.T, open func(*testing.T, Conditions) Instance[webhook.Deduplicator]) {
	s := suite[webhook.Deduplicator]{t, open}
	run := func(rule string, c Conditions, test func(*testing.T, dedupTest)) {
		s.run(rule, c, func(t *testing.T, i Instance[webhook.Deduplicator]) { test(t, dedupTest{i}) })
	}
	run("a claimed event is in progress for all other owners", usual(), claimedIsInProgress)
	run("the owner can repeat a claim", usual(), ownerClaimsAgain)
	run("a committed event is done for everybody", usual(), committedIsDone)
	run("a released event can be claimed again", usual(), releasedIsNew)
	run("only the owner can release a claim", usual(), onlyOwnerReleases)
	run("a committed event cannot be released", usual(), doneStaysDone)
	run("a committed event outlasts the lease of its claim", usual(), doneOutlastsLease)
	run("claimed and committed events survive a restart", usual(), eventsSurvive)
	run("a call ends with its context", usual(), callsEnd)
	run("an event can be committed without a claim", usual(), commitWithoutClaim)
	run("a claim ends with its lease", usual(), leaseEnds)
	run("a repeated claim restarts its lease", usual(), leaseBeginsAnew)
	run("a commit after the lease takes effect", usual(), lateCommit)
	run("a committed event is forgotten after the retention time", Conditions{Retention: short}, doneIsForgotten)
	run("the longest possible times never expire", forEver(), heldForEver)
	run("exactly one of many owners gets the event", usual(), oneOfMany)
}

func (d dedupTest) claim(t *testing.T, store webhook.Deduplicator, n int, owner string, lease time.Duration, want webhook.Claim) {
	t.Helper()
	got, err := store.Claim(context.Background(), key(n), owner, lease)
	noError(t, err)
	equal(t, want, got, fmt.Sprintf("claim of event %d by %s", n, owner))
}

func (d dedupTest) commit(t *testing.T, store webhook.Deduplicator) {
	t.Helper()
	noError(t, store.Commit(context.Background(), key(1)))
}

func (d dedupTest) release(t *testing.T, store webhook.Deduplicator, n int, owner string) {
	t.Helper()
	noError(t, store.Release(context.Background(), key(n), owner))
}

func claimedIsInProgress(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.claim(t, d.Store, 1, "b", time.Minute, webhook.ClaimInProgress)
	d.claim(t, d.Other, 1, "c", time.Minute, webhook.ClaimInProgress)
	d.claim(t, d.Other, 2, "b", time.Minute, webhook.ClaimNew)
	d.claim(t, d.Store, 2, "a", time.Minute, webhook.ClaimInProgress)
}

func ownerClaimsAgain(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "job-1", time.Minute, webhook.ClaimNew)
	d.claim(t, d.Other, 1, "job-1", time.Minute, webhook.ClaimNew)
	d.claim(t, d.Store, 1, "job-2", time.Minute, webhook.ClaimInProgress)
}

func committedIsDone(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.commit(t, d.Other)
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimDone)
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimDone)
	d.claim(t, d.Other, 2, "b", time.Minute, webhook.ClaimNew)
}

func releasedIsNew(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.release(t, d.Store, 1, "a")
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimNew)
	d.release(t, d.Other, 1, "b")
	d.release(t, d.Store, 1, "b")
	d.release(t, d.Store, 9, "a")
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
}

func onlyOwnerReleases(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.release(t, d.Other, 1, "b")
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimInProgress)
}

func doneStaysDone(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.release(t, d.Store, 1, "a")
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimDone)
}

func doneOutlastsLease(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", short, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.pass(2 * short)
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimDone)
}

func eventsSurvive(t *testing.T, d dedupTest) {
	if d.Reopen == nil {
		return // a store in memory, or one on a server
	}
	d.claim(t, d.Store, 1, "a", time.Hour, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.claim(t, d.Store, 2, "a", time.Hour, webhook.ClaimNew)
	store := d.Reopen()
	d.claim(t, store, 1, "b", time.Hour, webhook.ClaimDone)
	d.claim(t, store, 2, "b", time.Hour, webhook.ClaimInProgress)
	d.claim(t, store, 3, "b", time.Hour, webhook.ClaimNew)
}

// callsEnd checks that a call with an ended context returns, and that it either
// took effect or returned an error.
func callsEnd(t *testing.T, d dedupTest) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	began := time.Now()
	claim, err := d.Store.Claim(ctx, key(1), "a", time.Minute)
	if err == nil {
		equal(t, webhook.ClaimNew, claim, "claim without an error")
		d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimInProgress)
	}
	_ = d.Store.Release(ctx, key(1), "a")
	if d.Store.Commit(ctx, key(2)) == nil {
		d.claim(t, d.Other, 2, "b", time.Minute, webhook.ClaimDone)
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("the call took %v", took)
	}
}

func commitWithoutClaim(t *testing.T, d dedupTest) {
	d.commit(t, d.Store)
	d.claim(t, d.Other, 1, "a", time.Minute, webhook.ClaimDone)
}

func leaseEnds(t *testing.T, d dedupTest) {
	began := time.Now()
	d.claim(t, d.Store, 1, "a", short, webhook.ClaimNew)
	passed := d.eventually(t, "a claim after the lease", func() bool {
		claim, err := d.Other.Claim(context.Background(), key(1), "b", time.Minute)
		noError(t, err)
		return claim == webhook.ClaimNew
	})
	if lasted := max(passed, time.Since(began)); lasted < short*9/10 {
		t.Errorf("the lease ended after %v", lasted)
	}
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimInProgress)
	d.release(t, d.Store, 1, "a")
	d.claim(t, d.Store, 1, "c", time.Minute, webhook.ClaimInProgress)
}

func leaseBeginsAnew(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", short, webhook.ClaimNew)
	d.claim(t, d.Store, 1, "a", time.Minute, webhook.ClaimNew)
	d.pass(2 * short)
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimInProgress)
}

func lateCommit(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", short, webhook.ClaimNew)
	d.pass(short)
	d.eventually(t, "a claim after the lease", func() bool {
		claim, err := d.Other.Claim(context.Background(), key(1), "b", time.Minute)
		noError(t, err)
		return claim == webhook.ClaimNew
	})
	d.commit(t, d.Store) // committed by another owner
	d.release(t, d.Other, 1, "b")
	d.claim(t, d.Other, 1, "b", time.Minute, webhook.ClaimDone)
	d.claim(t, d.Store, 1, "c", time.Minute, webhook.ClaimDone)
}

func doneIsForgotten(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", short, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.pass(short)
	d.eventually(t, "a claim after the retention", func() bool {
		claim, err := d.Other.Claim(context.Background(), key(1), "b", short)
		noError(t, err)
		return claim == webhook.ClaimNew
	})
}

func heldForEver(t *testing.T, d dedupTest) {
	d.claim(t, d.Store, 1, "a", longest, webhook.ClaimNew)
	d.claim(t, d.Store, 2, "a", longest, webhook.ClaimNew)
	d.commit(t, d.Store)
	d.pass(short)
	d.claim(t, d.Other, 1, "b", longest, webhook.ClaimDone)
	d.claim(t, d.Other, 2, "b", longest, webhook.ClaimInProgress)
}

func oneOfMany(t *testing.T, d dedupTest) {
	const events, claimants = 40, 12
	var mu sync.Mutex
	owners := map[int][]string{}
	var all sync.WaitGroup
	for c := range claimants {
		store := d.Store
		if c%2 == 1 {
			store = d.Other
		}
		all.Go(func() {
			owner := fmt.Sprintf("owner-%d", c)
			for n := range events {
				claim, err := store.Claim(context.Background(), key(n), owner, time.Minute)
				switch {
				case err != nil:
					t.Errorf("claim: %v", err)
				case claim == webhook.ClaimNew:
					mu.Lock()
					owners[n] = append(owners[n], owner)
					mu.Unlock()
				case claim != webhook.ClaimInProgress:
					t.Errorf("event %d is %v", n, claim)
				}
			}
		})
	}
	all.Wait()
	for n := range events {
		equal(t, 1, len(owners[n]), fmt.Sprintf("owners of event %d", n))
	}
}
