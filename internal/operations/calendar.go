package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func calendar(f Firm) rows {
	from := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	event := models.CalendarEventWrite{
		MatterID: f.MatterID, Subject: "Conference with counsel", Attendees: []string{f.StaffID}, ExternalAttendees: []string{f.ContactID}, TimeZone: "Australia/Sydney",
		StartTime: models.LocalDateTimeOf(from), EndTime: models.LocalDateTimeOf(from.Add(time.Hour)),
	}
	reminder := models.ReminderWrite{Offset: models.Some(30), OffsetTypeID: models.Some(0), UserIDs: []string{f.UserID}}
	return rows{
		"listEvents": {practice.EventListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 5}, UpdatedSince: from, MatterID: f.MatterID, ExcludeDeleted: true, From: from, To: from.AddDate(1, 0, 0),
		}},
		"createEvent":    {event},
		"updateEvent":    {event},
		"createReminder": {reminder},
		"updateReminder": {reminder},
	}
}
