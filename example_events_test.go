package practice_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// An event is created in a time zone, awaited, changed and deleted.
func ExampleEventsService_Create() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle() // let the accepted writes take effect
	}

	start, err := models.NewLocalDateTime(2026, time.September, 1, 9, 30, 0)
	if err != nil {
		log.Fatal(err)
	}
	end, err := models.NewLocalDateTime(2026, time.September, 1, 10, 30, 0)
	if err != nil {
		log.Fatal(err)
	}
	created, err := client.Events.Create(ctx, models.CalendarEventWrite{
		MatterID: firm.MatterID, Subject: "Hearing", Attendees: []string{firm.StaffID}, StartTime: start, EndTime: end, TimeZone: "Australia/Sydney",
	})
	if err != nil {
		log.Fatal(err)
	}
	event, err := practice.Await(ctx, practice.ReadLink[models.CalendarEvent](client, created), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	begins, err := event.StartTime.In(event.TimeZone)
	fmt.Println(event.Subject, begins.UTC().Format(time.RFC3339), err)

	must(client.Events.Modify(ctx, event.ID, func(e *models.CalendarEventWrite) error {
		e.Location = "Court 4" // the other members stay unchanged
		return nil
	}))
	event, err = client.Events.Get(ctx, event.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.Subject, "in", event.Location)

	must(client.Events.Delete(ctx, event.ID))
	event, err = client.Events.Get(ctx, event.ID)
	fmt.Println("deleted:", event.IsDeleted.Or(false), err)
	// Output:
	// Hearing 2026-08-31T23:30:00Z <nil>
	// Hearing in Court 4
	// deleted: true <nil>
}

// Reminders are listed without their ids. A program that changes a reminder
// must keep the id from the link that its create returns.
func ExampleEventsService_CreateReminder() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()
	must := func(_ *models.Link, err error) {
		if err != nil {
			log.Fatal(err)
		}
		server.Settle()
	}
	eventID := server.AddEvent(models.CalendarEventWrite{Subject: "Hearing", TimeZone: "Europe/London"})

	reminder := models.ReminderWrite{Offset: models.Some(15), OffsetTypeID: models.Some(0), UserIDs: []string{firm.UserID}}
	link, err := client.Events.CreateReminder(ctx, eventID, reminder)
	must(link, err)
	reminderID := link.TargetID()

	reminder.Offset = models.Some(45)
	must(client.Events.UpdateReminder(ctx, eventID, reminderID, reminder))
	page, err := client.Events.ListReminders(ctx, eventID, practice.ReminderListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range page.Items {
		fmt.Printf("%d before, id %q\n", r.Offset.Or(0), r.ID)
	}
	must(client.Events.DeleteReminder(ctx, eventID, reminderID))
	_, there := server.Reminder(reminderID)
	fmt.Println("still there:", there)
	// Output:
	// 45 before, id ""
	// still there: false
}

// A receiver handles the notifications of a subscription.
func Example_webhook() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	clientID, currentKey, previousKey := server.Credentials().ClientID, "the key since today", "the key until yesterday"

	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(currentKey, previousKey))
	if err != nil {
		log.Fatal(err)
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(ctx context.Context, e *webhook.Event[models.MatterPayload]) error {
		matter, err := client.Matters.Get(ctx, e.Payload.ID) // the signature does not cover the payload
		if err != nil {
			return err // the event is not acknowledged, and a queue delivers it again
		}
		fmt.Println(matter.Number, matter.Status)
		return nil
	})
	webhook.On(receiver, models.EventTypeError, func(_ context.Context, e *webhook.Event[models.ErrorPayload]) error {
		fmt.Println("a write failed after it was accepted:", e.RequestID, e.Payload.Message)
		return nil
	})
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", receiver)

	origin, err := server.Mount(mux)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Webhooks.Create(ctx, models.WebhookSubscriptionWrite{
		Name: "Ledger", EventNotificationURL: origin + "/hooks", Key: models.Some(models.NewSecret(currentKey)),
		EventTypes: []models.EventType{models.EventTypeMatterUpdated.Type(), models.EventTypeError.Type()},
	})
	if err != nil {
		log.Fatal(err)
	}
	server.Emit(practicetest.Event{Type: "matter.updated", Payload: json.RawMessage(`{"id":"` + server.Firm().MatterID + `"}`)})
	if err := server.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 10001 Open
}
