package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// fee corrects a fee, explains the answer, and waits for the notification of
// the change.
func fee(ctx context.Context, s *show) (err error) {
	hook, err := listen(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hook.close(ctx)) }()

	patch := models.FeePatch{
		Subject:  models.Some("Advice on the lease"),        // a new value
		Duration: models.Some(42),                           // minutes
		Rate:     models.Some(models.MustDecimal("385.50")), // exact
		Tax:      models.Null[models.Decimal](),             // cleared
	} // everything else is left out, and stays as it is
	body, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	s.Line("Sent      %s", body)
	var response practice.Response
	link, err := s.Client.Fees.Patch(ctx, s.ID("MATTER_ID"), s.ID("FEE_ID"), patch, practice.WithResponse(&response))
	if err != nil {
		return err
	}
	s.Line("Answered  %d %s, fee %s", response.StatusCode, http.StatusText(response.StatusCode), link.TargetID())
	s.Line("Request   %s", response.RequestID)
	s.Blank()
	s.Note("Accepted is not done: the service executes the change a moment later. If that")
	s.Note("fails, an error notification with this request id is the only sign of it.")
	s.Blank()
	return s.tell(ctx, hook, response.RequestID, *link)
}

// tell prints the notification of a request, and the present record: the
// signature covers the headers only, so the payload is a hint.
func (s *show) tell(ctx context.Context, hook *hook, requestID string, record models.Link) error {
	event, err := hook.wait(ctx, requestID)
	if err != nil {
		return err
	}
	s.Good("Received %s, signed at %s with the key of the subscription.",
		event.Type, event.Verified.SentAt.Time().Format("15:04:05.000 MST"))
	s.Line("It carries the request id, so a receiver knows its own changes.")
	status, err := hook.forge(ctx)
	if err != nil {
		return err
	}
	s.Line("A forged one was refused with %d %s.", status, http.StatusText(status))
	var now struct {
		Subject   string
		Duration  int
		Rate, Tax models.Decimal
	}
	if err := s.Client.Follow(ctx, record, &now); err != nil {
		return err
	}
	s.Blank()
	s.Line("The fee is now: %s, %d minutes at %s dollars an hour, tax %s.", now.Subject, now.Duration, now.Rate, amount(now.Tax, "none"))
	return nil
}
