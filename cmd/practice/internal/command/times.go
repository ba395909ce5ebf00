package command

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/models"
)

var ago = regexp.MustCompile(`^(\d{1,6})([smhdw])$`)

// zone is the flag with the zone of times without one.
type zone struct{ *time.Location }

func (z *zone) Type() string { return "zone" }

// Set takes a name. The library decides which ones are those of a zone.
func (z *zone) Set(name string) error {
	instant, _ := models.ParseLocalDateTime("2026-01-01T00:00:00Z") // an instant, which every zone has
	at, err := instant.In(name)
	if err != nil {
		return errors.New("unknown time zone: use a name such as Australia/Sydney")
	}
	z.Location = at.Location()
	return nil
}

// parseTime parses a time entered by a person: a duration such as 3d before
// now, a date, a time of today, both, or RFC 3339. A time without a zone is in
// the given zone.
func parseTime(text string, in zone) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if ago, counted := before(time.Now().In(in.Location), text); counted {
		at, err = ago, nil
	} else if err != nil {
		if at, err = clockTime(text, in); err == nil {
			at, err = models.LocalDateTimeOf(at).InLocation(in.Location)
		}
	}
	moved, ok := errors.AsType[*models.ZoneError](err)
	switch {
	case ok && moved.Kind == models.ZoneErrorGap:
		err = fmt.Errorf("%[2]s does not exist in %[1]s: the clocks go forward at that time", in, moved.Local)
	case ok && len(moved.Candidates) == 2:
		err = fmt.Errorf("%[2]s occurs twice in %[1]s: use %[3]s or %[4]s", in, moved.Local, moved.Candidates[0].Format(time.RFC3339), moved.Candidates[1].Format(time.RFC3339))
	}
	if err = cmp.Or(err, inYears(at, text)); err != nil {
		return time.Time{}, err
	}
	return at, nil
}

// inYears returns an error for a time that has no form on the wire.
func inYears(at time.Time, text string) error {
	if at.Year() < 1 || at.UTC().Year() < 1 || at.UTC().Year() > 9999 {
		return fmt.Errorf("%q is not between the years 1 and 9999", text)
	}
	return nil
}

// clockTime parses the same forms except RFC 3339, as local time in the zone.
// It returns the same date and clock reading in UTC.
func clockTime(text string, in zone) (time.Time, error) {
	today := time.Now().In(in.Location)
	if at, counted := before(today, text); counted {
		return onClock(at), inYears(at, text)
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
	return time.Time{}, fmt.Errorf("%q is not a valid time: use 3d, 2026-11-01, 09:30, 2026-11-01T09:30 or an RFC 3339 time", text)
}

// before returns now minus a duration such as 3d. counted is false if the text
// is not a duration. A day may have 23 to 25 hours.
func before(now time.Time, text string) (at time.Time, counted bool) {
	match := ago.FindStringSubmatch(text)
	if match == nil {
		return time.Time{}, false
	}
	n, _ := strconv.Atoi(match[1]) // the pattern allows at most six digits
	switch match[2] {
	case "w":
		return now.AddDate(0, 0, -7*n), true
	case "d":
		return now.AddDate(0, 0, -n), true
	}
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[match[2]]
	return now.Add(-time.Duration(n) * unit), true
}

// onClock returns the local date and clock reading of a time, as if it were in
// UTC.
func onClock(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}
