package practicetest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// webhooks returns the area of webhook subscriptions.
func webhooks() area {
	return area{name: "Webhooks", handlers: handlers{
		"listWebhookTypes": (*Server).listWebhookTypes,
		"listWebhooks":     (*Server).listWebhooks,
		"createWebhook":    (*Server).createWebhook,
		"getWebhook":       ofSubscription((*Server).getWebhook),
		"updateWebhook":    ofSubscription((*Server).updateWebhook),
		"deleteWebhook":    ofSubscription((*Server).deleteWebhook),
		"notifyWebhook":    ofSubscription((*Server).notifyWebhook),
	}}
}

// subscription is a webhook subscription.
type subscription struct {
	id         string
	accountID  string
	clientID   string
	grant      *grant // the subscription ends with this grant; nil for client credentials
	name       string
	eventTypes []string
	url        string
	key        string
	created    time.Time
	updated    time.Time
}

// members returns the members of a subscription, except the key, which only the
// response to its creation contains.
func (sub *subscription) members() fields {
	return fields{
		"head": location{"Webhooks", []string{"webhooks", sub.id}}, "id": sub.id, "accountId": sub.accountID, "name": sub.name,
		"eventTypes": sub.eventTypes, "eventNotificationUrl": sub.url,
		"createdDateUtc": sub.created, "updatedDateUtc": sub.updated, "lastUpdated": sub.updated,
	}
}

// written encodes a subscription. It omits members without a value.
func (s *Server) written(c *call, members fields) []byte {
	w := writer{view: s.view(c.link)}
	w.form.Empty = EmptyAbsent
	return w.object(&value{object: c.route.answer}, members)
}

func (s *Server) listWebhookTypes(c *call) (answer, error) {
	items := mapped(s.subscribable(), func(kind string) []byte { return encode(kind) })
	return bytesOf(withValue(collection{head: c.link.head("Webhooks", "webhooks", "types")}, items)), nil
}

// listWebhooks lists the client's subscriptions in the account, without their
// keys.
func (s *Server) listWebhooks(c *call) (answer, error) {
	own := slices.DeleteFunc(slices.Clone(s.state.subscriptions), func(sub *subscription) bool { return !s.holds(c, sub) })
	offset, limit := c.window()
	items := mapped(slice(own, offset, limit), func(sub *subscription) []byte { return s.written(c, sub.members()) })
	return bytesOf(c.page(offset, limit, len(own), c.segments()...).body(items)), nil
}

// ofSubscription returns a handler that passes the subscription in the path to
// do.
func ofSubscription(do func(*Server, *call, *subscription) (answer, error)) handler {
	return func(s *Server, c *call) (answer, error) {
		at := slices.IndexFunc(s.state.subscriptions, func(sub *subscription) bool { return sub.id == c.value("id") })
		switch {
		case at < 0:
			return nil, notFound("subscription")
		case !s.holds(c, s.state.subscriptions[at]):
			return nil, otherFirm("subscription")
		default:
			return do(s, c, s.state.subscriptions[at])
		}
	}
}

// holds reports whether the subscription belongs to the client and to the
// account of the request.
func (s *Server) holds(c *call, sub *subscription) bool {
	return sub.accountID == c.account.id && sub.clientID == s.credentials.ClientID
}

// currentSubscription returns the current state of a subscription, and false if
// it was removed.
func (s *Server) currentSubscription(was subscription) (subscription, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endGrants(s.clock.Now())
	for _, sub := range s.state.subscriptions {
		if sub.id == was.id {
			return *sub, true
		}
	}
	return subscription{}, false
}

func (s *Server) getWebhook(c *call, sub *subscription) (answer, error) {
	return bytesOf(s.written(c, sub.members())), nil
}

// createWebhook creates a subscription. The system account may subscribe only
// to system event types.
func (s *Server) createWebhook(c *call) (answer, error) {
	sub := &subscription{accountID: c.account.id, clientID: s.credentials.ClientID, created: c.now}
	if !c.grant.clientCredentials {
		sub.grant = c.grant
	}
	if err := sub.change(c, s.subscribable()); err != nil {
		return nil, err
	}
	sub.id = s.state.idFor(c, "webhook")
	s.state.take(c.claim)
	s.state.subscriptions = append(s.state.subscriptions, sub)
	return bytesOf(s.written(c, sub.members().with(fields{"key": orNull(sub.key)}))), nil
}

// updateWebhook changes a subscription. If the body has no key, the key is
// removed.
func (s *Server) updateWebhook(c *call, sub *subscription) (answer, error) {
	changed := *sub
	if err := changed.change(c, s.subscribable()); err != nil {
		return nil, err
	}
	*sub = changed
	return bytesOf(s.written(c, sub.members())), nil
}

// change sets the members of a subscription from the body.
func (sub *subscription) change(c *call, types []string) error {
	if c.has("name") {
		sub.name = member[string](c, "name")
	}
	if c.has("eventTypes") {
		sub.eventTypes = member[[]string](c, "eventTypes")
	}
	if c.has("eventNotificationUrl") {
		sub.url = member[string](c, "eventNotificationUrl")
	}
	sub.key = member[string](c, "key")
	sub.updated = c.now
	return sub.check(types)
}

func (sub *subscription) check(types []string) error {
	if strings.TrimSpace(sub.name) == "" {
		return faulty("name", "is required")
	}
	if len(sub.eventTypes) == 0 {
		return faulty("eventTypes", "must not be empty")
	}
	for _, t := range sub.eventTypes {
		if !slices.Contains(types, t) {
			return faulty("eventTypes", "the event type %q does not exist", t)
		}
		if sub.accountID == SystemAccountID && !slices.Contains(systemEventTypes(), t) {
			return faulty("eventTypes", "%s is not a system event: the system account accepts only system events", t)
		}
	}
	address, err := url.Parse(sub.url)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return faulty("eventNotificationUrl", "must be an absolute http or https URL")
	}
	return nil
}

func (s *Server) deleteWebhook(_ *call, sub *subscription) (answer, error) {
	s.state.subscriptions = slices.DeleteFunc(s.state.subscriptions, func(x *subscription) bool { return x == sub })
	return nil, nil
}

// notifyWebhook sends an event of the type noop to the subscription.
func (s *Server) notifyWebhook(c *call, sub *subscription) (answer, error) {
	s.courier.enqueue(*sub, s.complete(Event{
		Type: "noop", AccountID: c.account.id, UserID: c.userID, RequestID: c.requestID, Payload: json.RawMessage("{}"),
	}))
	return nil, nil
}
