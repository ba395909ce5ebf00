package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// lateFailures receives the events of writes that the service has accepted and
// that have failed later. No answer reports them.
type lateFailures struct {
	mu    sync.Mutex
	heard []string
}

// ServeHTTP takes a notification. It comes from the service that this program
// has started, so that nobody else can have sent it.
func (l *lateFailures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const largest = 1 << 20
	var event struct {
		Payload struct{ Message, ResourceID string }
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	if err == nil {
		err = json.Unmarshal(text, &event)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, event.Payload.ResourceID+": "+event.Payload.Message)
}

// listen subscribes to late failures of the embedded service; nil elsewhere.
func (t *tour) listen(ctx context.Context) (*lateFailures, error) {
	if !t.Embedded || !t.writes {
		return nil, nil
	}
	late := &lateFailures{}
	origin, err := t.Server().Mount(late)
	if err != nil {
		return nil, err
	}
	_, err = t.Client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{
		Name: "late failures of the tour", EventNotificationURL: origin, EventTypes: []models.EventType{models.EventTypeError.Type()},
	})
	return late, err
}

// hear prints what has failed late, when every write has had its effect.
func (t *tour) hear(ctx context.Context, late *lateFailures) error {
	if late == nil || ctx.Err() != nil {
		return nil
	}
	t.Server().Settle()
	if err := t.Server().Flush(ctx); err != nil {
		return err
	}
	late.mu.Lock()
	defer late.mu.Unlock()
	for _, failure := range late.heard {
		t.failed++
		t.Bad("FAILED LATE: %s", failure)
	}
	return nil
}
