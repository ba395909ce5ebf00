package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// fee corrects a fee, prints the response, and waits for the notification of
// the change.
func (s *show) fee(ctx context.Context) (err error) {
	events := make(chan *webhook.Event[models.Fee], 16)
	address, end, err := s.listen(ctx, func(_ context.Context, event *webhook.Event[models.Fee]) error {
		events <- event
		return nil
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(context.WithoutCancel(ctx))) }()

	patch := models.FeePatch{
		Subject:  models.Some("Advice on the lease"),        // set
		Duration: models.Some(42),                           // in minutes
		Rate:     models.Some(models.MustDecimal("385.50")), // exact decimal
		Tax:      models.Null[models.Decimal](),             // set to null
	} // absent members remain unchanged
	body, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	var response practice.Response
	link, err := s.Fees.Patch(ctx, s.firm.MatterID, s.firm.FeeID, patch, practice.WithResponse(&response))
	if err != nil {
		return err
	}
	fmt.Printf("  Sent %s\n  Answered  %d: accepted, and executed a moment later\n", body, response.StatusCode)
	event, err := next(ctx, events)
	if err != nil {
		return err
	}
	fmt.Printf("  Received  %s, its signature verified\n", event.Type)
	fmt.Printf("  It is of this change: %v\n", event.RequestID == response.RequestID)

	forged, err := http.Post(address, "application/json", strings.NewReader(`{"type":"fee.updated"}`)) //nolint:gosec,noctx // the receiver above
	if err != nil {
		return err
	}
	fmt.Printf("  A forged one was refused with %s\n", forged.Status)
	now, err := practice.ReadLink[models.Fee](s.Client, link)(ctx) // read the fee again, because the signature does not cover the payload
	if err != nil {
		return errors.Join(err, forged.Body.Close())
	}
	fmt.Printf("\n  The fee is now: %s, %d minutes at %s dollars an hour.\n", plain(now.Subject), now.Duration.Or(0), now.Rate)
	return forged.Body.Close()
}

// listen starts a receiver for changes of fees on this machine and subscribes
// it. The returned function stops both.
func (s *show) listen(ctx context.Context, handle func(context.Context, *webhook.Event[models.Fee]) error) (address string, end func(context.Context) error, err error) {
	key := models.NewSecret(rand.Text())
	receiver, err := webhook.NewReceiver(s.clientID, webhook.Keys(key))
	if err != nil {
		return "", nil, err
	}
	webhook.On(receiver, models.EventTypeFeeUpdated, handle)
	server := httptest.NewServer(receiver) // a real receiver needs a URL that the service can reach
	subscription, err := s.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{
		Name: "Quickstart", EventTypes: []models.EventType{models.EventTypeFeeUpdated.Type()},
		EventNotificationURL: server.URL, Key: models.Some(key),
	})
	if err != nil {
		server.Close()
		return "", nil, errors.Join(err, receiver.Shutdown(ctx))
	}
	return server.URL, func(ctx context.Context) error {
		_, err := s.Webhooks.Delete(ctx, subscription.ID)
		server.Close()
		return errors.Join(err, receiver.Shutdown(ctx))
	}, nil
}

// next waits for an event.
func next(ctx context.Context, events <-chan *webhook.Event[models.Fee]) (*webhook.Event[models.Fee], error) {
	select {
	case event := <-events:
		return event, nil
	case <-time.After(time.Minute):
		return nil, errors.New("no notification came")
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
