package models_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func local(t *testing.T, text string) models.LocalDateTime {
	t.Helper()
	l, err := models.ParseLocalDateTime(text)
	require.NoError(t, err)
	return l
}

func TestLocalTimesMeetTheirZone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, zone, want string }{
		{"2026-09-01T09:30:00", "Australia/Sydney", "2026-09-01T09:30:00+10:00"},
		{"2026-12-01T09:30:00.25", "Australia/Sydney", "2026-12-01T09:30:00.25+11:00"},
		{"2026-07-01T00:00:00", "America/New_York", "2026-07-01T00:00:00-04:00"},
		{"2026-07-01T00:00:00", "UTC", "2026-07-01T00:00:00Z"},
		{"2026-07-01T00:00:00", "Asia/Kathmandu", "2026-07-01T00:00:00+05:45"},
		{"1900-07-01T00:00:00", "Europe/London", "1900-07-01T00:00:00Z"},
		{"2999-07-01T00:00:00", "Europe/London", "2999-07-01T00:00:00+01:00"},
		// last instant before and first one after a change
		{"2026-10-04T01:59:59.9999999", "Australia/Sydney", "2026-10-04T01:59:59.9999999+10:00"},
		{"2026-10-04T03:00:00", "Australia/Sydney", "2026-10-04T03:00:00+11:00"},
		{"2026-04-05T01:59:59.9999999", "Australia/Sydney", "2026-04-05T01:59:59.9999999+11:00"},
		{"2026-04-05T03:00:00", "Australia/Sydney", "2026-04-05T03:00:00+10:00"},
		// a zone in the text takes precedence, even during a gap
		{"2026-10-04T02:30:00Z", "Australia/Sydney", "2026-10-04T13:30:00+11:00"},
		{"2026-10-04T02:30:00+02:00", "Australia/Sydney", "2026-10-04T11:30:00+11:00"},
	} {
		at, err := local(t, c.text).In(c.zone)
		require.NoError(t, err, "%s %s", c.text, c.zone)
		assert.Equal(t, c.want, at.Format(time.RFC3339Nano))
	}
}

func TestGapsAndOverlapsAreReportedWithBothReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, zone     string
		kind           models.ZoneErrorKind
		earlier, later string
	}{
		{"2026-10-04T02:00:00", "Australia/Sydney", models.ZoneErrorGap, "2026-10-04T01:00:00+10:00", "2026-10-04T03:00:00+11:00"},
		{"2026-10-04T02:59:59", "Australia/Sydney", models.ZoneErrorGap, "2026-10-04T01:59:59+10:00", "2026-10-04T03:59:59+11:00"},
		{"2026-04-05T02:00:00", "Australia/Sydney", models.ZoneErrorOverlap, "2026-04-05T02:00:00+11:00", "2026-04-05T02:00:00+10:00"},
		{"2026-04-05T02:59:59", "Australia/Sydney", models.ZoneErrorOverlap, "2026-04-05T02:59:59+11:00", "2026-04-05T02:59:59+10:00"},
		{"2026-03-08T02:30:00", "America/New_York", models.ZoneErrorGap, "2026-03-08T01:30:00-05:00", "2026-03-08T03:30:00-04:00"},
		{"2026-11-01T01:30:00", "America/New_York", models.ZoneErrorOverlap, "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00"},
		{"2026-10-04T02:15:00", "Australia/Lord_Howe", models.ZoneErrorGap, "2026-10-04T01:45:00+10:30", "2026-10-04T02:45:00+11:00"},
		{"2026-04-05T01:45:00", "Australia/Lord_Howe", models.ZoneErrorOverlap, "2026-04-05T01:45:00+11:00", "2026-04-05T01:45:00+10:30"},
		{"2026-03-29T01:30:00", "Europe/London", models.ZoneErrorGap, "2026-03-29T00:30:00Z", "2026-03-29T02:30:00+01:00"},
		// a whole day that did not exist
		{"2011-12-30T12:00:00", "Pacific/Apia", models.ZoneErrorGap, "2011-12-29T12:00:00-10:00", "2011-12-31T12:00:00+14:00"},
	} {
		_, err := local(t, c.text).In(c.zone)
		var zone *models.ZoneError
		require.ErrorAs(t, err, &zone, "%s %s", c.text, c.zone)
		assert.Equal(t, c.kind, zone.Kind)
		assert.Equal(t, c.zone, zone.Zone)
		assert.Equal(t, c.text, zone.Local.String())
		require.Len(t, zone.Candidates, 2)
		assert.Equal(t, c.earlier, zone.Candidates[0].Format(time.RFC3339))
		assert.Equal(t, c.later, zone.Candidates[1].Format(time.RFC3339))
		assert.True(t, zone.Candidates[0].Before(zone.Candidates[1]))
		assert.Contains(t, err.Error(), c.text)
		assert.Contains(t, err.Error(), string(c.kind))
	}
}

func TestUnknownZonesAndAbsentTimesAreReported(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Local", "localtime", "posixrules", "Factory", "right/UTC", "Nowhere/Land", "../etc/passwd", "AUS Eastern Standard Time"} {
		_, err := local(t, "2026-09-01T09:30:00").In(name)
		var zone *models.ZoneError
		require.ErrorAs(t, err, &zone, name)
		assert.Equal(t, models.ZoneErrorUnknownZone, zone.Kind)
		assert.Empty(t, zone.Candidates)
		assert.Equal(t, zone.Err, errors.Unwrap(err))
	}
	_, err := models.LocalDateTime{}.In("Australia/Sydney")
	var zone *models.ZoneError
	require.ErrorAs(t, err, &zone)
	assert.Equal(t, models.ZoneErrorAbsent, zone.Kind)
}

// TestEveryHourOfAYearMeetsItsZone compares In with package time, which
// converts instants to local times.
func TestEveryHourOfAYearMeetsItsZone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Australia/Sydney", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"} {
		loc, err := time.LoadLocation(name)
		require.NoError(t, err)
		readings := make(map[string]int)
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for at := start; at.Year() == 2026; at = at.Add(15 * time.Minute) {
			readings[models.LocalDateTimeOf(at.In(loc)).String()]++
		}
		for at := start.AddDate(0, 0, 1); at.Before(start.AddDate(0, 11, 0)); at = at.Add(15 * time.Minute) {
			l := models.LocalDateTimeOf(at)
			got, err := l.InLocation(loc)
			if readings[l.String()] == 1 {
				if err != nil || models.LocalDateTimeOf(got) != l {
					t.Fatalf("%s %s: %v, %v", l, name, got, err)
				}
				continue
			}
			var zone *models.ZoneError
			require.ErrorAs(t, err, &zone, "%s %s", l, name)
			require.Equal(t, readings[l.String()] == 0, zone.Kind == models.ZoneErrorGap, "%s %s", l, name)
		}
	}
}

func TestLocalTimesAreBuiltFromTheirParts(t *testing.T) {
	t.Parallel()
	l, err := models.NewLocalDateTime(2026, time.September, 1, 9, 30, 5)
	require.NoError(t, err)
	assert.Equal(t, "2026-09-01T09:30:05", l.String())
	assert.Equal(t, "2026-09-01", l.Date().String())
	hour, minute, sec := l.Clock()
	assert.Equal(t, []int{9, 30, 5}, []int{hour, minute, sec})
	assert.False(t, l.HasZone())
	for _, p := range [][6]int{{2026, 2, 30, 0, 0, 0}, {2026, 1, 1, 24, 0, 0}, {2026, 1, 1, 0, 60, 0}, {2026, 1, 1, 0, 0, 60}, {2026, 1, 1, -1, 0, 0}, {2026, 1, 1, 0, -1, 0}, {2026, 1, 1, 0, 0, -1}, {0, 1, 1, 0, 0, 0}} {
		_, err := models.NewLocalDateTime(p[0], time.Month(p[1]), p[2], p[3], p[4], p[5])
		require.ErrorIs(t, err, models.ErrInvalidDateTime, p)
	}
	at := time.Date(2026, 9, 1, 9, 30, 5, 120, time.FixedZone("", 3600))
	assert.Equal(t, "2026-09-01T09:30:05.00000012", models.LocalDateTimeOf(at).String())
	assert.True(t, models.LocalDateTimeOf(time.Time{}).IsZero())
}

func TestLocalTimesAreWrittenAsTheyCame(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"2026-09-01T09:30:00"`, `"2026-09-01T09:30:00.0000000"`, `"2026-09-01T09:30:00Z"`, `"2026-09-01T09:30:00-05:00"`, `null`} {
		var l models.LocalDateTime
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		assert.Equal(t, text == `null`, l.IsZero())
		encoded, err := json.Marshal(l)
		require.NoError(t, err)
		assert.Equal(t, text, string(encoded))
	}
	assert.True(t, local(t, "2026-09-01T09:30:00Z").HasZone())
}
