package practice

import (
	"time"

	"github.com/practicesdk/practice-go/models"
)

// WebhookAction is what Webhooks.Ensure did.
type WebhookAction string

// What Webhooks.Ensure may have done.
const (
	WebhookKept    WebhookAction = "kept"    // the subscription was as wanted
	WebhookCreated WebhookAction = "created" // there was none
	WebhookUpdated WebhookAction = "updated" // it was not as wanted
)

// WebhookReport tells what Webhooks.Ensure found and did.
type WebhookReport struct {
	Action WebhookAction
	// Subscription is the one that is in force now. Its key is zero unless the
	// service shows it.
	Subscription models.WebhookSubscription
	// Changes lists what was not as wanted, when Action is WebhookUpdated.
	Changes []WebhookChange
	// Removed lists the duplicates that were deleted.
	Removed []models.WebhookSubscription
	// Duplicates lists other subscriptions of the same name or callback address
	// that are still there: their events come more than once.
	Duplicates []models.WebhookSubscription
	// Others lists the other subscriptions of this client for the account. They
	// were left alone; one subscription per firm is recommended (Specification,
	// Delivery rules, 5).
	Others []models.WebhookSubscription
	// KeyUnknown says that the wanted key was neither shown by the service nor
	// written, so that it may be another.
	KeyUnknown bool
	// Missed is when events may not have arrived; nil when nothing suggests so.
	Missed *WebhookGap
	// Check is what to hand to the next check as WebhookSpec.LastCheck. Store it to
	// have gaps reported across restarts.
	Check WebhookCheck
}

// WebhookGap is a time in which events may have been missed. Read the records
// that have changed since then, with some overlap: clocks differ.
type WebhookGap struct {
	Since time.Time // the last check that found all in order; zero when there was none
	Until time.Time // from then on events arrive
}
