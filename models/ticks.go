package models

import (
	"errors"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
)

// ErrTicksRange reports a number or a text that is not a number of ticks
// between year 1 and year 9999.
var ErrTicksRange = errors.New("models: the time is out of range for ticks")

const (
	ticksPerSecond = 10_000_000
	nanosPerTick   = 100
	unixEpochTicks = 621_355_968_000_000_000
	maxTicks       = 3_155_378_975_999_999_999
)

// Ticks is an instant as the number of 100-nanosecond steps since
// 0001-01-01T00:00:00Z. It is exact in 64 bits but does not fit a float64. The
// zero value is absent. It is read from a JSON number or string and written as
// a number.
type Ticks int64

// ParseTicks parses a number of ticks in the form of the Timestamp header of a
// notification. Anything else, or a number beyond year 9999, is ErrTicksRange.
func ParseTicks(text string) (Ticks, error) { return parseTicks([]byte(text)) }

// TicksOf returns the ticks of t, truncated to 100 nanoseconds. A time before
// year 1 or after year 9999 is ErrTicksRange.
func TicksOf(t time.Time) (Ticks, error) {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return 0, ErrTicksRange
	}
	return Ticks(t.Unix()*ticksPerSecond + int64(t.Nanosecond()/nanosPerTick) + unixEpochTicks), nil
}

// Time returns the exact instant in UTC. For the absent value it returns the
// zero time, which is the same instant.
func (t Ticks) Time() time.Time {
	since := int64(t) - unixEpochTicks
	return time.Unix(since/ticksPerSecond, since%ticksPerSecond*nanosPerTick).UTC()
}

// IsZero reports whether the ticks are absent.
func (t Ticks) IsZero() bool { return t == 0 }

// read reads an integer from 0 to the last tick of year 9999, as a JSON number
// or string; null and {} are absent.
func (t *Ticks) read(r *codec.Reader) error {
	*t = 0
	read := r.Bytes
	if r.Kind() == codec.KindNumber {
		read = r.Number
	}
	text, present := read()
	if !present {
		return r.Err()
	}
	ticks, err := parseTicks(text)
	if err != nil {
		return r.Reject("not a valid tick count")
	}
	*t = ticks
	return nil
}

// write writes the ticks as a number, or 0 if they are absent.
func (t Ticks) write(b []byte, _ *codec.Writer) []byte { return strconv.AppendInt(b, int64(t), 10) }

// UnmarshalJSON reads an integer from 0 to the last tick of year 9999, as a
// JSON number or string; null and {} are absent.
func (t *Ticks) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, t, Wire) }

// MarshalJSON writes the ticks as a number, or 0 if they are absent.
func (t Ticks) MarshalJSON() ([]byte, error) { return codec.Marshal(&t, Wire) }

func parseTicks(s []byte) (Ticks, error) {
	n, ok := codec.ParseInt(s)
	if !ok || n < 0 || n > maxTicks {
		return 0, ErrTicksRange
	}
	return Ticks(n), nil
}
