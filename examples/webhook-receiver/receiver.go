package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

const path = "/hooks"

// newReceiver returns the receiver with its handlers. It has no Sequencer: what
// the transaction of a handler compares is no advice.
func (a *app) newReceiver() (*webhook.Receiver, error) {
	settings := []webhook.ReceiverOption{
		webhook.WithQueue(a.state.engine.Queue()),
		webhook.WithDeduplicator(a.state.seen),
		webhook.WithTracker(a.state.tracker),
		webhook.IgnoreOwn(a.keys.requestID),
		webhook.WithOwnHook(a.own),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { a.screen.bad("%v", err) }),
		webhook.WithAlarmHook(a.alarm),
		// About three quarters of an hour until somebody has to look at it.
		webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 100, First: 250 * time.Millisecond, Max: 30 * time.Second}),
	}
	if a.service.Embedded {
		settings = append(settings, webhook.WithWorkers(2)) // slow enough to be interrupted
	}
	receiver, err := webhook.NewReceiver(a.service.ClientID, webhook.Keys(a.keys.webhook), settings...)
	if err != nil {
		return nil, err
	}
	webhook.On(receiver, models.EventOf[contactHint](models.EventTypeContactUpdated), a.contact)
	webhook.On(receiver, models.EventTypeError, a.failure)
	webhook.OnAny(receiver, a.other)
	return receiver, nil
}

// own prints events that are dropped because this integration caused them.
func (a *app) own(_ context.Context, e *webhook.Event[json.RawMessage]) {
	a.screen.event(string(e.Type), short(e.ResourceID()), "an own change, dropped", true)
}

// alarm reports that a signature came with two bodies. Every handler here reads
// the record, so a false body causes only a needless read.
func (a *app) alarm(_ context.Context, alarm webhook.Alarm) {
	a.screen.bad("The signature of request %s came with two bodies: one may be forged.", alarm.Verified.RequestID)
}

// short returns the beginning of an id, enough to tell records apart.
func short(id string) string { return id[:min(len(id), 8)] }
