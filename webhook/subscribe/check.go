package subscribe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// request is one request of a check to the service.
type request struct {
	verb verb
	id   string // id of the subscription; empty for list, create and done
}

type verb int

const (
	done verb = iota
	list
	read
	create
	update
	remove
)

// answer holds the result of a request.
type answer struct {
	found   []models.WebhookSubscription // all subscriptions of a list, or one; only those of the account
	err     error
	gone    bool // the error means that there is no subscription with this id
	unclear bool // the error leaves open whether the subscription was created
}

// check decides the steps of one check: next returns the next request, learn
// records its result, and report returns the report. It sends nothing and reads
// no clock, so that tests can try every order of events.
type check struct {
	spec  *Spec
	last  *Check // the previous check
	want  Form
	begun time.Time

	listed  bool        // a list was read since the last creation
	similar []candidate // subscriptions for the purpose of spec; the one to keep is first
	others  []models.WebhookSubscription
	gone    []string // ids that do not exist, or that serve another purpose
	action  Action   // the write that was made; Kept if there was none
	written string   // id of the written subscription; empty if a creation did not return it
	changes []Part   // parts that differed before the update
	missed  bool     // events may have been missed before the write
	blind   bool     // the written subscription could not be read back
	tried   int      // number of duplicates processed
	removed []models.WebhookSubscription
	left    []models.WebhookSubscription
	errs    error // errors of the removals
	pending error // reason why the id of a created subscription is unknown
	err     error // ends the check
}

// candidate is a subscription for the purpose of spec.
type candidate struct {
	models.WebhookSubscription
	form Form
	read bool // read by id since the last write; a list may be stale
}

func newCheck(spec *Spec, now time.Time) check {
	return check{spec: spec, last: &spec.LastCheck, want: spec.form(), begun: now, action: Kept}
}

// next returns the next request. Before a write it reads the subscription of
// the last check, if the list lacks it, and the one to keep. After a write it
// reads the subscription back.
func (c *check) next() request {
	switch {
	case c.err != nil:
		return request{verb: done}
	case !c.listed:
		return request{verb: list}
	case c.last.ID != "" && c.index(c.last.ID) < 0 && !slices.Contains(c.gone, c.last.ID):
		return request{read, c.last.ID}
	case len(c.similar) == 0:
		return request{verb: create}
	}
	switch first, last := &c.similar[0], c.index(c.last.ID); {
	case !first.read && !c.blind:
		return request{read, first.ID}
	case last > 0 && c.action == Kept && !c.similar[last].read: // whether events were missed
		return request{read, c.last.ID}
	case first.ID != c.written && len(c.changesOf(first)) > 0:
		return request{update, first.ID}
	case c.spec.RemoveDuplicates && !c.blind && 1+c.tried < len(c.similar):
		return request{remove, c.similar[1+c.tried].ID}
	}
	return request{verb: done}
}

// learn records the result of the request that next returned.
func (c *check) learn(asked request, a answer) {
	a.found = c.respelled(asked.id, a.found)
	switch {
	case asked.verb == remove:
		c.learnRemoved(a)
	case asked.verb == create && (a.err == nil || a.unclear):
		c.learnCreated(a)
	case asked.verb == list && a.err == nil:
		c.learnListed(a.found)
	case asked.verb == list && c.action == Created && c.pending == nil:
		c.listed = true // the id is known, so the list is not needed
	case asked.verb == read && len(a.found) > 0 && (asked.id == c.written || c.isSimilar(&a.found[0])):
		c.put(a.found[0], true)
	case asked.verb == read && asked.id == c.written:
		c.blind = true // the next check reads it
	case asked.id != "" && a.gone, asked.verb == read && a.err == nil:
		c.gone = append(slices.Clip(c.gone), asked.id)
		c.similar = slices.DeleteFunc(slices.Clone(c.similar), func(s candidate) bool { return s.ID == asked.id })
		c.endPending()
	case asked.verb == update:
		c.learnUpdated(asked.id, a)
	default:
		c.err = cmp.Or(c.pending, a.err)
	}
}

// respelled gives subscriptions the ids under which the check knows them: the
// service may spell them in another case than before.
func (c *check) respelled(asked string, found []models.WebhookSubscription) []models.WebhookSubscription {
	known := append([]string{asked, c.last.ID, c.written}, c.gone...)
	for i := range c.similar {
		known = append(known, c.similar[i].ID)
	}
	found = slices.Clone(found)
	for i := range found {
		if at := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, found[i].ID) }); at >= 0 {
			found[i].ID = known[at]
		}
	}
	return found
}

func (c *check) learnListed(found []models.WebhookSubscription) {
	made := c.similar
	c.listed, c.similar, c.others = true, nil, nil
	for _, s := range found {
		switch {
		case slices.Contains(c.gone, s.ID): // the list is stale
		case !c.isSimilar(&s):
			c.others = append(c.others, s)
		case s.ID == "":
			c.err = fmt.Errorf("subscribe: cannot read the listed subscription: %w", practice.ErrNoID)
		default:
			c.similar = append(c.similar, candidate{s, formOf(&s), false})
		}
	}
	for _, s := range made {
		if c.index(s.ID) < 0 {
			c.similar = append(c.similar, s)
		}
	}
	slices.SortFunc(c.similar, c.order)
	c.endPending()
}

// endPending ends a check whose creation had an unknown result if there is no
// subscription: a list may be stale, and another creation could be a duplicate.
func (c *check) endPending() {
	if len(c.similar) == 0 && c.pending != nil {
		c.err = c.pending
	}
}

func (c *check) learnCreated(a answer) {
	c.action, c.missed, c.listed = Created, true, false // list again: another machine may have created one at the same time
	switch {
	case a.err != nil:
		c.pending = a.err
	case len(a.found) == 0:
		c.pending = fmt.Errorf("subscribe: the subscription was created for a different account: %w", practice.ErrNoID)
	case a.found[0].ID == "":
		c.pending = fmt.Errorf("subscribe: the subscription was created, but %w", practice.ErrNoID)
	default:
		c.written = a.found[0].ID
		c.put(a.found[0], false)
	}
}

func (c *check) learnUpdated(id string, a answer) {
	first := &c.similar[0]
	c.missed = c.missed || c.lost() || c.lacks(first)
	if last := c.index(c.last.ID); last > 0 {
		c.missed = c.missed || c.lacks(&c.similar[last])
	}
	c.action, c.written, c.changes, c.err = Updated, id, c.changesOf(first), a.err
	if len(a.found) == 0 || a.found[0].ID != id { // a response may have no body
		a.found = []models.WebhookSubscription{first.WebhookSubscription}
	}
	c.put(a.found[0], false)
}

func (c *check) learnRemoved(a answer) {
	duplicate := c.similar[1+c.tried].WebhookSubscription
	c.tried++
	if a.err == nil || a.gone {
		c.removed = append(slices.Clip(c.removed), duplicate)
		return
	}
	c.left, c.errs = append(slices.Clip(c.left), duplicate), errors.Join(c.errs, a.err)
}

func (c *check) index(id string) int {
	return slices.IndexFunc(c.similar, func(s candidate) bool { return s.ID == id })
}

// put records a newer state of a subscription. The written subscription keeps
// its position.
func (c *check) put(s models.WebhookSubscription, read bool) {
	now := candidate{s, formOf(&s), read}
	c.similar = slices.Clone(c.similar)
	if i := c.index(s.ID); i >= 0 {
		c.similar[i] = now
	} else {
		c.similar = append(c.similar, now)
	}
	if s.ID != c.written {
		slices.SortFunc(c.similar, c.order)
	}
}

// order sorts the subscription to keep first: one that needs no write, then the
// oldest. The result is the same on all machines, so that they keep the same
// one.
func (c *check) order(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(len(c.toWrite(&a)), len(c.toWrite(&b))),
		a.CreatedDateUTC.Time().Compare(b.CreatedDateUTC.Time()),
		strings.Compare(a.ID, b.ID),
	)
}

// isSimilar reports whether a subscription serves the purpose of spec. The
// subscription of the last check counts even if the service shows another name
// and address for it.
func (c *check) isSimilar(s *models.WebhookSubscription) bool {
	is := func(asked Form) bool {
		return asked.Name == c.want.Name || asked.EventNotificationURL == c.want.EventNotificationURL
	}
	return is(formOf(s)) || s.ID == c.last.ID && c.last.Settled != nil && is(c.last.Settled.Asked)
}

// settled returns the form that the service showed after the last write of the
// same specification, or nil if it showed the form as written.
func (c *check) settled() *Settled {
	if s := c.last.Settled; s != nil && s.Asked.equal(c.want) {
		return s
	}
	return nil
}

// isSettled reports whether a subscription has the settled form.
func (c *check) isSettled(s *candidate) bool {
	settled := c.settled()
	return settled != nil && settled.Shown.equal(s.form)
}

// toWrite returns the parts that must be written. It ignores the differences of
// a settled form until the form is due to be written again, and the key of
// the subscription of the last check if the service does not show it.
func (c *check) toWrite(s *candidate) (parts []Part) {
	if !c.isSettled(s) || c.settled().due(c.begun) {
		parts = c.want.differences(s.form)
	}
	if c.spec.WriteKey || c.otherKey(s) {
		parts = append(parts, PartKey)
	}
	return parts
}

// otherKey reports whether the service shows another key. The receiver would
// refuse deliveries signed with it.
func (c *check) otherKey(s *candidate) bool { return !s.Key.IsZero() && !s.Key.Equal(c.spec.Key) }

// changesOf returns the parts that must be written of the subscription to keep.
// If that is neither the one of the last check nor the first that was ever
// found, somebody else may have given it a key, which the service does not show:
// so it is after a creation, too, whose result is unknown or gave way to an older
// subscription. The order of subscriptions does not depend on that, because it
// must be the same on all machines.
func (c *check) changesOf(first *candidate) []Part {
	parts := c.toWrite(first)
	found := c.last.ID == "" && !c.last.Unsure && c.action == Kept
	if first.ID != c.last.ID && !found && !c.spec.Key.IsZero() && !slices.Contains(parts, PartKey) {
		parts = append(parts, PartKey)
	}
	return parts
}

// lacks reports whether a subscription does not deliver all events to the
// receiver, as far as the service shows.
func (c *check) lacks(s *candidate) bool { return c.otherKey(s) || c.want.exceeds(s.form) }

// lost reports whether the subscription of the last check no longer exists, or
// whether a later failed write may have hidden that.
func (c *check) lost() bool { return c.last.Unsure || slices.Contains(c.gone, c.last.ID) }

// report returns the result of a finished check.
func (c *check) report(now time.Time) (*Report, error) {
	if c.err != nil && (c.missed || c.last.Unsure) {
		unsure := *c.last
		unsure.Unsure = true
		return nil, &CheckError{Check: unsure, Err: c.err}
	}
	if c.err != nil {
		return nil, c.err
	}
	first, duplicates := &c.similar[0], slices.Clone(c.left)
	for _, s := range c.similar[1+c.tried:] {
		duplicates = append(duplicates, s.WebhookSubscription)
	}
	r := &Report{
		Action: c.action, Subscription: first.WebhookSubscription, Changes: c.changes,
		Removed: c.removed, Duplicates: duplicates, Others: c.others,
		KeyUnknown: c.action == Kept && !c.spec.Key.IsZero() && first.Key.IsZero(),
		Missed:     c.gap(first, now), Check: Check{ID: first.ID, At: c.begun, Settled: c.last.Settled},
	}
	if !c.blind {
		r.Unattained = c.want.differences(first.form)
		r.Check.Settled = c.settle(first)
	}
	return r, c.errs
}

// settle returns the form that the service shows instead of the written one, or
// nil if they are equal.
func (c *check) settle(first *candidate) *Settled {
	switch settled := c.settled(); {
	case first.form.equal(c.want):
		return nil
	case first.ID != c.written:
		return settled
	case c.isSettled(first):
		return &Settled{settled.Asked, settled.Shown, settled.Writes + 1, settled.Since}
	}
	return &Settled{c.want, first.form, 1, c.begun}
}

// gap returns the period in which events may have been missed. If the
// subscription no longer has its settled form, that form was not made by the
// service, so its events were missed as well.
func (c *check) gap(first *candidate, now time.Time) *Gap {
	settled := c.settled()
	switch {
	case settled != nil && !c.blind && !c.isSettled(first) && c.want.exceeds(settled.Shown):
		return &Gap{Since: settled.Since, Until: now}
	case c.missed || c.lost():
		return &Gap{Since: c.last.At, Until: now}
	}
	return nil
}
