package models_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestDatesAreDaysOfTheCalendar(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0001-01-01", "1900-02-28", "2000-02-29", "2024-02-29", "2026-04-30", "2026-12-31", "9999-12-31"} {
		d, err := models.ParseDate(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, d.String())
		assert.False(t, d.IsZero())
		built, err := models.NewDate(d.Year(), d.Month(), d.Day())
		require.NoError(t, err)
		assert.Equal(t, d, built)
	}
	for _, text := range []string{
		"", "2026", "2026-7-1", "2026-07-1", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-04-31", "1900-02-29",
		"2026-02-29", "0000-01-01", "20260701", "2026/07/01", "+026-07-01", " 2026-07-01", "2026-07-01 ", "2026-07-01T", "01-07-2026",
		"2026-07-01T25:00:00", "２026-07-01",
	} {
		_, err := models.ParseDate(text)
		require.ErrorIs(t, err, models.ErrInvalidDate, text)
	}
}

func TestNewDateRefusesWhatTheTimePackageWouldCarryOver(t *testing.T) {
	t.Parallel()
	for _, d := range [][3]int{{2026, 13, 1}, {2026, 0, 1}, {2026, 2, 30}, {2026, 6, 31}, {0, 1, 1}, {10000, 1, 1}, {2026, 1, 0}, {-1, 1, 1}} {
		_, err := models.NewDate(d[0], time.Month(d[1]), d[2])
		require.ErrorIs(t, err, models.ErrInvalidDate, d)
	}
}

func TestADateTimeGivesItsDayAsWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2026-07-01T23:59:59Z", "2026-07-01T00:00:00", "2026-07-01T23:30:00.1234567-11:00"} {
		d, err := models.ParseDate(text)
		require.NoError(t, err)
		assert.Equal(t, "2026-07-01", d.String())
	}
}

func TestDateOfIsTheDayInTheLocationOfTheTime(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, 7, 1, 23, 0, 0, 0, time.UTC)
	assert.Equal(t, "2026-07-01", models.DateOf(late).String())
	assert.Equal(t, "2026-07-02", models.DateOf(late.In(time.FixedZone("", 10*3600))).String())
	assert.True(t, models.DateOf(time.Time{}).IsZero())
	assert.True(t, models.DateOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero())
	assert.True(t, models.DateOf(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero())
}

func TestAddDaysStaysOnTheCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from string
		n    int
		want string
	}{
		{"2026-07-01", 0, "2026-07-01"},
		{"2026-12-31", 1, "2027-01-01"},
		{"2024-03-01", -1, "2024-02-29"},
		{"2026-03-29", 1, "2026-03-30"},
		{"2026-01-01", 365, "2027-01-01"},
		{"0001-01-01", 3652058, "9999-12-31"},
		{"9999-12-31", -3652058, "0001-01-01"},
		{"9999-12-31", 1, ""},
		{"0001-01-01", -1, ""},
		{"2026-01-01", math.MaxInt, ""},
		{"2026-01-01", math.MinInt, ""},
	} {
		d, err := models.ParseDate(c.from)
		require.NoError(t, err)
		assert.Equal(t, c.want, d.AddDays(c.n).String(), "%s %d", c.from, c.n)
	}
	assert.True(t, models.Date{}.AddDays(1).IsZero())
}

func TestDatesCompareInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	ordered := []string{"0001-01-01", "2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01", "9999-12-31"}
	days := []models.Date{{}}
	for _, text := range ordered {
		d, err := models.ParseDate(text)
		require.NoError(t, err)
		days = append(days, d)
	}
	for i, d := range days {
		for j, e := range days {
			assert.Equal(t, sign(i-j), d.Compare(e), "%s %s", d, e)
		}
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

func TestDatesInJSON(t *testing.T) {
	t.Parallel()
	var d models.Date
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-01T10:00:00Z"`), &d))
	text, err := json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, `"2026-07-01"`, string(text))
	for _, nothing := range []string{`null`, `{}`} {
		require.NoError(t, d.UnmarshalJSON([]byte(nothing)))
		assert.True(t, d.IsZero())
	}
	text, err = json.Marshal(models.Date{})
	require.NoError(t, err)
	assert.Equal(t, `null`, string(text))
	for _, wrong := range []string{`""`, `"soon"`, `20260701`, `["2026-07-01"]`, `"2026-02-30"`} {
		require.Error(t, json.Unmarshal([]byte(wrong), &d), wrong)
	}
}
