package models_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestTicksAndTimes(t *testing.T) {
	t.Parallel()
	for ticks, text := range map[models.Ticks]string{
		637981232724209300:  "2022-09-07T04:54:32.42093Z",
		637558795239278688:  "2021-05-06T06:32:03.9278688Z",
		621355968000000000:  "1970-01-01T00:00:00Z",
		621355967999999999:  "1969-12-31T23:59:59.9999999Z",
		1:                   "0001-01-01T00:00:00.0000001Z",
		3155378975999999999: "9999-12-31T23:59:59.9999999Z",
	} {
		assert.Equal(t, text, ticks.Time().Format(time.RFC3339Nano))
		got, err := models.TicksOf(ticks.Time())
		require.NoError(t, err)
		assert.Equal(t, ticks, got)
		assert.False(t, ticks.IsZero())
	}
	assert.True(t, models.Ticks(0).Time().IsZero())
	assert.True(t, models.Ticks(0).IsZero())
}

func TestTicksOfCutsToWholeTicksInAnyLocation(t *testing.T) {
	t.Parallel()
	got, err := models.TicksOf(time.Date(1970, 1, 1, 10, 0, 0, 199, time.FixedZone("", 10*3600)))
	require.NoError(t, err)
	assert.Equal(t, models.Ticks(621355968000000001), got)
	for _, out := range []time.Time{
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 12, 31, 23, 59, 59, 0, time.UTC), time.Unix(1<<60, 0),
	} {
		_, err := models.TicksOf(out)
		require.ErrorIs(t, err, models.ErrTicksRange)
	}
}

func TestTicksAreReadExactlyFromNumberOrText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.Ticks{
		`637981232724209301`:     637981232724209301,
		`"637558795239278688"`:   637558795239278688,
		`6.37981232724209301e17`: 637981232724209301,
		`637981232724209300.0`:   637981232724209300,
		`3155378975999999999`:    3155378975999999999,
		`0`:                      0,
		`null`:                   0,
		`{}`:                     0,
	} {
		var ticks models.Ticks
		require.NoError(t, json.Unmarshal([]byte(text), &ticks), text)
		assert.Equal(t, want, ticks)
		encoded, err := json.Marshal(ticks)
		require.NoError(t, err)
		var again models.Ticks
		require.NoError(t, json.Unmarshal(encoded, &again))
		assert.Equal(t, want, again)
	}
	for _, text := range []string{
		`-1`, `3155378976000000000`, `9223372036854775808`, `1.5`, `""`, `"soon"`, `" 1"`, `"-1"`, `"0x1"`, `true`, `[1]`, `{"a":1}`,
	} {
		var ticks models.Ticks
		require.Error(t, json.Unmarshal([]byte(text), &ticks), text)
	}
}

func TestParseTicks(t *testing.T) {
	t.Parallel()
	ticks, err := models.ParseTicks("637558795239278688")
	require.NoError(t, err)
	assert.Equal(t, models.Ticks(637558795239278688), ticks)
	for _, text := range []string{"", "now", "-5", "3155378976000000000", "637558795239278688 "} {
		_, err := models.ParseTicks(text)
		require.ErrorIs(t, err, models.ErrTicksRange, text)
	}
}
