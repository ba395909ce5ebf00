package models

import (
	"fmt"
	"time"
)

// ZoneErrorKind is the reason why a local time is not one instant.
type ZoneErrorKind string

// The kinds of [ZoneError].
const (
	ZoneErrorUnknownZone ZoneErrorKind = "unknown zone" // the name is not in the zone database
	ZoneErrorGap         ZoneErrorKind = "gap"          // the clock was put forward over this time
	ZoneErrorOverlap     ZoneErrorKind = "overlap"      // the clock was put back, so the time came twice
	ZoneErrorAbsent      ZoneErrorKind = "absent"       // there is no time to read
)

// ZoneError is the error of [LocalDateTime.In] when a local time is not exactly
// one instant.
type ZoneError struct {
	// Kind is the reason.
	Kind ZoneErrorKind
	// Zone is the name of the zone.
	Zone string
	// Local is the time that was to be placed.
	Local LocalDateTime
	// Candidates holds, earliest first, the two instants a caller can choose
	// from. In an overlap they are the two times the clock showed Local. In a
	// gap they are Local with the offset that began at the gap, and with the
	// one that ended at it. Empty for the other kinds.
	Candidates []time.Time
	// Err is the cause of an unknown zone, otherwise nil.
	Err error
}

// Error names the kind, the time and the zone.
func (e *ZoneError) Error() string {
	return fmt.Sprintf("models: local time %s in zone %q: %s", e.Local, e.Zone, e.Kind)
}

// Unwrap returns the cause, if there is one.
func (e *ZoneError) Unwrap() error { return e.Err }

// In returns the instant at which clocks in zone, an IANA name such as
// Australia/Sydney, show this time. A time that does not exist there, or that
// came twice, is a *[ZoneError] with both candidates, and so is a name that is
// empty, Local or unknown. A time that was written with a zone of its own is
// that instant, shown in zone. The zone database is the one of the time
// package.
func (l LocalDateTime) In(zone string) (time.Time, error) {
	if zone == "" || zone == "Local" {
		return time.Time{}, &ZoneError{Kind: ZoneErrorUnknownZone, Zone: zone, Local: l}
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, &ZoneError{Kind: ZoneErrorUnknownZone, Zone: zone, Local: l, Err: err}
	}
	return l.InLocation(loc)
}

// InLocation is [LocalDateTime.In] for a location that is already loaded.
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

// atChange reports that the time falls into the gap or overlap of the change of
// offset at that instant.
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
	// Clocks skip or repeat the span between the two readings of the moment of
	// change.
	if !earlier.Before(change) || later.Before(change) {
		return nil
	}
	return &ZoneError{Kind: kind, Zone: loc.String(), Local: l, Candidates: []time.Time{earlier.In(loc), later.In(loc)}}
}
