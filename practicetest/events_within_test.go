package practicetest

import (
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAPageOfALongCalendarLooksAtFewEvents creates only the events that a
// binary search reads. Reading any other event would panic.
func TestAPageOfALongCalendarLooksAtFewEvents(t *testing.T) {
	t.Parallel()
	all := make([]*record, 100_000)
	at := func(i int) time.Time { return noon.Add(time.Duration(i) * time.Hour) }
	from := sort.Search(len(all), func(i int) bool {
		all[i] = &record{data: &calendarEvent{times: times{start: at(i)}}}
		return i >= 50_000
	})
	found := within(all, at(from), time.Time{})
	assert.Len(t, found, 50_000)
	assert.Equal(t, at(from), timesOf(found[0]).start)
}
