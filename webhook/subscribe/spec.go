package subscribe

import (
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// DefaultInterval is the time between two checks of Keep.
const DefaultInterval = 15 * time.Minute

// Spec is the desired state of a webhook subscription.
type Spec struct {
	// Name distinguishes this integration from others with the same client id:
	// a subscription with this name counts as its own, even if another
	// environment created it. Required.
	Name                 string
	EventNotificationURL string             // absolute callback URL; required
	EventTypes           []models.EventType // the exact set of types, in any order; required
	Key                  models.Secret      // signing key of the deliveries; they are unsigned if it is zero
	// WriteKey writes the key even if nothing else differs. The service does
	// not show keys, so a changed key cannot be detected. Keep does so only in
	// its first check.
	WriteKey bool
	// RemoveDuplicates deletes other subscriptions with the same name or
	// callback URL. Without it they are only reported.
	RemoveDuplicates bool
	// LastCheck is the Check of an earlier report. Gaps are reported from the
	// time of that check. Zero if there was no earlier check.
	LastCheck Check
	// Interval is the time between two checks of Keep; 0 means DefaultInterval.
	// Ensure ignores it.
	Interval time.Duration
}

// fault returns the reason why a specification cannot be met for a client, or
// nil.
func (s *Spec) fault(client *practice.Client) error {
	type rule struct {
		argument string
		bad      bool
		reason   string
	}
	u, err := url.Parse(s.EventNotificationURL)
	relative := err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http"
	rules := []rule{
		{"name", badText(s.Name), badTextReason},
		{"eventNotificationUrl", relative || badText(s.EventNotificationURL), "must be an absolute http or https URL"},
		{"eventTypes", len(s.EventTypes) == 0, "must not be empty"},
		{"Interval", s.Interval < 0, "must not be negative"},
	}
	system := client.AccountID() == practice.SystemAccountID
	for i, t := range s.EventTypes {
		name := "eventTypes[" + strconv.Itoa(i) + "]"
		rules = append(rules, rule{name, badText(string(t)), badTextReason},
			rule{name, system && t.IsDocumented() && !t.IsSystem(), "must be a system event type, because the client uses the system account"})
	}
	for _, r := range rules {
		if r.bad {
			return &practice.ArgumentError{Operation: ensureOperation, Argument: r.argument, Reason: r.reason}
		}
	}
	return nil
}

const badTextReason = "must not be empty and must be valid UTF-8"

func badText(text string) bool { return text == "" || !utf8.ValidString(text) }

func (s *Spec) body() models.WebhookSubscriptionWrite {
	body := models.WebhookSubscriptionWrite{
		Name: s.Name, EventNotificationURL: s.EventNotificationURL, EventTypes: distinct(s.EventTypes),
		Key: models.Null[models.Secret](),
	}
	if !s.Key.IsZero() {
		body.Key = models.Some(s.Key)
	}
	return body
}

func (s *Spec) form() Form { return Form{s.Name, s.EventNotificationURL, distinct(s.EventTypes)} }

// Form holds the parts of a subscription that are compared, without the key.
type Form struct {
	Name                 string             `json:"name"`
	EventNotificationURL string             `json:"eventNotificationUrl"`
	EventTypes           []models.EventType `json:"eventTypes"` // sorted, without duplicates
}

func formOf(s *models.WebhookSubscription) Form {
	return Form{s.Name, s.EventNotificationURL, distinct(s.EventTypes)}
}

// differences returns the parts that differ from another form.
func (f Form) differences(other Form) (parts []Part) {
	if f.Name != other.Name {
		parts = append(parts, PartName)
	}
	if f.EventNotificationURL != other.EventNotificationURL {
		parts = append(parts, PartEventNotificationURL)
	}
	if !slices.Equal(f.EventTypes, other.EventTypes) {
		parts = append(parts, PartEventTypes)
	}
	return parts
}

func (f Form) equal(other Form) bool { return len(f.differences(other)) == 0 }

// exceeds reports whether a subscription of the other form lacks events that f
// has.
func (f Form) exceeds(other Form) bool {
	missing := func(t models.EventType) bool { return !slices.Contains(other.EventTypes, t) }
	return f.EventNotificationURL != other.EventNotificationURL || slices.ContainsFunc(f.EventTypes, missing)
}

func distinct(types []models.EventType) []models.EventType {
	return slices.Compact(slices.Sorted(slices.Values(types)))
}
