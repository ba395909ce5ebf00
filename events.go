package practice

import (
	"context"
	"iter"
	"time"

	"github.com/practicesdk/practice-go/models"
)

func eventsList() pagedList[models.CalendarEvent] {
	return paged("Events.List", "Events.All", "/events", func(e *models.CalendarEvent) string { return e.ID })
}

// EventsService reads the calendar of the firm.
type EventsService service

// EventListOptions narrow a list of calendar events. The zero value lists all
// events from now on, deleted ones included.
type EventListOptions struct {
	ListOptions
	// UpdatedSince lists events changed at or after a time, to 100 ns. It is
	// sent as .NET ticks.
	UpdatedSince   time.Time
	MatterID       string // only events of this matter
	ExcludeDeleted bool   // leaves deleted events out
	// From lists events from a time on, in whole seconds, rounded down. When
	// zero, the service takes the time of each request: set it for a walk, so
	// that all pages begin at the same time.
	From time.Time
	// To lists events up to a time, in whole seconds, rounded up. When zero, all
	// future events are listed.
	To time.Time
}

// List returns one page of calendar events.
//
// API: GET /events
func (s *EventsService) List(ctx context.Context, options EventListOptions, opts ...CallOption) (*Page[models.CalendarEvent], error) {
	return eventsList().page(ctx, s.client, options, opts)
}

// All yields every calendar event from Offset on, and requests Limit events per
// page.
//
// API: GET /events
func (s *EventsService) All(ctx context.Context, options EventListOptions, opts ...CallOption) iter.Seq2[models.CalendarEvent, error] {
	return eventsList().walk(ctx, s.client, options, opts)
}

func (o EventListOptions) filter(c *call) {
	c.check("To", reasonIf(!o.To.IsZero() && o.To.Before(o.From), "must not be before From"))
	c.param("MatterId", o.MatterID)
	if o.ExcludeDeleted {
		c.param("ExcludeDeletedEvents", "true")
	}
	c.ticks("UpdatedSince", o.UpdatedSince)
	c.utc("From", o.From.Truncate(time.Second))
	c.utc("To", o.To.Add(time.Second-time.Nanosecond).Truncate(time.Second))
}
