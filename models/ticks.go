package models

import (
	"errors"
	"time"
)

// ErrTicksRange says that a number is not a count of ticks between year 1 and year 9999.
// Specification, Events.
var ErrTicksRange = errors.New("models: ticks out of range")

const (
	ticksPerSecond = 10_000_000
	nanosPerTick   = 100
	unixEpochTicks = 621_355_968_000_000_000
	maxTicks       = 3_155_378_975_999_999_999
)

// Ticks is an instant as a count of 100 nanosecond steps since 0001-01-01T00:00:00Z, exact in 64 bits but beyond
// what a float64 can hold. The zero value is absent. It is read from a JSON number or text and written as a
// number. Specification, Events.
type Ticks int64

// TicksOf gives the ticks of t, cut down to whole ticks of 100 nanoseconds. A time before year 1 or after year
// 9999 is ErrTicksRange. Specification, Events.
func TicksOf(t time.Time) (Ticks, error) {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return 0, ErrTicksRange
	}
	return Ticks(t.Unix()*ticksPerSecond + int64(t.Nanosecond()/nanosPerTick) + unixEpochTicks), nil
}

// Time gives the instant in UTC, exactly. The absent value gives the zero time, which is the same instant.
// Specification, Events.
func (t Ticks) Time() time.Time {
	since := int64(t) - unixEpochTicks
	return time.Unix(since/ticksPerSecond, since%ticksPerSecond*nanosPerTick).UTC()
}

// IsZero tells whether the ticks are absent. Specification, Events.
func (t Ticks) IsZero() bool { return t == 0 }
