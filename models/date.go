package models

import (
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
)

// ErrInvalidDate reports a text or numbers that are not a date between
// 0001-01-01 and 9999-12-31.
var ErrInvalidDate = errors.New("models: the text is not a valid date")

// maxDays is the number of days between the first and the last date. Adding
// more always leaves the range.
const maxDays = 3652058

// Date is a calendar date without a time or a zone, from 0001-01-01 to
// 9999-12-31. The zero value is absent. It is comparable with ==. JSON has the
// form YYYY-MM-DD; a date-time is also read, and its date is used as written.
type Date struct {
	year       uint16
	month, day uint8
}

// NewDate returns the date with the given year, month and day. A date that does
// not exist is ErrInvalidDate.
func NewDate(year int, month time.Month, day int) (Date, error) {
	if year < 1 || year > 9999 || month < time.January || month > time.December || day < 1 || day > daysIn(year, month) {
		return Date{}, ErrInvalidDate
	}
	return Date{year: uint16(year), month: uint8(month), day: uint8(day)}, nil
}

// ParseDate parses YYYY-MM-DD, or a date-time such as 2026-07-01T10:00:00Z,
// whose date it takes as written. Anything else is ErrInvalidDate.
func ParseDate(text string) (Date, error) { return parseDate([]byte(text)) }

// DateOf returns the date of t in its own location. For the zero time, or a
// year outside 1 to 9999, it returns the absent Date.
func DateOf(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	year, month, day := t.Date()
	if year < 1 || year > 9999 {
		return Date{}
	}
	return Date{year: uint16(year), month: uint8(month), day: uint8(day)}
}

// IsZero reports whether the date is absent.
func (d Date) IsZero() bool { return d == Date{} }

// Year returns the year, 1 to 9999, or 0 if the date is absent.
func (d Date) Year() int { return int(d.year) }

// Month returns the month, or 0 if the date is absent.
func (d Date) Month() time.Month { return time.Month(d.month) }

// Day returns the day of the month, or 0 if the date is absent.
func (d Date) Day() int { return int(d.day) }

// String returns YYYY-MM-DD, or "" if the date is absent.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	var buf [10]byte
	return string(d.appendTo(buf[:0]))
}

// AddDays returns the date n days later, or earlier if n is negative. The
// result is absent if d is absent or the result is outside 0001-01-01 to
// 9999-12-31.
func (d Date) AddDays(n int) Date {
	if d.IsZero() || n > maxDays || n < -maxDays {
		return Date{}
	}
	year, month, day := time.Date(int(d.year), time.Month(d.month), int(d.day)+n, 0, 0, 0, 0, time.UTC).Date()
	moved, err := NewDate(year, month, day)
	if err != nil {
		return Date{}
	}
	return moved
}

// Compare returns -1 if d is before e, 1 if it is after, and 0 if they are
// equal. An absent date is before every other date.
func (d Date) Compare(e Date) int {
	switch a, b := d.order(), e.order(); {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

func (d Date) order() uint32 {
	return uint32(d.year)<<16 | uint32(d.month)<<8 | uint32(d.day)
}

func (d Date) appendTo(b []byte) []byte {
	century, year := byte(d.year/100), byte(d.year%100)
	return append(b, '0'+century/10, '0'+century%10, '0'+year/10, '0'+year%10,
		'-', '0'+d.month/10, '0'+d.month%10, '-', '0'+d.day/10, '0'+d.day%10)
}

func parseDate(s []byte) (Date, error) {
	if len(s) == 10 {
		if d, ok := parseDay(s); ok {
			return d, nil
		}
		return Date{}, ErrInvalidDate
	}
	at, ok := parseStamp(s)
	if !ok {
		return Date{}, ErrInvalidDate
	}
	return at.date, nil
}

// parseDay parses exactly YYYY-MM-DD, and returns false for other texts.
func parseDay(s []byte) (Date, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return Date{}, false
	}
	century, year, month, day := twoDigits(s, 0), twoDigits(s, 2), twoDigits(s, 5), twoDigits(s, 8)
	if century > 99 || year > 99 || month > 12 {
		return Date{}, false
	}
	d, err := NewDate(int(century*100+year), time.Month(month), int(day))
	return d, err == nil
}

func daysIn(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}

// read reads the forms of [ParseDate]; null and {} are absent.
func (d *Date) read(r *codec.Reader) error {
	*d = Date{}
	text, present := r.Bytes()
	if !present {
		return r.Err()
	}
	parsed, err := parseDate(text)
	if err != nil {
		return r.Reject("not a date")
	}
	*d = parsed
	return nil
}

// write writes the date as YYYY-MM-DD, or null if it is absent.
func (d Date) write(b []byte, _ *codec.Writer) []byte {
	if d.IsZero() {
		return append(b, "null"...)
	}
	return d.appendQuoted(b)
}

// UnmarshalJSON reads the forms of [ParseDate]; null and {} are absent.
func (d *Date) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, d, Wire) }

// MarshalJSON writes the date as YYYY-MM-DD, or null if it is absent.
func (d Date) MarshalJSON() ([]byte, error) { return codec.Marshal(&d, Wire) }

func (d Date) appendQuoted(b []byte) []byte { return append(d.appendTo(append(b, '"')), '"') }
