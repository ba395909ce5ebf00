package models

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ZoneErrorKind is the reason why a local time is not exactly one instant.
type ZoneErrorKind string

// Kinds of [ZoneError].
const (
	ZoneErrorUnknownZone ZoneErrorKind = "unknown time zone" // the name is not in the zone database
	ZoneErrorGap         ZoneErrorKind = "gap"               // the clock was set forward over this time
	ZoneErrorOverlap     ZoneErrorKind = "overlap"           // the clock was set back, so the time occurred twice
	ZoneErrorAbsent      ZoneErrorKind = "absent"            // the time is absent
)

// ZoneError is the error of [LocalDateTime.In] if a local time is not exactly
// one instant.
type ZoneError struct {
	// Kind is the reason.
	Kind ZoneErrorKind
	// Zone is the name of the zone.
	Zone string
	// Local is the local time.
	Local LocalDateTime
	// Candidates holds the two possible instants, earliest first. For an
	// overlap they are the two instants at which the clock showed Local. For a
	// gap they are Local with the offset after the gap, and with the one before
	// it. Empty for the other kinds.
	Candidates []time.Time
	// Err is the cause for an unknown zone, otherwise nil. It says so if the
	// program has no time zone database.
	Err error
}

// Error names the kind, the time and the zone, and a missing database.
func (e *ZoneError) Error() string {
	text := fmt.Sprintf("models: local time %s in zone %q: %s", e.Local, e.Zone, e.Kind)
	if errors.Is(e.Err, errNoZones) {
		text += ": " + errNoZones.Error()
	}
	return text
}

// errNoZones is the cause if no zone is known, as in a container without
// zoneinfo.
var errNoZones = errors.New("the program has no time zone database: import time/tzdata or install zoneinfo")

// zoneCause returns err, the failure to load a zone, or errNoZones if a zone of
// every database cannot be loaded either.
func zoneCause(err error, load func(string) (*time.Location, error)) error {
	if _, none := load("Europe/London"); none != nil {
		return fmt.Errorf("%w (%w)", errNoZones, err)
	}
	return err
}

// Unwrap returns the cause, if there is one.
func (e *ZoneError) Unwrap() error { return e.Err }

// In returns the instant of this local time in zone, an IANA name such as
// Australia/Sydney. A time that does not exist there, or that occurred twice,
// is a *[ZoneError] with both candidates; a name that is empty, unknown, or of a
// file that differs between machines, such as Local and localtime, is one
// without. A text with its own zone already determines the
// instant, which is returned in zone. The zone database is that of package
// time.
func (l LocalDateTime) In(zone string) (time.Time, error) {
	if ofMachine(zone) {
		return time.Time{}, &ZoneError{Kind: ZoneErrorUnknownZone, Zone: zone, Local: l}
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, &ZoneError{Kind: ZoneErrorUnknownZone, Zone: zone, Local: l, Err: zoneCause(err, time.LoadLocation)}
	}
	return l.InLocation(loc)
}

// ofMachine reports whether a name is none of a zone, although a machine may
// have a file for it.
func ofMachine(zone string) bool {
	switch zone {
	case "", "Local", "localtime", "posixrules", "Factory":
		return true
	}
	return strings.HasPrefix(zone, "right/") // counts leap seconds
}

// InLocation is [LocalDateTime.In] for a loaded location.
func (l LocalDateTime) InLocation(loc *time.Location) (time.Time, error) {
	if l.IsZero() {
		return time.Time{}, &ZoneError{Kind: ZoneErrorAbsent, Zone: loc.String()}
	}
	if l.HasZone() {
		return l.at.instant().In(loc), nil
	}
	t := l.at.in(loc)
	start, end := t.ZoneBounds()
	for _, change := range []time.Time{start, end} {
		if err := l.atChange(change, loc); err != nil {
			return time.Time{}, err
		}
	}
	return t, nil
}

// atChange returns the error for a local time in the gap or overlap at a change
// of offset.
func (l LocalDateTime) atChange(change time.Time, loc *time.Location) error {
	if change.IsZero() {
		return nil
	}
	_, before := change.Add(-1).Zone()
	_, after := change.Zone()
	wall := l.at.in(time.UTC)
	earlier := wall.Add(-time.Duration(max(before, after)) * time.Second)
	later := wall.Add(-time.Duration(min(before, after)) * time.Second)
	kind := ZoneErrorOverlap
	if after > before {
		kind = ZoneErrorGap
	}
	// Clocks skip or repeat the times between the two local readings of the
	// change.
	if !earlier.Before(change) || later.Before(change) {
		return nil
	}
	return &ZoneError{Kind: kind, Zone: loc.String(), Local: l, Candidates: []time.Time{earlier.In(loc), later.In(loc)}}
}
