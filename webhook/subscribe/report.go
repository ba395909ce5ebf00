package subscribe

import (
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Report is the result of a check.
type Report struct {
	Action Action
	// Subscription is the subscription in force now. Its key is zero unless the
	// service shows it.
	Subscription models.WebhookSubscription
	// Changes lists the parts that differed, when Action is Updated.
	Changes []Part
	// Unattained lists the parts that the service showed in another form right
	// after a write: an address that it normalises, or a type that it dropped.
	// They are written again by the next check, and later ever less often, or
	// as soon as the specification or the subscription changes.
	Unattained []Part
	// Removed lists the duplicates that were deleted.
	Removed []models.WebhookSubscription
	// Duplicates lists other subscriptions of the same name or callback address
	// that are still there: their events come more than once.
	Duplicates []models.WebhookSubscription
	// Others lists the other subscriptions of this client for the account. They
	// are unchanged. The service recommends one subscription per firm.
	Others []models.WebhookSubscription
	// KeyUnknown reports that the service neither showed the key nor was sent
	// it, so that the key of the subscription may differ.
	KeyUnknown bool
	// Missed is a period whose events may not have arrived; nil when there is
	// none.
	Missed *Gap
	// Check belongs into the LastCheck of the next check. Store it to have gaps
	// reported across restarts.
	Check Check
}

// Action is the way in which a check handled a subscription.
type Action string

// Actions of a check.
const (
	Kept    Action = "kept"    // the subscription was as wanted, or in the form that the service makes of it
	Created Action = "created" // there was none
	Updated Action = "updated" // the subscription was not as wanted
)

// Part names a part of a subscription that differed from its specification.
type Part string

// The parts of a subscription, by the names of their members.
const (
	PartName                 Part = "name"
	PartEventNotificationURL Part = "eventNotificationUrl"
	PartEventTypes           Part = "eventTypes"
	PartKey                  Part = "key" // written because of WriteKey, or because the service showed another
)

// Gap is a period in which events may have been missed. Read the records that
// changed since then, with some overlap, because clocks differ.
type Gap struct {
	Since time.Time // the last check that found nothing wrong; zero when there was none
	Until time.Time // events arrive from then on
}

// Check records that a subscription was in order at a time. It can be stored as
// JSON.
type Check struct {
	ID string    `json:"id"` // id of the subscription
	At time.Time `json:"at"` // time by the clock of this machine
	// Settled is set as long as the service shows the subscription in another
	// form than the written one.
	Settled *Settled `json:"settled,omitempty"`
	// Unsure is set when a check after this one failed in a write that may have
	// taken effect. The next check then reports the gap since At, even if it
	// finds nothing wrong.
	Unsure bool `json:"unsure,omitempty"`
}

// Settled records that the service showed another form than the one written,
// right after the write. Somebody else may have changed it, or the list may be
// stale, so it is written again: at the next check, after an hour, and then
// each time its age has doubled.
type Settled struct {
	Asked  Form      `json:"asked"`
	Shown  Form      `json:"shown"`
	Writes int       `json:"writes"` // how often the service showed this form after a write
	Since  time.Time `json:"since"`  // the first of them
}

// settledWait is the age at which a form that was shown after two writes is
// written once more.
const settledWait = time.Hour

// due reports whether the form is to be written again.
func (s *Settled) due(now time.Time) bool {
	return s.Writes < 2 || now.Sub(s.Since) >= settledWait<<min(s.Writes-2, 20)
}

// CheckError reports a check that failed in a write which may have taken
// effect. A check that knows nothing of it would find nothing wrong and report
// no gap.
type CheckError struct {
	Check Check // belongs into the LastCheck of the next check; Keep does that itself
	Err   error // why the check failed
}

// Error returns the text of Err.
func (e *CheckError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *CheckError) Unwrap() error { return e.Err }
