package models_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestDateTimesAreReadExactlyAndWrittenAsTheyCame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2017-02-20T05:50:30.1568284Z":        "2017-02-20T05:50:30.1568284Z",
		"2026-05-22T03:16:27.373097Z":         "2026-05-22T03:16:27.373097Z",
		"2026-05-22T03:16:28.387Z":            "2026-05-22T03:16:28.387Z",
		"2026-05-22T03:16:28.100Z":            "2026-05-22T03:16:28.1Z",
		"2026-05-22T03:16:28.0Z":              "2026-05-22T03:16:28Z",
		"2026-05-22T03:16:28Z":                "2026-05-22T03:16:28Z",
		"2026-05-22T03:16:28.1234567+00:00":   "2026-05-22T03:16:28.1234567Z",
		"2026-05-22T03:16:28-00:00":           "2026-05-22T03:16:28Z",
		"2026-05-22T03:16:28+10:30":           "2026-05-21T16:46:28Z",
		"2026-05-22T03:16:28.999999999-05:00": "2026-05-22T08:16:28.999999999Z",
		"2026-05-22T03:16:28":                 "2026-05-22T03:16:28Z",
		"2026-05-22T03:16:28.1234567":         "2026-05-22T03:16:28.1234567Z",
		"0001-01-01T00:00:00":                 "0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59.9999999Z":        "9999-12-31T23:59:59.9999999Z",
		"0001-01-01T00:00:00+23:59":           "0000-12-31T00:01:00Z",
	} {
		d, err := models.ParseDateTime(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, d.String())
		assert.Equal(t, want, d.Time().Format(time.RFC3339Nano), text)
		assert.Equal(t, time.UTC, d.Time().Location())
		assert.False(t, d.IsZero())
		assert.Equal(t, strings.ContainsAny(text[10:], "Z+-"), d.HasZone(), text)

		var decoded models.DateTime
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &decoded))
		assert.Equal(t, d, decoded)
		encoded, err := json.Marshal(decoded)
		require.NoError(t, err)
		assert.Equal(t, `"`+text+`"`, string(encoded))
	}
}

func TestWhatIsNotADateTimeIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "2026-05-22", "2026-05-22T03:16", "2026-05-22T03:16Z", "2026-05-22 03:16:28Z", "2026-05-22t03:16:28z",
		"2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-05-22T24:00:00Z", "2026-05-22T23:60:00Z",
		"2026-05-22T23:59:60Z", "2026-05-22T03:16:28.Z", "2026-05-22T03:16:28.1234567890Z", "2026-05-22T03:16:28,5Z",
		"2026-05-22T03:16:28+10", "2026-05-22T03:16:28+1030", "2026-05-22T03:16:28+24:00", "2026-05-22T03:16:28+10:60",
		"2026-05-22T03:16:28ZZ", "2026-05-22T03:16:28 Z", "2026-05-22T03:16:28[UTC]", "-026-05-22T03:16:28Z", "2026-05-22T-1:16:28Z",
		"12026-05-22T03:16:28Z", "2026-05-22T03:16:28.1 Z", "2026-05-22T03:16:28.12345678x",
	} {
		_, err := models.ParseDateTime(text)
		require.ErrorIs(t, err, models.ErrInvalidDateTime, text)
		var d models.DateTime
		require.Error(t, json.Unmarshal([]byte(`"`+text+`"`), &d), text)
		_, err = models.ParseLocalDateTime(text)
		require.ErrorIs(t, err, models.ErrInvalidDateTime, text)
	}
	var d models.DateTime
	require.Error(t, json.Unmarshal([]byte(`1784764800`), &d))
}

func TestDateTimeOfTakesTheInstantInUTC(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]time.Time{
		"2026-05-22T03:16:28Z":           time.Date(2026, 5, 22, 3, 16, 28, 0, time.UTC),
		"2026-05-21T17:16:28.5Z":         time.Date(2026, 5, 22, 3, 16, 28, 500_000_000, time.FixedZone("", 10*3600)),
		"2026-05-22T03:16:28.000000001Z": time.Date(2026, 5, 22, 3, 16, 28, 1, time.UTC),
		"2026-05-22T03:16:28.0012Z":      time.Date(2026, 5, 22, 3, 16, 28, 1_200_000, time.UTC),
		"":                               {},
	} {
		d := models.DateTimeOf(at)
		assert.Equal(t, want, d.String())
		assert.True(t, at.Equal(d.Time()))
		again, err := models.ParseDateTime(want)
		if want != "" {
			require.NoError(t, err)
		}
		assert.Equal(t, d, again)
	}
	assert.True(t, models.DateTimeOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero())
	assert.True(t, models.DateTimeOf(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero())
}

func TestTheAbsentDateTimeIsNotTheFirstOne(t *testing.T) {
	t.Parallel()
	var absent models.DateTime
	assert.True(t, absent.IsZero())
	assert.Empty(t, absent.String())
	assert.True(t, absent.Time().IsZero())
	assert.False(t, absent.HasZone())
	text, err := json.Marshal(absent)
	require.NoError(t, err)
	assert.Equal(t, `null`, string(text))
	first, err := models.ParseDateTime("0001-01-01T00:00:00")
	require.NoError(t, err)
	assert.NotEqual(t, absent, first)
	for _, nothing := range []string{`null`, `{}`} {
		require.NoError(t, first.UnmarshalJSON([]byte(nothing)))
		assert.Equal(t, absent, first)
	}
}

func TestReadingADateTimeAllocatesNothing(t *testing.T) {
	text := "2017-02-20T05:50:30.1568284Z"
	allocs := testing.AllocsPerRun(100, func() {
		if d, err := models.ParseDateTime(text); err != nil || d.Time().IsZero() {
			t.Error("not read")
		}
	})
	assert.Zero(t, allocs)
}
