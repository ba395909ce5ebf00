package practice

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	eventsList = operation{"Events.List", http.MethodGet, "/events", transport.Read}
	eventsAll  = operation{"Events.All", http.MethodGet, "/events", transport.Read}
)

// EventsService reads the calendar of the firm (Specification, Calendar
// events).
type EventsService service

// EventListOptions narrow a list of calendar events. The zero value lists all
// events from now on, deleted ones included.
type EventListOptions struct {
	Offset int // start position, 0 to 2147483647
	Limit  int // page size, 1 to 500; 0 leaves it to the service, or to All
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
	c := s.client.call(ctx, eventsList, opts)
	c.page(upperNames, options.Offset, options.Limit)
	c.eventFilter(options)
	return list[models.CalendarEvent](c)
}

// All walks over all calendar events from Offset on, Limit at a time.
//
// API: GET /events
func (s *EventsService) All(ctx context.Context, options EventListOptions, opts ...CallOption) iter.Seq2[models.CalendarEvent, error] {
	return all(ctx, walk[models.CalendarEvent]{offset: options.Offset, limit: options.Limit, prepare: func(ctx context.Context) *call {
		c := s.client.call(ctx, eventsAll, opts)
		c.eventFilter(options)
		return c
	}}, upperNames, func(e *models.CalendarEvent) string { return e.ID })
}

const isoSeconds = "2006-01-02T15:04:05"

func (p *call) eventFilter(options EventListOptions) {
	p.check("To", reasonIf(!options.To.IsZero() && options.To.Before(options.From), "must not be before From"))
	p.param("MatterId", options.MatterID)
	if options.ExcludeDeleted {
		p.param("ExcludeDeletedEvents", "true")
	}
	if !options.UpdatedSince.IsZero() {
		ticks, err := models.TicksOf(options.UpdatedSince)
		p.check("UpdatedSince", reasonIf(err != nil, "is outside the years 1 to 9999"))
		p.param("UpdatedSince", strconv.FormatInt(int64(ticks), 10))
	}
	p.utc("From", options.From.Truncate(time.Second))
	p.utc("To", options.To.Add(time.Second-time.Nanosecond).Truncate(time.Second))
}

// utc takes a time as the service wants it in queries: in UTC, but without
// saying so. The zero time, or what rounding made of it, is left out.
func (p *call) utc(name string, t time.Time) {
	if t = t.UTC(); t.Unix() <= (time.Time{}).Unix() {
		return
	}
	p.check(name, reasonIf(t.Year() > 9999, "is outside the years 1 to 9999"))
	p.param(name, t.Format(isoSeconds))
}
