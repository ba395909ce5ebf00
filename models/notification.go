package models

// NotificationSourceAPI is the source of an event that a client of the interface caused; any other source is the
// name of the vendor's own application. Specification, Notification body.
const NotificationSourceAPI = "API"

// Notification is what the service sends to a callback address. Notifications may come repeated and out of
// order. Specification, Notification body.
type Notification struct {
	// AccountID identifies the account of the subscription. Empty when absent. Specification, Notification body.
	AccountID string `json:"accountId"`
	// UserID identifies the user who caused the event. Often empty. Specification, Notification body.
	UserID string `json:"userId"`
	// SubscriptionID identifies the webhook subscription. Empty when absent. Specification, Notification body.
	SubscriptionID string `json:"subscriptionId"`
	// Type is the kind of event, also one that has no constant here. Empty when absent.
	// Specification, Notification body.
	Type EventType `json:"type"`
	// Source is where the event came from; see NotificationSourceAPI. Empty when absent.
	// Specification, Notification body.
	Source string `json:"source"`
	// Payload is the content, which depends on Type. Zero when absent. Specification, Notification body.
	Payload Object `json:"payload"`
	// Timestamp is when the event happened, in ticks; good for ordering. Zero when absent.
	// Specification, Notification body.
	Timestamp Ticks `json:"timestamp"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
