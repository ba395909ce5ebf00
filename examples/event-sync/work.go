package main

import (
	"context"
	"errors"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// work changes the calendar of the embedded service, as people do between two
// rounds.
func (a *app) work(ctx context.Context, server *practicetest.Server) error {
	events, err := practice.Collect(a.Client.Events.All(ctx, practice.EventListOptions{ExcludeDeleted: true}))
	if err != nil {
		return err
	}
	if len(events) < 4 {
		return errors.New("the calendar of the example is too small")
	}
	start := server.Clock().Now().UTC().Add(48 * time.Hour).Truncate(time.Hour)
	server.AddEvent(models.CalendarEventWrite{Subject: "Call with counsel", StartTime: models.LocalDateTimeOf(start), TimeZone: "UTC"})
	a.Line("One event is added,")
	server.RescheduleEvent(events[0].ID, 24*time.Hour)
	server.RescheduleEvent(events[1].ID, -time.Hour)
	a.Line("two are moved,")
	server.DeleteEvent(events[2].ID)
	a.Line("one is deleted,")
	server.ForgetEvent(events[3].ID)
	a.Line("and one vanishes: it is not even listed as deleted.")
	return a.Err()
}
