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
	// LastCheck is the Check of an earlier report: events may have been missed
	// since then. Zero when there was no earlier check.
	LastCheck Check
	// Interval is the time between two checks of Keep; 0 means DefaultInterval.
	// Ensure ignores it.
	Interval time.Duration
}

// fault returns why a specification can never be met for a client, or nil.
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
		{"eventNotificationUrl", relative || badText(s.EventNotificationURL), "must be an absolute http or https address"},
		{"eventTypes", len(s.EventTypes) == 0, "must not be empty"},
		{"Interval", s.Interval < 0, "must not be negative"},
	}
	system := client.AccountID() == practice.SystemAccountID
	for i, t := range s.EventTypes {
		name := "eventTypes[" + strconv.Itoa(i) + "]"
		rules = append(rules, rule{name, badText(string(t)), badTextReason},
			rule{name, system && t.IsDocumented() && !t.IsSystem(), "must be a system event type for the system account"})
	}
	for _, r := range rules {
		if r.bad {
			return &practice.ArgumentError{Operation: ensureOperation, Argument: r.argument, Reason: r.reason}
		}
	}
	return nil
}

const badTextReason = "must not be empty, and be valid UTF-8"

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

// Form holds the parts of a subscription that the service shows.
type Form struct {
	Name                 string             `json:"name"`
	EventNotificationURL string             `json:"eventNotificationUrl"`
	EventTypes           []models.EventType `json:"eventTypes"` // in order, each once
}

func formOf(s *models.WebhookSubscription) Form {
	return Form{s.Name, s.EventNotificationURL, distinct(s.EventTypes)}
}

// differences returns the parts that another form has otherwise.
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

// misses reports whether events that f has do not arrive by another form.
func (f Form) misses(other Form) bool {
	missing := func(t models.EventType) bool { return !slices.Contains(other.EventTypes, t) }
	return f.EventNotificationURL != other.EventNotificationURL || slices.ContainsFunc(f.EventTypes, missing)
}

func distinct(types []models.EventType) []models.EventType {
	return slices.Compact(slices.Sorted(slices.Values(types)))
}
