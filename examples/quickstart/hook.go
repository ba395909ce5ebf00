package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	patience     = 20 * time.Second // for a notification
	shutdownTime = 5 * time.Second
)

type feeEvent = webhook.Event[models.Fee]

// hook receives notifications on this machine, as a server of the integration
// would on its own address.
type hook struct {
	*show
	address      string
	subscription string
	events       chan *feeEvent
	receiver     *webhook.Receiver
	server       *http.Server
	served       chan error
}

// listen starts a receiver and subscribes it to changes of fees.
func listen(ctx context.Context, s *show) (*hook, error) {
	key := models.NewSecret(rand.Text())
	receiver, err := webhook.NewReceiver(s.ClientID, webhook.Keys(key))
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hook{
		show: s, receiver: receiver, address: "http://" + listener.Addr().String() + "/hooks",
		events: make(chan *feeEvent, 16), served: make(chan error, 1),
	}
	webhook.On(receiver, models.EventTypeFeeUpdated, h.take)
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)
	h.server = &http.Server{Handler: mux, ReadHeaderTimeout: shutdownTime, ReadTimeout: webhook.ServiceTimeout}
	go func() { h.served <- h.server.Serve(listener) }()

	subscription, err := s.Client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{
		Name: "Quickstart", EventTypes: []models.EventType{models.EventTypeFeeUpdated.Type(), models.EventTypeError.Type()},
		EventNotificationURL: h.address, Key: models.Some(key),
	})
	if err != nil {
		return nil, errors.Join(err, h.close(ctx))
	}
	h.subscription = subscription.ID
	s.Line("Listening at %s for %s.", h.address, models.EventTypeFeeUpdated)
	s.Blank()
	return h, nil
}

// take runs within the delivery, so it only hands the event over.
func (h *hook) take(ctx context.Context, event *feeEvent) error {
	select {
	case h.events <- event:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait returns the event that a request caused.
func (h *hook) wait(ctx context.Context, requestID string) (*feeEvent, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case event := <-h.events:
			if event.RequestID == requestID {
				return event, nil
			}
		case <-timer.C:
			return nil, errors.New("no notification came")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// forge sends an unsigned notification, and returns the answer.
func (h *hook) forge(ctx context.Context) (status int, err error) {
	body := strings.NewReader(`{"type":"` + string(models.EventTypeFeeUpdated) + `"}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address, body)
	if err != nil {
		return 0, err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// close unsubscribes and ends the server, also when ctx has ended.
func (h *hook) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	var errs []error
	if h.subscription != "" {
		_, err := h.Client.Webhooks.Delete(ctx, h.subscription)
		errs = append(errs, err)
	}
	errs = append(errs, h.server.Shutdown(ctx))
	if err := <-h.served; !errors.Is(err, http.ErrServerClosed) {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, h.receiver.Shutdown(ctx))...)
}
