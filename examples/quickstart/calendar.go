package main

import (
	"context"
	"errors"
	"slices"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

const shownEvents = 12

// calendar prints the events of the next seven days, each in the zone of the
// place where it happens.
func calendar(ctx context.Context, s *show) error {
	from := time.Now()
	events, err := practice.Collect(s.Client.Events.All(ctx, practice.EventListOptions{
		From: from, To: from.AddDate(0, 0, 7), ExcludeDeleted: true,
	}))
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b models.CalendarEvent) int { return instant(a).Compare(instant(b)) })
	table := &term.Table{Columns: []term.Column{
		{Name: "Day"}, {Name: "Time"}, {Name: "Zone"}, {Name: "UTC", Right: true}, {Name: "Subject"}, {Name: "Place"},
	}}
	for _, event := range events[:min(len(events), shownEvents)] {
		day, clock, utc := when(event)
		table.Add(day, clock, event.TimeZone, utc, event.Subject, event.Location)
	}
	if len(events) > 0 {
		s.Table(table)
		s.Blank()
	}
	s.Line("%s in seven days.", term.Count(len(events), "event"))
	if more := len(events) - shownEvents; more > 0 {
		s.Note("The first %d are shown.", shownEvents)
	}
	return nil
}

// when returns the local day and time of an event, and its start in UTC.
func when(event models.CalendarEvent) (day, clock, utc string) {
	start, err := event.StartTime.In(event.TimeZone)
	if err != nil {
		return event.StartTime.String(), troubleWith(err), ""
	}
	day, clock, utc = start.Format("Mon 2 Jan"), start.Format("15:04"), start.UTC().Format("Mon 15:04")
	if event.AllDay.Or(false) {
		return day, "all day", ""
	}
	if end, err := event.EndTime.In(event.TimeZone); err == nil {
		clock += "–" + end.Format("15:04")
	}
	return day, clock, utc
}

// troubleWith returns why a local time is not one instant: the clocks were
// changed just then, or the zone is unknown.
func troubleWith(err error) string {
	if zone, ok := errors.AsType[*models.ZoneError](err); ok {
		return string(zone.Kind)
	}
	return "no time"
}

// instant is for sorting: where the local time is ambiguous, the earlier one.
func instant(event models.CalendarEvent) time.Time {
	start, err := event.StartTime.In(event.TimeZone)
	if zone, ok := errors.AsType[*models.ZoneError](err); ok && len(zone.Candidates) > 0 {
		return zone.Candidates[0]
	}
	return start
}
