package acceptance_test

import (
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestAnEventIsFoundInWhateverZoneItComesBack checks that FindCreated finds an
// event that the service returns in another zone than it was written in.
func TestAnEventIsFoundInWhateverZoneItComesBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		start, zone         string
		kept, keptIn, isNot string
	}{
		"in another zone":             {"2019-03-02T09:30:00", "Australia/Sydney", "2019-03-01T22:30:00", "Etc/UTC", "2019-03-01T22:30:01"},
		"the first of two":            {"2019-04-07T02:30:00", "Australia/Sydney", "2019-04-06T15:30:00", "Etc/UTC", "2019-04-06T14:30:00"},
		"the second of two":           {"2019-04-07T02:30:00", "Australia/Sydney", "2019-04-06T16:30:00", "Etc/UTC", "2019-04-06T17:30:00"},
		"a midnight that was skipped": {"2019-09-08T00:00:00", "America/Santiago", "2019-09-08T04:00:00", "Etc/UTC", "2019-09-08T05:00:00"},
		"a zone that is unknown here": {"2019-03-02T09:30:00", "AUS Eastern Standard Time", "2019-03-01T22:30:00", "Etc/UTC", "2019-03-04T22:30:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			event := func(id, start string) string {
				return `{"id":"` + id + `","subject":"Hearing","startTime":"` + start + `","timeZone":"` + test.keptIn + `"}`
			}
			service := &testkit.Scripted{Pages: func(url.Values) string {
				return testkit.Page([]string{event("it", test.kept), event("another", test.isNot)}, "size", "2")
			}}
			found, err := testkit.ScriptedClient(t, service).Events.FindCreated(t.Context(),
				models.CalendarEventWrite{Subject: "Hearing", StartTime: localTime(test.start), TimeZone: test.zone}, time.Now())
			require.NoError(t, err)
			require.Len(t, found, 1)
			assert.Equal(t, "it", found[0].ID)
		})
	}
}

// TestFindCreatedLooksFromTheBeginningOfTime checks the earliest times: the
// list of events would begin now if From were left out.
func TestFindCreatedLooksFromTheBeginningOfTime(t *testing.T) {
	t.Parallel()
	for name, since := range map[string]time.Time{"no time": {}, "the first day": time.Time{}.Add(time.Hour)} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(nil, "size", "0") }}
		_, err := testkit.ScriptedClient(t, service).Events.FindCreated(t.Context(), models.CalendarEventWrite{Subject: "Hearing"}, since)
		require.NoError(t, err, name)
		assert.Equal(t, "0001-01-01T00:00:01", service.Asked[0].Get("From"), name)
	}
}

// TestATimeWithoutAFormIsRefused checks that a time that cannot be sent is not
// left out, which would be another list.
func TestATimeWithoutAFormIsRefused(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(nil, "size", "0") }}
	client := testkit.ScriptedClient(t, service)
	early := time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("", 10*3600)) // in the year 0 of UTC
	late := time.Date(9999, 12, 31, 23, 59, 59, 1, time.UTC)             // To is rounded up
	for name, options := range map[string]practice.EventListOptions{
		"From": {From: early}, "To": {To: early}, "UpdatedSince": {UpdatedSince: early}, "To, rounded up": {To: late},
	} {
		_, err := client.Events.List(t.Context(), options)
		refused, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%s: %v", name, err)
		assert.Contains(t, name, refused.Argument)
	}
	for name, argument := range map[string]any{"From": early, "To": "0001-01-01T00:00:00+10:00", "UpdatedSince": early} {
		err := client.Call(t.Context(), "listEvents", map[string]any{name: argument}, nil, nil)
		refused, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, name, refused.Argument)
	}
	assert.Empty(t, service.Asked, "nothing is sent")
}

// TestATimeIsNotLeftOutByRounding checks a time that is rounded to the zero
// time.
func TestATimeIsNotLeftOutByRounding(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(nil, "size", "0") }}
	soon := time.Time{}.Add(time.Nanosecond)
	_, err := testkit.ScriptedClient(t, service).Events.List(t.Context(), practice.EventListOptions{From: soon, UpdatedSince: soon})
	require.NoError(t, err)
	assert.Equal(t, "0001-01-01T00:00:00", service.Asked[0].Get("From"))
	assert.Equal(t, "0", service.Asked[0].Get("UpdatedSince"))
}
