package models

// CalendarEventType says how a calendar event recurs. The set is open: unknown values are kept as they came.
// Specification, Calendar event.
type CalendarEventType string

// The published types; the specification leaves them open. Published interface, not in the specification.
const (
	CalendarEventTypeNormal            CalendarEventType = "Normal"            // does not recur
	CalendarEventTypePattern           CalendarEventType = "Pattern"           // the pattern of a series
	CalendarEventTypeOccurrence        CalendarEventType = "Occurrence"        // one event of a series
	CalendarEventTypeChangedOccurrence CalendarEventType = "ChangedOccurrence" // one event of a series, changed
	CalendarEventTypeDeletedOccurrence CalendarEventType = "DeletedOccurrence" // one event of a series, deleted
)
