package subscribe

import (
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Report holds the result of a check.
type Report struct {
	Action Action
	// Subscription is the subscription after the check. Its key is zero unless
	// the service shows it.
	Subscription models.WebhookSubscription
	// Changes lists the parts that differed and were updated, if Action is
	// Updated.
	Changes []Part
	// Unattained lists the parts that the service showed in another form right
	// after a write, such as a URL that it normalised or a type that it
	// dropped. The next check writes them again, and later checks do so less
	// and less often, or as soon as the specification or the subscription
	// changes.
	Unattained []Part
	// Removed lists the duplicates that were deleted.
	Removed []models.WebhookSubscription
	// Duplicates lists the other subscriptions with the same name or callback
	// URL that still exist. Their events arrive more than once.
	Duplicates []models.WebhookSubscription
	// Others lists the other subscriptions of this client for the account. They
	// are unchanged. The service recommends one subscription per firm.
	Others []models.WebhookSubscription
	// KeyUnknown reports that the key could not be checked: the service did not
	// show it and the check did not write it.
	KeyUnknown bool
	// Missed is a period whose events may not have arrived, or nil.
	Missed *Gap
	// Check is the value for [Spec.LastCheck] of the next check. Store it, so
	// that gaps across restarts are reported.
	Check Check
}

// Action is the action of a check.
type Action string

// Actions of a check.
const (
	Kept    Action = "kept"    // the subscription matched the specification, or the form in which the service shows it
	Created Action = "created" // there was no subscription
	Updated Action = "updated" // the subscription differed from the specification
)

// Part names a part of a subscription that differed from its specification.
type Part string

// The parts of a subscription, by the names of their members.
const (
	PartName                 Part = "name"
	PartEventNotificationURL Part = "eventNotificationUrl"
	PartEventTypes           Part = "eventTypes"
	PartKey                  Part = "key" // written because of WriteKey, because the service showed another key, or because somebody else created the subscription
)

// Gap is a period in which events may have been missed. Read the records that
// changed since its start, with some overlap, because clocks differ.
type Gap struct {
	Since time.Time // time of the last check without a problem; zero if there was none
	Until time.Time // events arrive from this time on
}

// Check records when a subscription was last in order. It can be stored as
// JSON.
type Check struct {
	ID string    `json:"id"` // id of the subscription
	At time.Time `json:"at"` // time of the check by the clock of this machine
	// Settled is set while the service shows the subscription in a form other
	// than the written one.
	Settled *Settled `json:"settled,omitempty"`
	// Unsure reports that a later check failed during a write that may have
	// taken effect. The next check then reports a gap since At, even if it
	// finds no difference.
	Unsure bool `json:"unsure,omitempty"`
}

// Settled records that the service showed another form right after a write.
// Someone else may have changed the subscription, or the list may be stale, so
// it is written again: at the next check, after an hour, and then whenever its
// age has doubled.
type Settled struct {
	Asked  Form      `json:"asked"`
	Shown  Form      `json:"shown"`
	Writes int       `json:"writes"` // number of writes after which the service showed this form
	Since  time.Time `json:"since"`  // time of the first such write
}

// settledWait is the age at which a form that was shown after two writes is
// written again.
const settledWait = time.Hour

// due reports whether the form must be written again.
func (s *Settled) due(now time.Time) bool {
	return s.Writes < 2 || now.Sub(s.Since) >= settledWait<<min(s.Writes-2, 20)
}

// CheckError reports a check that failed during a write that may have taken
// effect. Without its Check, the next check would find no difference and report
// no gap.
type CheckError struct {
	Check Check // value for LastCheck of the next check; Keep sets it automatically
	Err   error // reason for the failure
}

// Error returns the text of Err.
func (e *CheckError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *CheckError) Unwrap() error { return e.Err }
