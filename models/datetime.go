package models

import (
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
)

// ErrInvalidDateTime reports a text that is not a date-time of the service.
var ErrInvalidDateTime = errors.New("models: the text is not a valid date-time")

// DateTime is an instant as written by the service: a date and a time with 0 to
// 9 fraction digits, followed by Z, an offset, or nothing, which means UTC. It
// keeps the text, so it is written as it was read. The zero value is absent;
// the service's own "no date" 0001-01-01T00:00:00 is not absent. Two values are
// == if their texts are equal; use [DateTime.Time] to compare instants.
type DateTime struct{ at stamp }

// ParseDateTime parses a date-time such as 2017-02-20T05:50:30.1568284Z, with 0
// to 9 fraction digits and with Z, an offset or no zone. Anything else is
// ErrInvalidDateTime.
func ParseDateTime(text string) (DateTime, error) { return parseDateTime([]byte(text)) }

// DateTimeOf returns the instant t in UTC, with as many fraction digits as it
// needs, so that Time returns t again. For the zero time, or a year outside 1
// to 9999, it returns the absent DateTime.
func DateTimeOf(t time.Time) DateTime { return DateTime{at: stampOf(t.UTC(), zoneUTC)} }

// Time returns the instant in UTC, exact to the nanosecond. A text without a
// zone is in UTC. For an absent DateTime it returns the zero time.
func (d DateTime) Time() time.Time { return d.at.instant() } // Assumed: a time without a zone

// IsZero reports whether the instant is absent.
func (d DateTime) IsZero() bool { return d.at.zone == zoneAbsent }

// HasZone reports whether the text contains a zone, Z or an offset.
func (d DateTime) HasZone() bool { return d.at.hasZone() }

// String returns the text as read, or "" if the instant is absent.
func (d DateTime) String() string { return d.at.text() }

func parseDateTime(s []byte) (DateTime, error) {
	at, ok := parseStamp(s)
	if !ok {
		return DateTime{}, ErrInvalidDateTime
	}
	return DateTime{at: at}, nil
}

// read reads the forms of [ParseDateTime]; null and {} are absent.
func (d *DateTime) read(r *codec.Reader) error {
	*d = DateTime{}
	text, present := r.Bytes()
	if !present {
		return r.Err()
	}
	parsed, err := parseDateTime(text)
	if err != nil {
		return r.Reject("not a date-time")
	}
	*d = parsed
	return nil
}

// write writes the text as read, or null if it is absent.
func (d DateTime) write(b []byte, _ *codec.Writer) []byte {
	if d.IsZero() {
		return append(b, "null"...)
	}
	return d.appendQuoted(b)
}

// UnmarshalJSON reads the forms of [ParseDateTime]; null and {} are absent.
func (d *DateTime) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, d, Wire) }

// MarshalJSON writes the text as read, or null if it is absent.
func (d DateTime) MarshalJSON() ([]byte, error) { return codec.Marshal(&d, Wire) }

func (d DateTime) appendQuoted(b []byte) []byte { return append(d.at.appendTo(append(b, '"')), '"') }
