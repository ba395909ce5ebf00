package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestCalendarEventCodeKeepsWhatCame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.CalendarEventType{
		`"Normal"`:            models.CalendarEventTypeNormal,
		`"ChangedOccurrence"`: models.CalendarEventTypeChangedOccurrence,
		`"SomethingNew"`:      "SomethingNew",
		`"0"`:                 models.CalendarEventTypeNormal,
		`0`:                   models.CalendarEventTypeNormal,
		`1`:                   models.CalendarEventTypePattern,
		`2`:                   models.CalendarEventTypeOccurrence,
		`3`:                   models.CalendarEventTypeChangedOccurrence,
		`4`:                   models.CalendarEventTypeDeletedOccurrence,
		`"4"`:                 models.CalendarEventTypeDeletedOccurrence,
		`5`:                   "5",
		`-1`:                  "-1",
		`"05"`:                "05",
		`null`:                "",
	} {
		var event models.CalendarEvent
		require.NoError(t, codec.Unmarshal([]byte(`{"eventType":`+text+`}`), &event, models.Wire), text)
		assert.Equal(t, want, event.EventType.Type(), text)
		encoded, err := json.Marshal(event)
		require.NoError(t, err)
		if text == `null` {
			assert.True(t, event.EventType.IsZero())
			assert.Equal(t, `{}`, string(encoded))
			continue
		}
		assert.False(t, event.EventType.IsZero())
		assert.Equal(t, `{"eventType":`+text+`}`, string(encoded), "a number stays a number and a text a text")
	}
}

func TestCalendarEventSamples(t *testing.T) {
	t.Parallel()
	var page models.Collection[models.CalendarEvent]
	require.NoError(t, codec.Unmarshal(readSample(t, "responses/listEvents.full.json"), &page, models.Wire))
	require.GreaterOrEqual(t, len(page.Items), 4)

	var types, codes []models.CalendarEventType
	for _, event := range page.Items[:4] {
		types = append(types, event.Type)
		codes = append(codes, event.EventType.Type())
	}
	assert.Equal(t, []models.CalendarEventType{"Normal", "Occurrence", "DeletedOccurrence", "SomethingNew"}, types)
	assert.Equal(t, []models.CalendarEventType{"Normal", "Normal", "DeletedOccurrence", "Normal"}, codes)

	first := page.Items[0]
	start, err := first.StartTime.In(first.TimeZone)
	require.NoError(t, err)
	assert.Equal(t, "2026-09-01T09:30:00+10:00", start.Format("2006-01-02T15:04:05Z07:00"))
	_, err = page.Items[3].StartTime.In(page.Items[3].TimeZone)
	require.Error(t, err, "02:30 does not exist on the day the clocks go forward")
}

func TestExpenseDateIsReadFromADateTime(t *testing.T) {
	t.Parallel()
	var expense models.Expense
	require.NoError(t, codec.Unmarshal([]byte(`{"expenseDate":"2026-07-01T00:00:00Z"}`), &expense, models.Wire))
	assert.Equal(t, "2026-07-01", expense.ExpenseDate.String())
}
