package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	pace  = 10 * time.Millisecond  // between two changes
	quiet = 10 * time.Second       // for the outcome of a write
	look  = 100 * time.Millisecond // between two looks at the queue
)

// stream has contacts change in the embedded service, and waits until the
// notifications of all that are handled. The service repeats a fifth of them
// and lets others overtake a fifth.
func (a *app) stream(ctx context.Context) error {
	server := a.service.Server()
	var writes []string
	for i := range a.events {
		var err error
		switch i % 12 {
		case 2:
			server.Emit(practicetest.Event{Type: "matter.updated", Payload: matter(server.Firm().MatterID)})
		case 5:
			if i == 5 {
				server.FailWrite("updateContactRelation", "The contact is locked")
			}
			id := a.keys.requestID.NewRequestID()
			writes = append(writes, id)
			err = a.ownWrite(ctx, id)
		default: // somebody else: an id that this integration did not sign
			err = a.relate(ctx, uuid.NewString())
		}
		if err == nil {
			err = rest(ctx, pace)
		}
		if err != nil {
			return err
		}
	}
	server.Settle()
	if err := server.Flush(ctx); err != nil {
		return err
	}
	if err := a.handled(ctx); err != nil {
		return err
	}
	return a.outcomes(ctx, writes)
}

// ownWrite is registered before it is sent, because the event of its
// failure may come before its answer.
func (a *app) ownWrite(ctx context.Context, id string) error {
	if err := a.state.tracker.Register(ctx, id); err != nil {
		return err
	}
	return a.relate(ctx, id)
}

// relate relates a contact to another one.
func (a *app) relate(ctx context.Context, requestID string) error {
	contacts := a.service.Server().Firm().ContactIDs
	i := rand.IntN(len(contacts))
	other := (i + 1 + rand.IntN(len(contacts)-1)) % len(contacts)
	_, err := a.service.Client.Contacts.UpdateRelation(ctx, contacts[i], contacts[other],
		models.RelationWrite{BusinessRole: models.Some("Director")}, practice.WithRequestID(requestID))
	return err
}

func matter(id string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"id": id, "status": "Open"}) // texts can be written
	return text
}

// handled waits until the queue is empty, whoever handles what is in it.
func (a *app) handled(ctx context.Context) error {
	for {
		left, err := a.state.engine.Queue().Len(ctx)
		if err != nil || left == 0 {
			return err
		}
		if err := rest(ctx, look); err != nil {
			return err
		}
	}
}

// outcomes returns what became of the own writes. The service says of none that
// it succeeded.
func (a *app) outcomes(ctx context.Context, writes []string) error {
	observed := 0
	for _, id := range writes {
		outcome, err := a.state.tracker.Wait(ctx, id, quiet)
		if err != nil {
			return err
		}
		switch outcome.State {
		case webhook.OutcomeFailed:
			a.screen.bad("The own write %s was accepted, and failed: %s.", short(id), outcome.Failed.Failure.Message)
		case webhook.OutcomeObserved:
			observed++
		default:
			a.screen.show(func(p *term.Printer) { p.Line("Of the own write %s: %v.", short(id), outcome.State) })
		}
	}
	if observed > 0 {
		a.screen.good("The changes of %s came back as events, and were dropped.", term.Count(observed, "own write"))
	}
	return nil
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
