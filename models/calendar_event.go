package models

// CalendarEvent is an entry of the firm's calendar. Specification, Calendar event.
type CalendarEvent struct {
	Hypermedia
	// ID identifies the event, a UUID. Empty when absent. Specification, Calendar event.
	ID string `json:"id"`
	// Matter links to the matter. The zero Link for an event without one. Specification, Calendar event.
	Matter Link `json:"matter"`
	// Attendees links to the staff who attend. Empty when absent. Specification, Calendar event.
	Attendees []Link `json:"attendees"`
	// ExternalAttendees links to the contacts who attend. Empty when absent. Specification, Calendar event.
	ExternalAttendees []Link `json:"externalAttendees"`
	// EventType says how the event recurs, as a name, as digits or as a number; its Type method gives the name.
	// The published interface prefers Type. Zero when absent. Specification, Calendar event.
	EventType CalendarEventCode `json:"eventType"`
	// Type says how the event recurs. Empty when absent. Specification, Calendar event.
	Type CalendarEventType `json:"type"`
	// Subject is the title. Empty when absent. Specification, Calendar event.
	Subject string `json:"subject"`
	// Description holds details, sometimes as HTML. Empty when absent. Specification, Calendar event.
	Description string `json:"description"`
	// Location is where the event takes place. Empty when absent. Specification, Calendar event.
	Location string `json:"location"`
	// AllDay tells whether the event takes the whole day. May be absent. Specification, Calendar event.
	AllDay Opt[bool] `json:"allDay"`
	// NonBillable tells whether the client is not billed for it. May be absent. Specification, Calendar event.
	NonBillable Opt[bool] `json:"nonBillable"`
	// StartTime is the clock time in TimeZone when the event begins. Zero when absent.
	// Specification, Calendar event.
	StartTime LocalDateTime `json:"startTime"`
	// EndTime is the clock time in TimeZone when the event ends. Zero when absent. Specification, Calendar event.
	EndTime LocalDateTime `json:"endTime"`
	// TimeZone is the IANA name of the zone, for example Australia/Sydney. Empty when absent.
	// Specification, Calendar event.
	TimeZone string `json:"timeZone"`
	// LastUpdated is when the event last changed; without a zone it is UTC. Zero when absent.
	// Specification, Calendar event.
	LastUpdated DateTime `json:"lastUpdated"`
	// AdditionalData holds free-form members. Zero when absent. Specification, Calendar event.
	AdditionalData Object `json:"additionalData"`
	// IsDeleted tells whether the event is deleted. May be absent. Specification, Calendar event.
	IsDeleted Opt[bool] `json:"isDeleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
