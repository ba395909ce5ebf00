package models

import (
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
)

// CalendarEventCode is the eventType of a calendar event as received: a name,
// digits as a string, or a number. The zero value is absent.
type CalendarEventCode struct {
	text   string
	number bool
}

// Type returns the name of the code, or the code itself if its name is unknown.
// It returns "" if the code is absent. Published interface, not in the
// specification.
func (c CalendarEventCode) Type() CalendarEventType {
	names := [...]CalendarEventType{
		CalendarEventTypeNormal, CalendarEventTypePattern, CalendarEventTypeOccurrence,
		CalendarEventTypeChangedOccurrence, CalendarEventTypeDeletedOccurrence,
	}
	if n, err := strconv.Atoi(c.text); err == nil && n >= 0 && n < len(names) && strconv.Itoa(n) == c.text {
		return names[n]
	}
	return CalendarEventType(c.text)
}

// IsZero reports whether the code is absent.
func (c CalendarEventCode) IsZero() bool { return c.text == "" }

// String returns the code as received.
func (c CalendarEventCode) String() string { return c.text }

// read reads a string or an integer; null and {} are absent.
func (c *CalendarEventCode) read(r *codec.Reader) error {
	*c = CalendarEventCode{}
	if r.Kind() != codec.KindNumber {
		return codec.Text(&c.text, r)
	}
	var n int
	if err := codec.Int(&n, r); err != nil {
		return err
	}
	*c = CalendarEventCode{text: strconv.Itoa(n), number: true}
	return nil
}

// write writes the code in the form in which it was read.
func (c CalendarEventCode) write(b []byte, w *codec.Writer) []byte {
	if !c.number {
		return w.Text(b, c.text)
	}
	return append(b, c.text...)
}

// UnmarshalJSON reads a string or an integer; null and {} are absent.
func (c *CalendarEventCode) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, c, Wire) }

// MarshalJSON writes the code in the form in which it was read.
func (c CalendarEventCode) MarshalJSON() ([]byte, error) { return codec.Marshal(&c, Wire) }
