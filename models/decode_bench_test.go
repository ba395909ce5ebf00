package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// eventPage returns the text of a page of calendar events as the service writes
// it.
func eventPage(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"href":"https://api.example.test/events","relation":null,"method":"GET","self":null,"id":null,"value":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		id := fmt.Sprintf("15a440f6-aaa2-53b0-bf5c-%012x", i)
		fmt.Fprintf(&b, `{"href":"https://api.example.test/events/%[1]s","relation":"Events","method":"GET",`+
			`"self":{"id":null,"href":"https://api.example.test/events/%[1]s","relation":"self","method":"GET"},"id":%[1]q,`+
			`"matter":{"id":"5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","href":"https://api.example.test/matters/`+
			`5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","relation":"Matters","method":"GET"},`+
			`"attendees":[{"id":"6fe14976-551a-5747-a964-bab910074913","href":"https://api.example.test/staff/`+
			`6fe14976-551a-5747-a964-bab910074913","relation":"Staff","method":"GET"}],`+
			`"externalAttendees":[{"id":"13eecfca-5699-5001-9310-bf202aba8df9","href":"https://api.example.test/contacts/`+
			`13eecfca-5699-5001-9310-bf202aba8df9","relation":"Contacts","method":"GET"}],`+
			`"eventType":"Normal","type":"Normal","subject":"Hearing %[2]d","description":"<p>Bring brief %[3]s</p>",`+
			`"location":"Room 1","allDay":false,"nonBillable":false,"startTime":"2026-09-01T09:30:00",`+
			`"endTime":"2026-09-01T10:30:00","timeZone":"Australia/Sydney","lastUpdated":"2026-08-30T22:01:27.3730971Z",`+
			`"additionalData":{"source":"import","empty":null},"isDeleted":false}`,
			id, i, bytes.Repeat([]byte("and notes "), i%7))
	}
	fmt.Fprintf(&b, `],"offset":0,"limit":500,"size":%d}`, n)
	return b.Bytes()
}

// Types for the same page in a program without this package.
type (
	plainLink struct {
		ID       string `json:"id"`
		Href     string `json:"href"`
		Relation string `json:"relation"`
		Method   string `json:"method"`
	}
	plainEvent struct {
		plainLink
		Self              *plainLink     `json:"self"`
		Matter            *plainLink     `json:"matter"`
		Attendees         []plainLink    `json:"attendees"`
		ExternalAttendees []plainLink    `json:"externalAttendees"`
		EventType         string         `json:"eventType"`
		Type              string         `json:"type"`
		Subject           string         `json:"subject"`
		Description       string         `json:"description"`
		Location          string         `json:"location"`
		AllDay            bool           `json:"allDay"`
		NonBillable       bool           `json:"nonBillable"`
		StartTime         string         `json:"startTime"` // time.Time refuses a time without a zone
		EndTime           string         `json:"endTime"`
		TimeZone          string         `json:"timeZone"`
		LastUpdated       time.Time      `json:"lastUpdated"`
		AdditionalData    map[string]any `json:"additionalData"`
		IsDeleted         bool           `json:"isDeleted"`
	}
	plainPage struct {
		plainLink
		Self                *plainLink   `json:"self"`
		Value               []plainEvent `json:"value"`
		Offset, Limit, Size *int
		Next                *plainLink `json:"next"`
	}
)

const benchmarkEvents = 500

func BenchmarkDecodeEvents(b *testing.B) {
	page := eventPage(benchmarkEvents)
	b.Run("generated", func(b *testing.B) {
		reportPerRecord(b, page, func() error {
			var v models.Collection[models.CalendarEvent]
			_, err := codec.Decode(page, &v, models.Wire)
			return err
		})
	})
	b.Run("encoding/json", func(b *testing.B) {
		reportPerRecord(b, page, func() error {
			var v plainPage
			return json.Unmarshal(page, &v)
		})
	})
}

func reportPerRecord(b *testing.B, page []byte, decode func() error) {
	b.Helper()
	allocs := testing.AllocsPerRun(5, func() { require.NoError(b, decode()) })
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if err := decode(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(allocs/benchmarkEvents, "allocs/record")
}

// TestEventPageCostsAtMostThreeAllocationsARecord allows one allocation for the
// strings of an event and one for each of its two lists. The page itself needs
// a few more.
func TestEventPageCostsAtMostThreeAllocationsARecord(t *testing.T) {
	page := eventPage(benchmarkEvents)
	allocs := testing.AllocsPerRun(5, func() {
		var v models.Collection[models.CalendarEvent]
		_, err := codec.Decode(page, &v, models.Wire)
		require.NoError(t, err)
	})
	const pageItself = 20
	require.LessOrEqual(t, allocs, 3.0*benchmarkEvents+pageItself)
}
