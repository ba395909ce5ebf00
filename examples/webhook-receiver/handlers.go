package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// contactHint holds the payload of contact.updated. The signature does not
// cover it, so it is only good for a line on the screen.
type contactHint struct {
	Person struct {
		FirstName string `json:"firstName"`
		LastName  string `json:"lastName"`
	} `json:"person"`
}

// contact updates the copy of a contact: it reads the contact, and commits it
// together with the event.
func (a *app) contact(ctx context.Context, e *webhook.Event[contactHint]) error {
	if err := plausible(e.Timestamp, e.Verified); err != nil {
		return err
	}
	c := changeOf(e)
	place, err := c.place(ctx, a.db)
	if err != nil {
		return err
	}
	var related []string
	if place == applied { // or else reading would be in vain
		if related, err = a.read(ctx, c.resource); err != nil {
			return err
		}
	}
	did, err := a.db.apply(ctx, c, related)
	if err != nil {
		return err
	}
	a.tell(c, did, e.Payload.Person.FirstName+" "+e.Payload.Person.LastName, "now related to "+term.Count(len(related), "contact"))
	return nil
}

// read returns the related contacts of a contact, and none for a deleted one.
func (a *app) read(ctx context.Context, id string) ([]string, error) {
	if err := a.work(ctx); err != nil {
		return nil, err
	}
	var related []string
	for link, err := range a.service.Client.Contacts.AllRelations(ctx, id, practice.ContactRelationListOptions{}) {
		switch {
		case errors.Is(err, practice.ErrNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		}
		related = append(related, link.TargetID())
	}
	return related, nil
}

// plausible refuses an event that happened long after it was sent. The body is
// not signed, and a time in the future would make every later event of the
// contact look overtaken. The time of the sending is signed.
func plausible(happened models.Ticks, v webhook.Verified) error {
	if happened.Time().After(v.SentAt.Time().Add(webhook.DefaultTolerance)) {
		return fmt.Errorf("the event is of %s, and was sent at %s", happened.Time().Format(time.RFC3339), v.SentAt.Time().Format(time.RFC3339))
	}
	return nil
}

// failure reports an own write that failed after it was accepted. The tracker
// knows by now.
func (a *app) failure(ctx context.Context, e *webhook.Event[models.ErrorPayload]) error {
	return a.note(ctx, changeOf(e), short(e.Payload.ResourceID), "a write failed: "+e.Payload.Message)
}

// other handles events that do not concern the copy.
func (a *app) other(ctx context.Context, e *webhook.Event[json.RawMessage]) error {
	return a.note(ctx, changeOf(e), short(e.ResourceID()), "noted")
}

func (a *app) note(ctx context.Context, c change, what, remark string) error {
	if err := a.work(ctx); err != nil {
		return err
	}
	did, err := a.db.note(ctx, c)
	if err == nil {
		a.tell(c, did, what, remark)
	}
	return err
}

// work takes as long as -slow says, to have something to interrupt.
func (a *app) work(ctx context.Context) error {
	if !a.service.Embedded {
		return nil
	}
	select {
	case <-time.After(a.slow):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tell prints the effect of an event after its commit.
func (a *app) tell(c change, did outcome, what, remark string) {
	a.tally.add(did)
	switch did {
	case overtaken:
		remark = "overtaken by a newer change"
	case repeated:
		remark = "took effect before, left alone"
	}
	a.screen.event(c.kind, what, remark, did != applied)
}
