package practice

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var webhooksEnsure = operation{"Webhooks.Ensure", http.MethodGet, "/webhooks", transport.Read}

// DefaultWebhookInterval is the time between two checks of Webhooks.Keep.
const DefaultWebhookInterval = 15 * time.Minute

// WebhookSpec is the webhook subscription that Webhooks.Ensure and
// Webhooks.Keep bring about.
type WebhookSpec struct {
	Name                 string             // required
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
	// LastCheck is what an earlier check reported as Check. It tells since when events
	// may have been missed; zero when there was no earlier check.
	LastCheck WebhookCheck
	// Interval is the time between two checks of Keep; 0 means
	// DefaultWebhookInterval. Ensure ignores it.
	Interval time.Duration
}

// WebhookCheck is a subscription that was in order at a time. It can be stored
// as JSON.
type WebhookCheck struct {
	ID string    `json:"id"` // of the subscription
	At time.Time `json:"at"` // by the clock of this machine
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
	return s.Name == w.Name || s.EventNotificationURL == w.EventNotificationURL
}

// WebhookChange is a part of a subscription that was not as wanted.
type WebhookChange string

// The parts of a subscription, by their names in the specification
// (Specification, Webhook subscription).
const (
	WebhookChangeName                 WebhookChange = "name"
	WebhookChangeEventNotificationURL WebhookChange = "eventNotificationUrl"
	WebhookChangeEventTypes           WebhookChange = "eventTypes"
	WebhookChangeKey                  WebhookChange = "key" // written because of WriteKey, or because the service showed another
)

// changes lists what is not as wanted. The key counts only when the service
// shows it.
func (w *WebhookSpec) changes(s *models.WebhookSubscription) []WebhookChange {
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
