package subscribe

import (
	"errors"
	"fmt"
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

// world is a service with subscriptions, two keepers and a clock. Copies are
// independent.
type world struct {
	subscriptions []models.WebhookSubscription
	behind        []models.WebhookSubscription // the list of a slow service
	slow          bool
	normalises    bool // the service appends a slash to URLs
	made          int
	now           time.Time
	keepers       [2]keeper
	history       [steps]string
	length        int
}

// steps is the maximum number of moves in a history.
const steps = 6

// keeper is a program that calls Ensure repeatedly.
type keeper struct {
	spec    *Spec
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
	if w.normalises {
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
		target := w.form(k.spec.form())
		arrives := slices.ContainsFunc(subscriptions, func(s models.WebhookSubscription) bool { return !target.misses(formOf(&s)) })
		last := slices.ContainsFunc(subscriptions, func(s models.WebhookSubscription) bool {
			return s.ID == k.spec.LastCheck.ID && !target.misses(formOf(&s))
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

func (w *world) set(by *keeper, id string, f Form) {
	changed := slices.Clone(w.subscriptions)
	for i := range changed {
		if changed[i].ID == id {
			changed[i].Name, changed[i].EventNotificationURL, changed[i].EventTypes = f.Name, f.EventNotificationURL, f.EventTypes
		}
	}
	w.change(by, changed)
}

func (w *world) add(by *keeper, f Form) models.WebhookSubscription {
	w.made++
	added := models.WebhookSubscription{
		ID: strconv.Itoa(w.made), Name: f.Name, EventNotificationURL: f.EventNotificationURL, EventTypes: f.EventTypes,
		CreatedDateUTC: models.DateTimeOf(w.now),
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
	at := slices.IndexFunc(w.subscriptions, func(s models.WebhookSubscription) bool { return s.ID == r.id })
	switch {
	case r.verb == list && w.slow:
		a.found = w.behind
	case r.verb == list:
		a.found = w.subscriptions
	case r.verb == create:
		a.found = []models.WebhookSubscription{w.add(k, w.form(k.spec.form()))}
	case at < 0:
		a = answer{err: errFault, gone: true}
	case r.verb == update:
		w.set(k, r.id, w.form(k.spec.form()))
		a.found = w.subscriptions[at : at+1]
	case r.verb == read:
		a.found = w.subscriptions[at : at+1]
	case r.verb == remove:
		w.remove(k, r.id)
	}
	if f == lost {
		k.suspect = true
		return answer{err: errFault, unclear: true}
	}
	return a
}

// step makes the next request of a keeper, and starts a check if there is none.
// It returns the request.
func (w *world) step(k *keeper, f fault) request {
	if !k.busy {
		k.busy, k.check = true, newCheck(k.spec, w.now)
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
	spec := *k.spec
	report, err := k.check.report(w.now)
	spec.learn(report, err)
	k.busy, k.spec = false, &spec
	if report == nil {
		k.suspect = true
		return
	}
	k.report = report
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
	{"the administrator changes the address", 0, func(w *world, _ fault) bool {
		return w.edit(func(f *Form) { f.EventNotificationURL = "https://admin.example.test/" })
	}},
	{"the administrator takes a type away", 0, func(w *world, _ fault) bool {
		return w.edit(func(f *Form) { f.EventTypes = f.EventTypes[:1] })
	}},
	{"the administrator deletes one", 0, func(w *world, _ fault) bool {
		if len(w.subscriptions) == 0 {
			return false
		}
		w.remove(nil, w.subscriptions[0].ID)
		return true
	}},
	{"the administrator adds one", 0, func(w *world, _ fault) bool {
		w.add(nil, Form{ours.Name, "https://admin.example.test/", distinct(ours.EventTypes)})
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

func (w *world) edit(change func(*Form)) bool {
	if len(w.subscriptions) == 0 {
		return false
	}
	f := formOf(&w.subscriptions[0])
	change(&f)
	if f.equal(formOf(&w.subscriptions[0])) {
		return false
	}
	w.set(nil, w.subscriptions[0].ID, f)
	return true
}

var (
	ours = Spec{
		Name: "Matters", EventNotificationURL: "https://new.example.test/in", EventTypes: []models.EventType{"error", "matter.updated"},
		RemoveDuplicates: true,
	}
	theirs = Spec{Name: "Matters", EventNotificationURL: "https://old.example.test/in", EventTypes: []models.EventType{"error"}, RemoveDuplicates: true}
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

// inOrder reports whether the keeper's subscription is the only one, and the
// report agrees.
func (w *world) inOrder(k *keeper) bool {
	target, want, r := w.form(k.spec.form()), k.spec.form(), k.report
	return len(w.subscriptions) == 1 && target.equal(formOf(&w.subscriptions[0])) &&
		r.Action == Kept && len(r.Duplicates)+len(r.Removed)+len(r.Others)+len(r.Changes) == 0 && r.Missed == nil && !k.owed &&
		r.Check.ID == w.subscriptions[0].ID && r.Subscription.ID == r.Check.ID && !r.Check.Unsure &&
		slices.Equal(r.Unattained, want.differences(target))
}

// Two keepers, an administrator and a slow service act in any order, and
// requests fail. Afterwards there is exactly one subscription, as specified,
// and the reports were correct.
func TestASubscriptionComesHome(t *testing.T) {
	t.Parallel()
	depth, random := soak.Times(3, steps), soak.Times(200, 100_000)
	for _, start := range []string{"nothing", "ours", "theirs"} {
		for name, other := range map[string]Spec{"an old version": theirs, "a second machine": ours} {
			for form, normalises := range map[string]bool{"as written": false, "normalised": true} {
				t.Run(fmt.Sprintf("%s is there, %s is there, too, addresses are %s", start, name, form), func(t *testing.T) {
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
					w, h := worldOf(start, other, normalises), &histories{folded: newFolded()}
					h.all(w, depth, false)
					every := h.tried
					h.some(w, random, rand.New(rand.NewPCG(1, 2)))
					t.Logf("%d states after up to %d moves and %d of %d, %.1f checks until quiet, at most %d",
						every, depth, random, steps, float64(h.checks)/float64(h.tried), h.slowest)
				})
			}
		}
	}
}

// worldOf returns a world in which a keeper has created its subscription.
func worldOf(start string, other Spec, normalises bool) world {
	own := ours
	w := world{now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), normalises: normalises}
	w.keepers = [2]keeper{{spec: &own, suspect: true}, {spec: &other, suspect: true}}
	w.change(nil, nil)
	for range 3 { // until the form of the service is known
		switch start {
		case "ours":
			w.whole(&w.keepers[0])
		case "theirs":
			w.whole(&w.keepers[1])
		}
		w.now = w.now.Add(time.Minute)
	}
	return w
}
