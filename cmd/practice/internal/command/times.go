package command

import (
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
	at, err := anyTime(text, zone)
	if err == nil && (at.Year() < 1 || at.UTC().Year() < 1 || at.UTC().Year() > 9999) {
		err = fmt.Errorf("%q is before the year 1 or after 9999", text)
	}
	if err != nil {
		return time.Time{}, err
	}
	return at, nil
}

func anyTime(text, zone string) (time.Time, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("the zone %q is unknown", zone)
	}
	now := time.Now().In(location)
	if match := ago.FindStringSubmatch(text); match != nil {
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return time.Time{}, err
		}
		unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[match[2]]
		if unit == 0 { // days have 23 to 25 hours
			return now.AddDate(0, 0, -n*map[string]int{"d": 1, "w": 7}[match[2]]), nil
		}
		return now.Add(-time.Duration(n) * unit), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, location); err == nil {
			return at, nil
		}
	}
	if at, err := time.ParseInLocation("15:04", text, location); err == nil {
		return time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, location), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: write 3d, 2026-11-01, 09:30, 2026-11-01T09:30 or RFC 3339", text)
}
