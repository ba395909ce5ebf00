package command

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var ago = regexp.MustCompile(`^(\d{1,6})([smhdw])$`)

// parseTime reads a time as people write it: a length of time such as 3d counts
// back from now; others are a day, a time of today, both, or RFC 3339. A time
// without a zone is in the zone.
func parseTime(text, zone string) (time.Time, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("the zone %q is unknown", zone)
	}
	now := time.Now().In(location)
	at, counted := before(now, text)
	if !counted {
		if at, err = time.Parse(time.RFC3339Nano, text); err != nil {
			at, err = clockTime(text, zone)
			if err == nil {
				at, err = inZone(at, location)
			}
		}
	}
	if err == nil && (at.Year() < 1 || at.UTC().Year() < 1 || at.UTC().Year() > 9999) {
		err = fmt.Errorf("%q is before the year 1 or after 9999", text)
	}
	if err != nil {
		return time.Time{}, err
	}
	return at, nil
}

// clockTime reads what parseTime reads but RFC 3339, as clocks in the zone show
// it. The time that it returns has those digits, in UTC.
func clockTime(text, zone string) (time.Time, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("the zone %q is unknown", zone)
	}
	today := time.Now().In(location)
	if at, counted := before(today, text); counted {
		return onClock(at), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	if at, err := time.Parse("15:04", text); err == nil {
		return time.Date(today.Year(), today.Month(), today.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC), nil
	}
	if _, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return time.Time{}, errors.New("must be a time without a zone")
	}
	return time.Time{}, fmt.Errorf("%q is no time: write 3d, 2026-11-01, 09:30, 2026-11-01T09:30 or RFC 3339", text)
}

// before returns the time that a length such as 3d counts back to, if the text
// is one. Days have 23 to 25 hours.
func before(now time.Time, text string) (at time.Time, counted bool) {
	match := ago.FindStringSubmatch(text)
	if match == nil {
		return time.Time{}, false
	}
	n, _ := strconv.Atoi(match[1]) // it has up to six digits
	switch match[2] {
	case "w":
		return now.AddDate(0, 0, -7*n), true
	case "d":
		return now.AddDate(0, 0, -n), true
	}
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[match[2]]
	return now.Add(-time.Duration(n) * unit), true
}

// onClock returns the digits of a clock in the zone of a time, in UTC.
func onClock(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}

// inZone returns the time at which clocks in a zone show the digits. Where they
// are moved, they leave some out and show others twice.
func inZone(digits time.Time, location *time.Location) (time.Time, error) {
	var found []time.Time
	for _, near := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		_, offset := digits.Add(near).In(location).Zone()
		at := digits.Add(-time.Duration(offset) * time.Second).In(location)
		if onClock(at).Equal(digits) && (len(found) == 0 || !found[0].Equal(at)) {
			found = append(found, at)
		}
	}
	switch len(found) {
	case 0:
		return time.Time{}, fmt.Errorf("no clock in %s shows %s: they are put forward there", location, digits.Format(time.DateTime))
	case 1:
		return found[0], nil
	}
	return time.Time{}, fmt.Errorf("clocks in %s show %s twice: write %s or %s", location, digits.Format(time.DateTime),
		found[0].Format(time.RFC3339), found[1].Format(time.RFC3339))
}
