package models

// WebhookSubscription tells the service to send notifications to a callback address. It vanishes when the
// refresh token expires or access is revoked. Specification, Webhook subscription, States and transitions.
type WebhookSubscription struct {
	Hypermedia
	// ID identifies the subscription, a UUID. Empty when absent. Specification, Webhook subscription.
	ID string `json:"id"`
	// AccountID identifies the account the subscription is for. Empty when absent. Published interface, not in the
	// specification.
	AccountID string `json:"accountId"`
	// Key signs the deliveries. The service probably shows it only in the answer to the creation. Zero when absent.
	// Specification, Webhook subscription.
	Key Secret `json:"key"`
	// Name is the name of the subscription. Empty when absent. Specification, Webhook subscription.
	Name string `json:"name"`
	// EventTypes holds the events to send. Empty when absent. Specification, Webhook subscription, Event types.
	EventTypes []EventType `json:"eventTypes"`
	// EventNotificationURL is the callback address. Empty when absent. Specification, Webhook subscription.
	EventNotificationURL string `json:"eventNotificationUrl"`
	// CreatedDateUTC is when it was created. Zero when absent. Specification, Webhook subscription.
	CreatedDateUTC DateTime `json:"createdDateUtc"`
	// UpdatedDateUTC is when it last changed. Zero when absent. Specification, Webhook subscription.
	UpdatedDateUTC DateTime `json:"updatedDateUtc"`
	// LastUpdated is when it last changed, in ticks. Zero when absent. Published interface, not in the specification.
	LastUpdated Ticks `json:"lastUpdated"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// WebhookWrite is the body that creates or changes a webhook subscription. Specification, Webhooks.
//
//recordgen:body
type WebhookWrite struct {
	// Name is the name of the subscription. Required. Specification, Webhooks.
	Name string `json:"name"`
	// EventTypes holds the events to send. Required. Specification, Webhooks, Event types.
	EventTypes []EventType `json:"eventTypes"`
	// EventNotificationURL is the callback address, absolute. Required. Specification, Webhooks.
	EventNotificationURL string `json:"eventNotificationUrl"`
	// Key signs the deliveries. Left out when omitted, and the deliveries are not signed. What becomes of the old
	// key when a change leaves it out is not specified, so send it with every change. Specification, Webhooks.
	Key Opt[Secret] `json:"key,omitzero"`
}
