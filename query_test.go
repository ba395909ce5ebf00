package practice

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATimeIsWrittenAsItsParameterWantsIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                string
		time                time.Time
		ticks, instant, utc string
	}{
		{"none", time.Time{}, "", "", ""},
		{
			"to 100 ns", time.Date(2022, 9, 7, 4, 54, 32, 420930099, time.UTC),
			"637981232724209300", "2022-09-07T04:54:32.4209300Z", "2022-09-07T04:54:32",
		},
		{
			"from another zone", time.Date(2026, 3, 1, 20, 0, 0, 0, time.FixedZone("", 11*3600)),
			"639079524000000000", "2026-03-01T09:00:00.0000000Z", "2026-03-01T09:00:00",
		},
		{
			"the last there is", time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
			"3155378975999999999", "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var c call
			c.time(KindTicks, "ticks", test.time)
			c.time(KindInstant, "instant", test.time)
			c.time(KindLocalTime, "utc", test.time)
			require.NoError(t, c.err)
			assert.Equal(t, []string{test.ticks, test.instant, test.utc}, []string{c.query.Get("ticks"), c.query.Get("instant"), c.query.Get("utc")})
		})
	}
}

func TestATimeOfNoYearOfTheServiceIsRefused(t *testing.T) {
	t.Parallel()
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, kind := range []ParameterKind{KindTicks, KindInstant, KindLocalTime} {
		var c call
		c.time(kind, "Since", late)
		refused, ok := errors.AsType[*ArgumentError](c.err)
		require.True(t, ok, "%s: %v", kind, c.err)
		assert.Equal(t, "Since", refused.Argument)
	}
}
