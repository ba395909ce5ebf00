package practice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var webhooksEnsure = operation{"Webhooks.Ensure", http.MethodGet, "/webhooks", transport.Read}

// DefaultWebhookInterval is the time between two checks of Webhooks.Keep.
const DefaultWebhookInterval = 15 * time.Minute

// WebhookSpec is the desired state of a webhook subscription: Webhooks.Ensure
// creates or repairs it, and Webhooks.Keep recreates it when the service drops
// it.
type WebhookSpec struct {
	// Name tells this integration from others of the same client: a
	// subscription of this name is taken for its own, also that of another
	// environment. Required.
	Name                 string
	EventNotificationURL string             // callback address, absolute; required
	EventTypes           []models.EventType // exactly these, in any order; required
	Key                  models.Secret      // signs the deliveries; zero leaves them unsigned
	// WriteKey writes the key even when nothing else differs: the service does
	// not show keys, so that a changed one cannot be noticed. Keep does so in
	// its first check only.
	WriteKey bool
	// RemoveDuplicates deletes the other subscriptions of the same name or
	// callback address. Without it they are reported only.
	RemoveDuplicates bool
	// LastCheck is what an earlier check reported as Check. It tells since when
	// events may have been missed; zero when there was no earlier check.
	LastCheck WebhookCheck
	// Interval is the time between two checks of Keep; 0 means
	// DefaultWebhookInterval. Ensure ignores it.
	Interval time.Duration
}

// WebhookCheck records that a subscription was in order at a time. It can be
// stored as JSON.
type WebhookCheck struct {
	ID string    `json:"id"` // of the subscription
	At time.Time `json:"at"` // by the clock of this machine
	// Settled is set after a write, and as long as the service keeps the
	// subscription in another form than it was told to, so that it is not
	// written again for ever.
	Settled *WebhookSettled `json:"settled,omitempty"`
	// Unsure is set when a check after this one failed in a write that may have
	// taken effect. The next check then reports what may have been missed since
	// At, also when it finds all in order.
	Unsure bool `json:"unsure,omitempty"`
}

// EnsureError reports a check that failed in a write which may have taken
// effect. A check that knows nothing of it would find all in order and report
// no gap.
type EnsureError struct {
	Check WebhookCheck // what to hand to the next check as WebhookSpec.LastCheck; Keep does that itself
	Err   error        // why the check failed
}

// Error is the text of Err.
func (e *EnsureError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *EnsureError) Unwrap() error { return e.Err }

// WebhookSettled is what the service made of a subscription that it was told to
// change.
type WebhookSettled struct {
	Asked  WebhookForm `json:"asked"`
	Shown  WebhookForm `json:"shown"`
	Writes int         `json:"writes"` // how often the service made this of it; 0 when nothing has changed yet
}

// WebhookForm is what a subscription shows of itself.
type WebhookForm struct {
	Name                 string             `json:"name"`
	EventNotificationURL string             `json:"eventNotificationUrl"`
	EventTypes           []models.EventType `json:"eventTypes"` // in order, each once
}

func (f WebhookForm) equal(g WebhookForm) bool {
	return f.Name == g.Name && f.EventNotificationURL == g.EventNotificationURL && slices.Equal(f.EventTypes, g.EventTypes)
}

func (w *WebhookSpec) form() WebhookForm {
	return WebhookForm{w.Name, w.EventNotificationURL, distinct(w.EventTypes)}
}

func formOf(s *models.WebhookSubscription) WebhookForm {
	return WebhookForm{s.Name, s.EventNotificationURL, distinct(s.EventTypes)}
}

// settled tells whether a subscription is in the form that the service makes of
// what is wanted.
func (w *WebhookSpec) settled(s *models.WebhookSubscription) bool {
	was := w.LastCheck.Settled
	return was != nil && s.ID == w.LastCheck.ID && was.Writes > 0 && was.Asked.equal(w.form()) && was.Shown.equal(formOf(s))
}

func (w *WebhookSpec) body() models.WebhookWrite {
	body := models.WebhookWrite{
		Name: w.Name, EventNotificationURL: w.EventNotificationURL, EventTypes: distinct(w.EventTypes),
		Key: models.Null[models.Secret](),
	}
	if !w.Key.IsZero() {
		body.Key = models.Some(w.Key)
	}
	return body
}

// similar tells whether a subscription is meant for the same purpose.
func (w *WebhookSpec) similar(s *models.WebhookSubscription) bool {
	return s.Name == w.Name || s.EventNotificationURL == w.EventNotificationURL || w.own(s)
}

// own tells whether the service shows the subscription of the last check under
// another name and address than it was told.
func (w *WebhookSpec) own(s *models.WebhookSubscription) bool {
	was := w.LastCheck.Settled
	return was != nil && s.ID == w.LastCheck.ID &&
		(was.Asked.Name == w.Name || was.Asked.EventNotificationURL == w.EventNotificationURL)
}

// WebhookChange names a part of a subscription that differed from its
// specification.
type WebhookChange string

// The parts of a subscription, by the names of their members.
const (
	WebhookChangeName                 WebhookChange = "name"
	WebhookChangeEventNotificationURL WebhookChange = "eventNotificationUrl"
	WebhookChangeEventTypes           WebhookChange = "eventTypes"
	WebhookChangeKey                  WebhookChange = "key" // written because of WriteKey, or because the service showed another
)

// changes lists what is not as wanted, and not settled. The key counts only
// when the service shows it.
func (w *WebhookSpec) changes(s *models.WebhookSubscription) []WebhookChange {
	changes := w.differences(s)
	if w.settled(s) {
		changes = slices.DeleteFunc(changes, func(c WebhookChange) bool { return c != WebhookChangeKey })
	}
	return changes
}

func (w *WebhookSpec) differences(s *models.WebhookSubscription) []WebhookChange {
	var changes []WebhookChange
	for _, part := range []struct {
		name    WebhookChange
		differs bool
	}{
		{WebhookChangeName, s.Name != w.Name},
		{WebhookChangeEventNotificationURL, s.EventNotificationURL != w.EventNotificationURL},
		{WebhookChangeEventTypes, !slices.Equal(distinct(s.EventTypes), distinct(w.EventTypes))},
		{WebhookChangeKey, w.WriteKey || !s.Key.IsZero() && !s.Key.Equal(w.Key)},
	} {
		if part.differs {
			changes = append(changes, part.name)
		}
	}
	return changes
}

// misses tells whether events may not have arrived before the changes.
func (w *WebhookSpec) misses(s *models.WebhookSubscription, changes []WebhookChange) bool {
	missing := func(t models.EventType) bool { return !slices.Contains(s.EventTypes, t) }
	for _, change := range changes {
		switch {
		case change == WebhookChangeEventNotificationURL:
			return true
		case change == WebhookChangeEventTypes && slices.ContainsFunc(w.EventTypes, missing):
			return true
		case change == WebhookChangeKey && !s.Key.IsZero() && !s.Key.Equal(w.Key):
			return true // the receiver refused what another key had signed
		}
	}
	return false
}

// lost tells whether the subscription that was seen last is no longer there.
func (w *WebhookSpec) lost(similar []models.WebhookSubscription) bool {
	last := func(s models.WebhookSubscription) bool { return s.ID == w.LastCheck.ID }
	return w.LastCheck.ID != "" && !slices.ContainsFunc(similar, last)
}

// order puts the subscription to keep first: one that is as wanted, then the
// oldest. Several machines that do this at once come to the same result.
func (w *WebhookSpec) order(a, b models.WebhookSubscription) int {
	return cmp.Or(
		cmp.Compare(len(w.changes(&a)), len(w.changes(&b))),
		a.CreatedDateUTC.Time().Compare(b.CreatedDateUTC.Time()),
		strings.Compare(a.ID, b.ID),
	)
}

func distinct(types []models.EventType) []models.EventType {
	return slices.Compact(slices.Sorted(slices.Values(types)))
}

// WebhookAction tells how Webhooks.Ensure handled a subscription.
type WebhookAction string

// Actions of Webhooks.Ensure.
const (
	WebhookKept    WebhookAction = "kept"    // the subscription was as wanted
	WebhookCreated WebhookAction = "created" // there was none
	WebhookUpdated WebhookAction = "updated" // it was not as wanted
)

// WebhookReport is the result of Webhooks.Ensure.
type WebhookReport struct {
	Action WebhookAction
	// Subscription is the one that is in force now. Its key is zero unless the
	// service shows it.
	Subscription models.WebhookSubscription
	// Changes lists the parts that differed, when Action is WebhookUpdated.
	Changes []WebhookChange
	// Unattained lists the parts that the service keeps in another form than it
	// was told to: an address that it normalises, or a type that it dropped.
	// Ensure writes them again only when the specification or the subscription
	// changes.
	Unattained []WebhookChange
	// Removed lists the duplicates that were deleted.
	Removed []models.WebhookSubscription
	// Duplicates lists other subscriptions of the same name or callback address
	// that are still there: their events come more than once.
	Duplicates []models.WebhookSubscription
	// Others lists the other subscriptions of this client for the account. They
	// are unchanged. The service recommends one subscription per firm.
	Others []models.WebhookSubscription
	// KeyUnknown tells that the service neither showed the key nor was sent it,
	// so that the key of the subscription may differ.
	KeyUnknown bool
	// Missed is a period whose events may not have arrived; nil when there is
	// none.
	Missed *WebhookGap
	// Check is what to hand to the next check as WebhookSpec.LastCheck. Store
	// it to have gaps reported across restarts.
	Check WebhookCheck

	before         *WebhookForm // of the subscription that was updated
	mayHaveWritten bool         // the subscription, if the check fails
}

// WebhookGap is a period in which events may have been missed. Read the records
// that changed since then, with some overlap, because clocks differ.
type WebhookGap struct {
	Since time.Time // the last check that found all in order; zero when there was none
	Until time.Time // from then on events arrive
}

// Ensure creates or repairs a webhook subscription. It lists the subscriptions
// of this client for its account and looks for the name or callback address of
// spec. It leaves the subscription alone when it matches spec, updates it when
// it differs, and creates it when there is none. It deletes duplicates only
// with RemoveDuplicates, and no other subscription ever. Every call that it
// makes has opts; WithRequestID and WithResponse are refused.
//
// The service drops a subscription when the refresh token expires, when access
// is revoked and when the app is uninstalled. Keep calls Ensure again and
// again.
//
// It creates nothing unless it has seen every subscription, and fails with
// ErrNoID when the service does not say the id; another Ensure then finds what
// was created. A check that fails in a write which may have taken effect is an
// EnsureError, and has what the next check needs to report the gap. When
// duplicates cannot be deleted there is a report as well as an error. Machines
// that do this at the same time may each create a subscription; they look again
// afterwards, and then or in the next check find the duplicates.
func (s *WebhooksService) Ensure(ctx context.Context, spec WebhookSpec, opts ...CallOption) (report *WebhookReport, err error) {
	ctx, observer := s.client.observers.aggregate(ctx, Observation{Operation: webhooksEnsure.name})
	defer observer.endOf(&err)
	if err := s.checkSpec(ctx, &spec, opts); err != nil {
		return nil, err
	}
	const rounds = 3
	for range rounds {
		// Another machine may delete the subscription before it is edited.
		report, err = s.ensureOnce(ctx, &spec, opts)
		if report != nil || !errors.Is(err, ErrNotFound) {
			break
		}
	}
	if report == nil && spec.LastCheck.Unsure && err != nil {
		err = &EnsureError{Check: spec.LastCheck, Err: err}
	}
	return report, err
}

// checkSpec refuses what can never be right before anything is sent.
func (s *WebhooksService) checkSpec(ctx context.Context, spec *WebhookSpec, opts []CallOption) error {
	check := s.client.call(ctx, webhooksEnsure, opts)
	check.refuseForWalk()
	check.webhook(spec.body())
	check.check("Interval", reasonIf(spec.Interval < 0, "must not be negative"))
	return check.err
}

func (s *WebhooksService) ensureOnce(ctx context.Context, spec *WebhookSpec, opts []CallOption) (*WebhookReport, error) {
	report := &WebhookReport{Action: WebhookKept, Check: WebhookCheck{At: time.Now()}}
	similar, err := s.sort(ctx, spec, report, opts)
	if err != nil {
		return nil, err
	}
	if len(similar) == 0 {
		if similar, err = s.last(ctx, spec, opts); err != nil {
			return nil, err
		}
	}
	missed := len(similar) == 0
	if missed {
		err = s.ensureCreated(ctx, spec, report, opts)
	} else {
		report.Subscription, report.Duplicates = similar[0], similar[1:]
		report.Changes = spec.changes(&similar[0])
		missed = spec.LastCheck.Unsure || spec.lost(similar) || spec.misses(&similar[0], report.Changes)
		err = s.ensureUpdated(ctx, spec, report, opts)
	}
	if err == nil && badIdentifier(report.Subscription.ID) != "" {
		err = fmt.Errorf("practice: Webhooks.Ensure: the subscription was %s: %w", report.Action, ErrNoID)
	}
	if err != nil {
		// The next round, or check, may find in order what this one wrote.
		spec.LastCheck.Unsure = spec.LastCheck.Unsure || missed && report.mayHaveWritten
		return nil, err
	}
	report.Check.ID = report.Subscription.ID
	s.settle(ctx, spec, report, opts)
	if missed {
		report.Missed = &WebhookGap{Since: spec.LastCheck.At, Until: time.Now()}
	}
	return report, s.removeDuplicates(ctx, spec, report, opts)
}

// last reads the subscription of the last check, which the list does not have:
// a list may be behind, and another creation would make a duplicate.
func (s *WebhooksService) last(ctx context.Context, spec *WebhookSpec, opts []CallOption) ([]models.WebhookSubscription, error) {
	if spec.LastCheck.ID == "" {
		return nil, nil
	}
	found, err := s.Get(ctx, spec.LastCheck.ID, opts...)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case found.ID != spec.LastCheck.ID || !spec.similar(found) || !s.client.accountHas(found.AccountID):
		return nil, nil
	}
	return []models.WebhookSubscription{*found}, nil
}

// settle looks at what the service made of a write. A part that is still as it
// was before is written once more by the next check: a write may be slow.
func (s *WebhooksService) settle(ctx context.Context, spec *WebhookSpec, report *WebhookReport, opts []CallOption) {
	before := spec.LastCheck.Settled
	if report.Action == WebhookKept {
		report.Unattained = slices.DeleteFunc(spec.differences(&report.Subscription), isKey)
		if before != nil && (before.Writes > 0 || len(report.Unattained) > 0) {
			report.Check.Settled = before
		}
		return
	}
	report.Check.Settled = spec.written(report)
	shown, err := s.Get(ctx, report.Subscription.ID, opts...)
	if err != nil || shown.ID != report.Subscription.ID {
		return // the next check sees
	}
	report.Unattained = slices.DeleteFunc(spec.differences(shown), isKey)
	if len(report.Unattained) == 0 {
		return
	}
	settled := &WebhookSettled{Asked: spec.form(), Shown: formOf(shown)}
	switch {
	case before != nil && before.Asked.equal(settled.Asked) && before.Shown.equal(settled.Shown):
		settled.Writes = before.Writes + 1
	case report.before == nil || !report.before.equal(settled.Shown):
		settled.Writes = 1
	}
	report.Check.Settled = settled
}

// written notes a write of which the service may make another form later. When
// the next check finds the same form as this one, that is what the service
// makes of it.
func (w *WebhookSpec) written(report *WebhookReport) *WebhookSettled {
	now := &WebhookSettled{Asked: w.form(), Shown: w.form()}
	if report.before == nil {
		return now
	}
	now.Shown = *report.before
	was := w.LastCheck.Settled
	switch {
	case was == nil || w.LastCheck.ID != report.Subscription.ID || !was.Asked.equal(now.Asked):
	case was.Shown.equal(now.Shown):
		now.Writes = was.Writes + 1
	case was.Shown.equal(was.Asked): // it was in order after the last write
		now.Writes = 1
	}
	return now
}

func isKey(c WebhookChange) bool { return c == WebhookChangeKey }

// sort lists the subscriptions and gives those for the wanted purpose, the one
// to keep first.
func (s *WebhooksService) sort(ctx context.Context, spec *WebhookSpec, report *WebhookReport, opts []CallOption) ([]models.WebhookSubscription, error) {
	var similar []models.WebhookSubscription
	for subscription, err := range s.All(ctx, ListOptions{}, opts...) {
		switch {
		case err != nil:
			return nil, err // to create without knowing all would make duplicates
		case !s.client.accountHas(subscription.AccountID):
		case spec.similar(&subscription):
			similar = append(similar, subscription)
		default:
			report.Others = append(report.Others, subscription)
		}
	}
	sort.Slice(similar, func(i, j int) bool { return spec.order(similar[i], similar[j]) < 0 })
	return similar, nil
}

// accountHas tells whether a record of the account belongs to the account of
// the client. A client without an account prefix does not know its account,
// except that it is not that of system events.
func (c *Client) accountHas(accountID string) bool {
	own := c.AccountID()
	switch {
	case accountID == "":
		return true
	case own == "":
		return accountID != SystemAccountID
	default:
		return strings.EqualFold(own, accountID)
	}
}

func (s *WebhooksService) ensureCreated(ctx context.Context, spec *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	made, err := s.Create(ctx, spec.body(), opts...)
	if _, ambiguous := errors.AsType[*AmbiguousWriteError](err); err != nil && !ambiguous {
		return err
	}
	report.Action, report.mayHaveWritten = WebhookCreated, true
	if err == nil {
		report.Subscription = *made
	}
	// Another machine may have created one meanwhile, and an answer that was
	// lost is in the list.
	seen := &WebhookReport{}
	similar, unseen := s.sort(ctx, spec, seen, opts)
	switch {
	case err != nil && (unseen != nil || len(similar) == 0):
		return err
	case err != nil:
		report.Subscription, report.Duplicates = similar[0], similar[1:]
	case unseen == nil && slices.ContainsFunc(similar, func(other models.WebhookSubscription) bool { return other.ID == made.ID }):
		report.Subscription, report.Duplicates, report.Others = similar[0], similar[1:], seen.Others
	}
	return nil
}

func (s *WebhooksService) ensureUpdated(ctx context.Context, spec *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	if len(report.Changes) == 0 {
		report.KeyUnknown = !spec.Key.IsZero() && report.Subscription.Key.IsZero()
		return nil
	}
	before := formOf(&report.Subscription)
	report.before, report.mayHaveWritten = &before, true
	updated, err := s.Update(ctx, report.Subscription.ID, spec.body(), opts...)
	if err != nil {
		return err
	}
	report.Action = WebhookUpdated
	if updated.ID != "" { // an answer may have no body
		report.Subscription = *updated
	}
	return nil
}

// removeDuplicates deletes all that it can. One that is gone already is as
// good as deleted.
func (s *WebhooksService) removeDuplicates(ctx context.Context, spec *WebhookSpec, report *WebhookReport, opts []CallOption) error {
	if !spec.RemoveDuplicates {
		return nil
	}
	var errs []error
	var left []models.WebhookSubscription
	for _, duplicate := range report.Duplicates {
		err := s.Delete(ctx, duplicate.ID, opts...)
		if err != nil && !errors.Is(err, ErrNotFound) {
			errs, left = append(errs, err), append(left, duplicate)
			continue
		}
		report.Removed = append(report.Removed, duplicate)
	}
	report.Duplicates = left
	return errors.Join(errs...)
}
