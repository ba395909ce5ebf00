package practice_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// updatedSince lists with a time in each form of a parameter: ticks, an instant,
// and a time without a zone.
func updatedSince(t *testing.T, at time.Time) (sent []string, errs []error) {
	service := &testkit.Recorder{Status: http.StatusOK, Body: `{"offset":0,"limit":50,"size":0,"value":[]}`}
	client := service.Client(t, testkit.OddBase)
	_, err1 := client.Fees.List(t.Context(), "1", practice.FeeListOptions{UpdatedSince: at})
	_, err2 := client.Matters.List(t.Context(), practice.MatterListOptions{UpdatedSince: at})
	_, err3 := client.Events.List(t.Context(), practice.EventListOptions{From: at})
	for i, req := range service.Asked {
		sent = append(sent, req.URL.Query().Get([]string{"UpdatedSince", "LastUpdated", "From"}[i]))
	}
	return sent, []error{err1, err2, err3}
}

func TestATimeIsWrittenAsItsParameterWantsIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		time time.Time
		want []string
	}{
		"none": {time.Time{}, []string{"", "", ""}},
		"to 100 ns": {
			time.Date(2022, 9, 7, 4, 54, 32, 420930099, time.UTC),
			[]string{"637981232724209300", "2022-09-07T04:54:32.4209300Z", "2022-09-07T04:54:32"},
		},
		"from another zone": {
			time.Date(2026, 3, 1, 20, 0, 0, 0, time.FixedZone("", 11*3600)),
			[]string{"639079524000000000", "2026-03-01T09:00:00.0000000Z", "2026-03-01T09:00:00"},
		},
		"the last there is": {
			time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
			[]string{"3155378975999999999", "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59"},
		},
	} {
		sent, errs := updatedSince(t, test.time)
		require.NoError(t, errors.Join(errs...), name)
		assert.Equal(t, test.want, sent, name)
	}
}

func TestATimeOfNoYearOfTheServiceIsRefused(t *testing.T) {
	t.Parallel()
	sent, errs := updatedSince(t, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	assert.Empty(t, sent)
	for i, err := range errs {
		refused, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, []string{"UpdatedSince", "LastUpdated", "From"}[i], refused.Argument)
	}
}
