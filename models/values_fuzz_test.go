package models_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// stampForm matches the form of a date-time, without the range of its numbers.
var stampForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$`)

// referenceTime parses a date-time with package time.
func referenceTime(text string) (time.Time, bool) {
	if !stampForm.MatchString(text) || strings.HasPrefix(text, "0000") {
		return time.Time{}, false
	}
	zoned := text
	if !strings.ContainsAny(text[10:], "Z+-") {
		zoned += "Z"
	}
	at, err := time.Parse(time.RFC3339Nano, zoned)
	return at, err == nil
}

func FuzzDateTime(f *testing.F) {
	for _, seed := range []string{
		"2017-02-20T05:50:30.1568284Z", "2026-09-01T09:30:00", "2026-05-22T03:16:28.1234567+00:00", "0001-01-01T00:00:00", "2024-02-29T23:59:59-23:59",
		"2026-02-29T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2026-07-01",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, ok := referenceTime(text)
		d, err := models.ParseDateTime(text)
		require.Equal(t, ok, err == nil, text)
		l, err := models.ParseLocalDateTime(text)
		require.Equal(t, ok, err == nil, text)
		date, err := models.ParseDate(text)
		_, dayErr := time.Parse(time.DateOnly, text)
		isDay := dayErr == nil && len(text) == 10 && !strings.HasPrefix(text, "0000")
		require.Equal(t, ok || isDay, err == nil, text)
		if err == nil {
			require.Equal(t, text[:10], date.String())
		}
		if !ok {
			return
		}
		require.Equal(t, text, d.String())
		require.Equal(t, text, l.String())
		require.True(t, want.Equal(d.Time()), "%s %s", want, d.Time())
		back := models.DateTimeOf(d.Time())
		require.True(t, back.IsZero() || back.Time().Equal(want), text)
		encoded, err := json.Marshal(d)
		require.NoError(t, err)
		var again models.DateTime
		require.NoError(t, json.Unmarshal(encoded, &again))
		require.Equal(t, d, again)
	})
}

func FuzzLocalDateTimeIn(f *testing.F) {
	f.Add(int64(1791043200), "Australia/Sydney")
	f.Add(int64(1775313000), "Australia/Lord_Howe")
	f.Add(int64(1325200000), "Pacific/Apia")
	f.Add(int64(-2000000000), "Europe/London")
	f.Fuzz(func(t *testing.T, unix int64, zone string) {
		wall := time.Unix(unix%(1<<37), 0).UTC()
		l := models.LocalDateTimeOf(wall)
		at, err := l.In(zone)
		if err == nil {
			require.Equal(t, l, models.LocalDateTimeOf(at))
			return
		}
		var zoneErr *models.ZoneError
		require.ErrorAs(t, err, &zoneErr)
		switch zoneErr.Kind {
		case models.ZoneErrorOverlap:
			for _, candidate := range zoneErr.Candidates {
				require.Equal(t, l, models.LocalDateTimeOf(candidate))
			}
			require.True(t, zoneErr.Candidates[0].Before(zoneErr.Candidates[1]))
		case models.ZoneErrorGap:
			for _, candidate := range zoneErr.Candidates {
				require.NotEqual(t, l, models.LocalDateTimeOf(candidate))
			}
			require.True(t, zoneErr.Candidates[0].Before(zoneErr.Candidates[1]))
		default:
			require.Empty(t, zoneErr.Candidates)
		}
	})
}

func FuzzTicks(f *testing.F) {
	for _, seed := range []string{"637981232724209300", "1", "3155378975999999999", "-1", "1e5", "1.5", "3.0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ticks, err := models.ParseTicks(text)
		var number, quoted models.Ticks
		fromNumber := json.Unmarshal([]byte(text), &number)
		quotedText, quoteErr := json.Marshal(text)
		require.NoError(t, quoteErr)
		fromText := json.Unmarshal(quotedText, &quoted)
		require.Equal(t, err == nil, fromText == nil && text != "", text)
		if err != nil {
			return
		}
		require.NoError(t, fromNumber, text)
		require.Equal(t, ticks, number)
		require.Equal(t, ticks, quoted)
		again, err := models.TicksOf(ticks.Time())
		require.NoError(t, err)
		require.Equal(t, ticks, again)
	})
}

func FuzzDecimal(f *testing.F) {
	for _, seed := range []string{"1.10", "-0.05", "9999999999999999999", "1e3", "12e-19", "0.0000000000000000001", "10900.0", "1e20", "-0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := models.ParseDecimal(text)
		isNumber := json.Valid([]byte(text)) && strings.ContainsAny(text[:1], "-0123456789") && !strings.ContainsAny(text, " \n\r\t")
		require.Equal(t, isNumber, err == nil || errors.Is(err, models.ErrDecimalRange), "%s: %v", text, err)
		if err != nil {
			return
		}
		want, ok := new(big.Rat).SetString(exponentWithin(text))
		require.True(t, ok, text)
		got, ok := new(big.Rat).SetString(d.String())
		require.True(t, ok, d.String())
		require.Zero(t, want.Cmp(got), "%s is not %s", text, d)
		var read models.Decimal
		require.NoError(t, json.Unmarshal([]byte(text), &read))
		require.Equal(t, d, read, "what reads a member finds the same number")
		if !strings.ContainsAny(text, "eE") && want.Sign() != 0 {
			require.Equal(t, text, d.String(), "the digits are kept")
		}
		encoded, err := json.Marshal(d)
		require.NoError(t, err)
		var again models.Decimal
		require.NoError(t, json.Unmarshal(encoded, &again))
		require.Equal(t, d, again)
		sum, err := d.Add(d.Neg())
		require.NoError(t, err)
		require.Zero(t, sum.Sign())
	})
}

// exponentWithin removes the exponent of a zero, which may be too large for big
// arithmetic.
func exponentWithin(text string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return "0"
	}
	return text
}
