package models

import (
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
)

// LocalDateTime is a local date and time whose zone is in another member, as in
// the start of a calendar event. It keeps the text, including fraction digits,
// and is written as it was read. The zero value is absent. Two values are == if
// their texts are equal.
type LocalDateTime struct{ at stamp }

// NewLocalDateTime returns the local time with the given date and time of day
// (24-hour clock, whole seconds). A date that does not exist, or a time outside
// 00:00:00 to 23:59:59, is ErrInvalidDateTime.
func NewLocalDateTime(year int, month time.Month, day, hour, minute, sec int) (LocalDateTime, error) {
	date, err := NewDate(year, month, day)
	if err != nil || hour < 0 || hour > 23 || minute < 0 || minute > 59 || sec < 0 || sec > 59 {
		return LocalDateTime{}, ErrInvalidDateTime
	}
	at := stamp{date: date, hour: uint8(hour), minute: uint8(minute), sec: uint8(sec), zone: zoneNone}
	return LocalDateTime{at: at}, nil
}

// LocalDateTimeOf returns the local time of t in its own location. For the zero
// time, or a year outside 1 to 9999, it returns the absent LocalDateTime.
func LocalDateTimeOf(t time.Time) LocalDateTime { return LocalDateTime{at: stampOf(t, zoneNone)} }

// ParseLocalDateTime parses a date-time such as 2026-09-01T09:30:00 with 0 to 9
// fraction digits. It keeps a zone in the text, see [LocalDateTime.In].
// Anything else is ErrInvalidDateTime.
func ParseLocalDateTime(text string) (LocalDateTime, error) { return parseLocalDateTime([]byte(text)) }

// IsZero reports whether the time is absent.
func (l LocalDateTime) IsZero() bool { return l.at.zone == zoneAbsent }

// HasZone reports whether the text contains a zone, contrary to the
// specification.
func (l LocalDateTime) HasZone() bool { return l.at.hasZone() }

// Date returns the date. It is absent if the time is.
func (l LocalDateTime) Date() Date { return l.at.date }

// Clock returns hour, minute and second, or zeros if the time is absent.
func (l LocalDateTime) Clock() (hour, minute, sec int) {
	return int(l.at.hour), int(l.at.minute), int(l.at.sec)
}

// String returns the text as read, or "" if the time is absent.
func (l LocalDateTime) String() string { return l.at.text() }

func parseLocalDateTime(s []byte) (LocalDateTime, error) {
	at, ok := parseStamp(s)
	if !ok {
		return LocalDateTime{}, ErrInvalidDateTime
	}
	return LocalDateTime{at: at}, nil
}

// read reads the forms of [ParseLocalDateTime]; null and {} are absent.
func (l *LocalDateTime) read(r *codec.Reader) error {
	*l = LocalDateTime{}
	text, present := r.Bytes()
	if !present {
		return r.Err()
	}
	parsed, err := parseLocalDateTime(text)
	if err != nil {
		return r.Reject("not a date-time")
	}
	*l = parsed
	return nil
}

// write writes the text as read, or null if it is absent.
func (l LocalDateTime) write(b []byte, _ *codec.Writer) []byte {
	if l.IsZero() {
		return append(b, "null"...)
	}
	return l.appendQuoted(b)
}

// UnmarshalJSON reads the forms of [ParseLocalDateTime]; null and {} are
// absent.
func (l *LocalDateTime) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, l, Wire) }

// MarshalJSON writes the text as read, or null if it is absent.
func (l LocalDateTime) MarshalJSON() ([]byte, error) { return codec.Marshal(&l, Wire) }

func (l LocalDateTime) appendQuoted(b []byte) []byte {
	return append(l.at.appendTo(append(b, '"')), '"')
}
