package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func calendar() []Operation {
	from := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	event := func(f Firm) models.CalendarEventWrite {
		return models.CalendarEventWrite{
			MatterID: f.MatterID, Subject: "Conference with counsel", Attendees: []string{f.StaffID}, ExternalAttendees: []string{f.ContactID}, TimeZone: "Australia/Sydney",
			StartTime: models.LocalDateTimeOf(from), EndTime: models.LocalDateTimeOf(from.Add(time.Hour)),
		}
	}
	reminder := func(f Firm) models.ReminderWrite {
		return models.ReminderWrite{Offset: models.Some(30), OffsetTypeID: models.Some(0), UserIDs: []string{f.UserID}}
	}
	return []Operation{
		{"Events.List", "listEvents", func(f Firm) []any {
			return []any{practice.EventListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 5}, UpdatedSince: from, MatterID: f.MatterID, ExcludeDeleted: true, From: from, To: from.AddDate(1, 0, 0),
			}}
		}},
		{"Events.Create", "createEvent", func(f Firm) []any {
			return []any{event(f)}
		}},
		{"Events.Get", "getEvent", func(f Firm) []any {
			return []any{f.EventID}
		}},
		{"Events.Update", "updateEvent", func(f Firm) []any {
			return []any{f.EventID, event(f)}
		}},
		{"Events.Delete", "deleteEvent", func(f Firm) []any {
			return []any{f.EventID}
		}},
		{"Events.ListReminders", "listReminders", func(f Firm) []any {
			return []any{f.EventID, practice.ReminderListOptions{}}
		}},
		{"Events.CreateReminder", "createReminder", func(f Firm) []any {
			return []any{f.EventID, reminder(f)}
		}},
		{"Events.UpdateReminder", "updateReminder", func(f Firm) []any {
			return []any{f.EventID, f.ReminderID, reminder(f)}
		}},
		{"Events.DeleteReminder", "deleteReminder", func(f Firm) []any {
			return []any{f.EventID, f.ReminderID}
		}},
	}
}
