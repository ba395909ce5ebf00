package subscribe

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
)

// world is a service with subscriptions, three keepers and a clock. Copies are
// independent. The subscriptions hold their keys, which a service shows only if
// it shows keys.
type world struct {
	subscriptions []models.WebhookSubscription
	behind        []models.WebhookSubscription // the list of a slow service
	slow          bool
	service       service
	made          int
	now           time.Time
	keepers       [3]keeper // ours, a second one, and a former version
	history       [steps]string
	length        int
}

// service is what the description leaves open.
type service struct {
	normalises bool // it appends a slash to URLs
	shows      bool // it shows the keys of subscriptions
	mixes      bool // it shows the subscriptions of all accounts, and spells their ids in another way
}

// steps is the maximum number of moves in a history.
const steps = 6

// The accounts of two firms.
const (
	ourAccount   = "13277179-1410-5c32-a80e-a2b9c71c5d83"
	theirAccount = "71f0cf2b-25b4-5a54-8f4c-4cfb92a3e6b1"
)

// keeper is a program that calls Ensure repeatedly.
type keeper struct {
	spec    *Spec
	account string
	creates int    // creations of the check
	unseen  string // id of the subscription to which somebody else gave a key without a trace
	check   check
	busy    bool
	report  *Report
	bad     bool      // its events do not arrive
	since   time.Time // bad
	owed    bool      // its own write ended a gap, which has not been reported
	suspect bool      // events may have been missed
}

var errFault = errors.New("the request failed")

// fault is the way in which a request fails.
type fault int

const (
	none    fault = iota
	refused       // before the effect
	unclear       // before the effect, but without a clear error
	lost          // after the effect
)

func (w world) form(f Form) Form {
	if w.service.normalises {
		f.EventNotificationURL = strings.TrimSuffix(f.EventNotificationURL, "/") + "/"
	}
	return f
}

// change replaces the subscriptions, and records for which keepers that starts
// or ends a gap.
func (w *world) change(by *keeper, subscriptions []models.WebhookSubscription) {
	w.subscriptions = subscriptions
	for i := range w.keepers {
		k := &w.keepers[i]
		arrives := slices.ContainsFunc(subscriptions, func(s models.WebhookSubscription) bool { return w.arrives(k, &s) })
		last := slices.ContainsFunc(subscriptions, func(s models.WebhookSubscription) bool {
			return s.ID == k.spec.LastCheck.ID && w.arrives(k, &s)
		})
		switch {
		case !arrives && !k.bad:
			k.bad, k.since, k.suspect = true, w.now, true
		case arrives && k.bad:
			k.bad, k.owed = false, k.owed || by == k
		}
		k.suspect = k.suspect || !last
	}
}

// arrives reports whether a subscription delivers the events of a keeper to it,
// as far as anybody can see.
func (w *world) arrives(k *keeper, s *models.WebhookSubscription) bool {
	return s.AccountID == k.account && !w.form(k.spec.form()).exceeds(formOf(s)) && (s.Key.Equal(k.spec.Key) || !w.service.shows && s.ID == k.unseen)
}

// set changes the form and the key of a subscription.
func (w *world) set(by *keeper, id string, f Form, key models.Secret) {
	changed := slices.Clone(w.subscriptions)
	for i := range changed {
		if changed[i].ID == id {
			w.overwrite(by, id, key)
			changed[i].Name, changed[i].EventNotificationURL, changed[i].EventTypes, changed[i].Key = f.Name, f.EventNotificationURL, f.EventTypes, key
		}
	}
	w.change(by, changed)
}

// overwrite records for which keepers a subscription that they know gets
// another key.
func (w *world) overwrite(by *keeper, id string, key models.Secret) {
	for i := range w.keepers {
		k := &w.keepers[i]
		known := id == k.spec.LastCheck.ID || k.busy && id == k.check.written
		switch {
		case by == k || key.Equal(k.spec.Key):
			if k.unseen == id {
				k.unseen = ""
			}
		case known:
			k.unseen = id
		}
	}
}

func (w *world) add(by *keeper, account string, f Form, key models.Secret) models.WebhookSubscription {
	w.made++
	added := models.WebhookSubscription{
		ID: strconv.Itoa(w.made), Name: f.Name, EventNotificationURL: f.EventNotificationURL, EventTypes: f.EventTypes,
		CreatedDateUTC: models.DateTimeOf(w.now), AccountID: account, Key: key,
	}
	w.change(by, append(slices.Clip(w.subscriptions), added))
	return added
}

func (w *world) remove(by *keeper, id string) {
	w.change(by, slices.DeleteFunc(slices.Clone(w.subscriptions), func(s models.WebhookSubscription) bool { return s.ID == id }))
}

// perform responds to a request of a keeper.
func (w *world) perform(k *keeper, r request, f fault) (a answer) {
	if f == refused || f == unclear {
		return answer{err: errFault, unclear: f == unclear}
	}
	at := slices.IndexFunc(w.subscriptions, func(s models.WebhookSubscription) bool {
		return s.ID == r.id && (s.AccountID == k.account || w.service.mixes)
	})
	w.expect(r.verb != update && r.verb != remove || at < 0 || w.subscriptions[at].AccountID == k.account, "a firm writes only its own")
	switch {
	case r.verb == list && w.slow:
		a.found = w.shown(k, w.behind)
	case r.verb == list:
		a.found = w.shown(k, w.subscriptions)
	case r.verb == create:
		k.creates++
		w.expect(k.creates == 1, "a check creates one")
		a.found = []models.WebhookSubscription{w.add(k, k.account, w.form(k.spec.form()), k.spec.Key)}
	case at < 0:
		a = answer{err: errFault, gone: true}
	case r.verb == update:
		w.set(k, r.id, w.form(k.spec.form()), k.spec.Key)
		a.found = w.shown(k, w.subscriptions[at:at+1])
	case r.verb == read:
		a.found = w.shown(k, w.subscriptions[at:at+1])
	case r.verb == remove:
		w.remove(k, r.id)
	}
	if f == lost {
		k.suspect = true
		return answer{err: errFault, unclear: true}
	}
	return a
}

// shown returns the subscriptions that a keeper finds in a response.
func (w *world) shown(k *keeper, all []models.WebhookSubscription) (found []models.WebhookSubscription) {
	for _, s := range all {
		if !w.service.shows {
			s.Key = models.Secret{}
		}
		if w.service.mixes {
			s.AccountID = strings.ToUpper(strings.ReplaceAll(s.AccountID, "-", ""))
		}
		if hasAccount(k.account, &s) {
			found = append(found, s)
		}
	}
	return found
}

// step makes the next request of a keeper, and starts a check if there is none.
// It returns the request.
func (w *world) step(k *keeper, f fault) request {
	if !k.busy {
		k.busy, k.creates, k.check = true, 0, newCheck(k.spec, w.now)
	}
	r := k.check.next()
	if r.verb != done {
		k.check.learn(r, w.perform(k, r, f))
	}
	if k.check.next().verb == done {
		w.finish(k)
	}
	return r
}

func (w *world) finish(k *keeper) {
	spec, first := *k.spec, k.spec.LastCheck.ID == ""
	report, err := k.check.report(w.now)
	spec.learn(report, err)
	k.busy, k.spec = false, &spec
	if report == nil {
		k.suspect = true
		return
	}
	k.report = report
	if first && report.Action == Kept && report.KeyUnknown { // nobody knows since when its events did not arrive
		k.unseen, k.since = report.Check.ID, report.Check.At
		w.change(nil, w.subscriptions)
	}
	if report.Missed != nil {
		w.expect(k.suspect || report.Action != Kept, "a gap is reported for a reason: %+v", *report.Missed)
		k.owed, k.suspect = k.owed && report.Missed.Since.After(k.since), k.bad
	}
	k.suspect = k.suspect || k.check.blind // it does not know what it wrote
}

type broken struct{ told string }

func (w *world) expect(ok bool, format string, arguments ...any) {
	if !ok {
		panic(broken{fmt.Sprintf(format, arguments...) + "\n" + strings.Join(w.history[:w.length], "\n")})
	}
}

// whole runs one check of a keeper.
func (w *world) whole(k *keeper) {
	for first := true; first || k.busy; first = false {
		w.step(k, none)
	}
}

// moves lists the possible next moves; each returns false if it is not
// possible.
var moves = []struct {
	name   string
	faults int // number of kinds of faults
	make   func(w *world, f fault) bool
}{
	{"ours asks", 3, func(w *world, f fault) bool { return w.asks(0, f) }},
	{"theirs asks", 3, func(w *world, f fault) bool { return w.asks(1, f) }},
	{"ours checks", 0, func(w *world, _ fault) bool { w.whole(&w.keepers[0]); return true }},
	{"theirs checks", 0, func(w *world, _ fault) bool { w.whole(&w.keepers[1]); return true }},
	{"the former version checks", 0, func(w *world, _ fault) bool { w.whole(&w.keepers[2]); return true }},
	{"the administrator changes the address", 0, func(w *world, _ fault) bool {
		return w.edit(func(f *Form) { f.EventNotificationURL = "https://admin.example.test/" })
	}},
	{"the administrator takes a type away", 0, func(w *world, _ fault) bool {
		return w.edit(func(f *Form) { f.EventTypes = f.EventTypes[:1] })
	}},
	{"the administrator deletes one", 0, func(w *world, _ fault) bool {
		at := w.first()
		if at < 0 {
			return false
		}
		w.remove(nil, w.subscriptions[at].ID)
		return true
	}},
	{"the administrator adds one", 0, func(w *world, _ fault) bool {
		w.add(nil, ourAccount, Form{ours.Name, "https://admin.example.test/", distinct(ours.EventTypes)}, models.NewSecret("of the administrator"))
		return true
	}},
	{"the lists stand still, or go on", 0, func(w *world, _ fault) bool {
		w.slow, w.behind = !w.slow, w.subscriptions
		return true
	}},
}

func (w *world) asks(i int, f fault) bool {
	r := w.step(&w.keepers[i], f)
	return f != unclear || r.verb == create
}

// edit changes the form of the first subscription of our account, and leaves
// its key.
func (w *world) edit(change func(*Form)) bool {
	at := w.first()
	if at < 0 {
		return false
	}
	one := w.subscriptions[at]
	f := formOf(&one)
	change(&f)
	if f.equal(formOf(&one)) {
		return false
	}
	w.set(nil, one.ID, f, one.Key)
	return true
}

// first returns the index of the first subscription of our account, or -1.
func (w *world) first() int {
	return slices.IndexFunc(w.subscriptions, func(s models.WebhookSubscription) bool { return s.AccountID == ourAccount })
}

var (
	ours = Spec{
		Name: "Matters", EventNotificationURL: "https://new.example.test/in", EventTypes: []models.EventType{"error", "matter.updated"},
		Key: models.NewSecret("new"), RemoveDuplicates: true,
	}
	former = Spec{
		Name: "Matters", EventNotificationURL: "https://old.example.test/in", EventTypes: []models.EventType{"error"},
		Key: models.NewSecret("old"), RemoveDuplicates: true,
	}
)

// histories counts the histories tried.
type histories struct {
	tried, checks, slowest int
	folded                 *folded
}

// move makes one move, and reports whether it was possible.
func (w *world) move(i int, f fault) bool {
	w.now = w.now.Add(time.Minute)
	w.history[w.length] = moves[i].name + [...]string{"", ", refused", ", unclear", ", and the answer is lost"}[f]
	w.length++
	return moves[i].make(w, f)
}

// all tries every continuation of a world, with a limited number of moves and
// one fault. It tries equal states only once.
func (h *histories) all(w world, left int, faulty bool) {
	if h.folded.again(&w, faulty) {
		return
	}
	h.quiet(w)
	if left == 0 {
		return
	}
	for i, move := range moves {
		for f := none; int(f) <= move.faults && (f == none || !faulty); f++ {
			next := w
			if next.move(i, f) {
				h.all(next, left-1, faulty || f != none)
			}
		}
	}
}

// some tries histories of six moves with several faults.
func (h *histories) some(start world, times int, random *rand.Rand) {
	for range times {
		w := start
		for w.length < steps {
			i := random.IntN(len(moves))
			next := w
			if next.move(i, fault(random.IntN(moves[i].faults+1))) {
				w = next
			}
		}
		h.quiet(w)
	}
}

// quiet runs the first keeper alone with a service without faults.
func (h *histories) quiet(w world) {
	h.tried++
	w.slow = false
	k := &w.keepers[0]
	for checks := 1; ; checks++ {
		w.expect(checks <= 20, "ours comes to rest: %+v", k.report)
		w.now = w.now.Add(DefaultInterval)
		w.whole(k)
		h.checks++
		if w.inOrder(k) {
			h.slowest = max(h.slowest, checks)
			return
		}
	}
}

// inOrder reports whether the keeper's subscription is the only one of its
// account, has its key, and the report agrees.
func (w *world) inOrder(k *keeper) bool {
	target, want, r := w.form(k.spec.form()), k.spec.form(), k.report
	own := slices.DeleteFunc(slices.Clone(w.subscriptions), func(s models.WebhookSubscription) bool { return s.AccountID != k.account })
	return r != nil && len(own) == 1 && target.equal(formOf(&own[0])) && w.arrives(k, &own[0]) && r.KeyUnknown == !w.service.shows &&
		r.Action == Kept && len(r.Duplicates)+len(r.Removed)+len(r.Others)+len(r.Changes) == 0 && r.Missed == nil && !k.owed &&
		r.Check.ID == own[0].ID && r.Subscription.ID == r.Check.ID && !r.Check.Unsure &&
		slices.Equal(r.Unattained, want.differences(target))
}

// start is a state from which histories begin.
type start struct {
	there  string // whose subscription is there
	second string // who the second keeper is
	at     string // the kind of service
}

func (s start) String() string {
	return fmt.Sprintf("%s is there, beside %s, at a service that %s", s.there, s.second, s.at)
}

var services = map[string]service{
	"keeps what is written": {}, "normalises addresses": {normalises: true}, "shows keys": {shows: true}, "mixes accounts": {mixes: true},
}

func starts() (all []start) {
	for _, there := range []string{"nothing", "ours", "the former one"} {
		for _, second := range []string{"a second machine", "a machine with the former key", "another firm"} {
			for _, at := range slices.Sorted(maps.Keys(services)) {
				all = append(all, start{there, second, at})
			}
		}
	}
	return all
}

// Two keepers, a former version, an administrator and a slow service act in any
// order, and requests fail. Afterwards there is exactly one subscription of the
// firm, as specified and with its key, and the reports were correct. The key is
// as it was if somebody else changed it on that subscription and the service
// does not show keys; the report then says that it is unknown.
func TestASubscriptionComesHome(t *testing.T) {
	t.Parallel()
	depth, random := soak.Times(3, 5), soak.Times(100, 100_000)
	for _, start := range soak.Slice(t, 4, starts(), start.String) {
		t.Run(start.String(), func(t *testing.T) {
			t.Parallel()
			defer func() {
				switch value := recover().(type) {
				case nil:
				case broken:
					require.Fail(t, value.told)
				default:
					panic(value)
				}
			}()
			w, h := worldOf(start), &histories{folded: newFolded()}
			h.all(w, depth, false)
			every := h.tried
			h.some(w, random, rand.New(rand.NewPCG(1, 2)))
			t.Logf("%d states after up to %d moves and %d of %d, %.1f checks until quiet, at most %d",
				every, depth, random, steps, float64(h.checks)/float64(h.tried), h.slowest)
		})
	}
}

// worldOf returns a world in which a keeper has created its subscription.
func worldOf(s start) world {
	first, second, third := ours, ours, former
	w := world{now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), service: services[s.at]}
	w.keepers = [3]keeper{
		{spec: &first, account: ourAccount, suspect: true},
		{spec: &second, account: ourAccount, suspect: true},
		{spec: &third, account: ourAccount, suspect: true},
	}
	switch s.second {
	case "a machine with the former key":
		second.Key = former.Key
	case "another firm":
		w.keepers[1].account = theirAccount
	}
	w.change(nil, nil)
	for range 3 { // until the form of the service is known
		switch s.there {
		case "ours":
			w.whole(&w.keepers[0])
		case "the former one":
			w.whole(&w.keepers[2])
		}
		w.now = w.now.Add(time.Minute)
	}
	return w
}
