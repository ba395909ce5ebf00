package practicetest

import "time"

// subscription is a webhook subscription as the service keeps it.
type subscription struct {
	id         string
	accountID  string
	clientID   string
	grant      *grant // with its refresh token the subscription ends; nil under client credentials
	name       string
	eventTypes []string
	url        string
	key        string
	created    time.Time
	updated    time.Time
}
