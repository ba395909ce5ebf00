package models_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Amounts are exact. An absent amount is not zero.
func ExampleDecimal() {
	rate, worked := models.MustDecimal("385.50"), models.MustDecimal("1.25")
	amount, err := rate.Mul(worked)
	fmt.Println(amount, amount.Round(2), models.MustDecimal("2.345").Round(2), models.MustDecimal("2.345").RoundHalfUp(2), err)
	paid, _ := models.NewDecimal(48188, 2)
	due, _ := amount.Sub(paid)
	fmt.Println(due, due.Neg(), due.Sign(), due.Cmp(paid), due.Equal(models.MustDecimal("-0.00500")))

	var absent models.Decimal
	_, err = absent.Add(rate)
	fmt.Println(absent.IsAbsent() && absent.IsZero(), errors.Is(err, models.ErrDecimalAbsent))
	_, err = models.ParseDecimal("12,50")
	fmt.Println(errors.Is(err, models.ErrInvalidDecimal))
	_, err = models.ParseDecimal("1e1000")
	fmt.Println(errors.Is(err, models.ErrDecimalRange))
	// Output:
	// 481.8750 481.88 2.34 2.35 <nil>
	// -0.0050 0.0050 -1 -1 true
	// true true
	// true
	// true
}

// The name of a file has no extension; the name of an upload needs it.
func ExampleFile_FileName() {
	lease := models.File{Name: "Lease", FileExtension: ".pdf"}
	fmt.Println(lease.Name, lease.FileName())
	// Output: Lease Lease.pdf
}

// Amounts are added exactly and formatted for display.
func ExampleDecimal_Add() {
	sum, err := models.MustDecimal("1234567.1").Add(models.MustDecimal("0.20"))
	fmt.Println(sum, sum.Fixed(2), sum.Grouped(2), err)
	// Output: 1234567.30 1234567.30 1,234,567.30 <nil>
}

// The quantity of an activity code is converted to the duration of a fee and to
// hours.
func ExampleHoursOfMinutes() {
	code := models.ActivityCode{Quantity: models.QuantityOfMinutes(90)}
	minutes, whole := models.MinutesOfQuantity(code.Quantity)
	fmt.Println(code.Quantity, minutes, whole, models.HoursOfMinutes(minutes, 2))
	// Output: 0.90 90 true 1.50
}

// The price of a subscription is in cents; it cannot be mixed with an amount in
// dollars.
func ExampleCents() {
	price, discount := models.MustCents("10900"), models.MustCents("2000")
	due, err := price.Sub(discount)
	fmt.Println(due, due.Dollars(), err)
	more, _ := models.ParseCents("10.9")
	due, _ = due.Add(more)
	fmt.Println(due, due.Sign(), due.Cmp(price), due.Equal(price), due.IsPresent(), due.IsAbsent() || due.IsZero())
	// Output:
	// 8900 89.00 <nil>
	// 8910.9 1 -1 false true false
}

// In a PATCH, a value, null and an omitted member have different effects.
func ExampleOpt() {
	patch := models.FeePatch{Subject: models.Some("Advice"), Tax: models.Null[models.Decimal]()}
	text, err := json.Marshal(patch)
	fmt.Println(string(text), err)
	subject, given := patch.Subject.Get()
	fmt.Println(subject, given, patch.Tax.IsNull(), patch.Rate.IsZero(), patch.Rate.Or(models.MustDecimal("0")))
	// Output:
	// {"subject":"Advice","tax":null} <nil>
	// Advice true true true 0
}

// Only Reveal shows the text of a secret.
func ExampleSecret() {
	key := models.NewSecret("k-0123456789")
	fmt.Printf("%v %+v %#v\n", key, key, key)
	fmt.Println(key.IsZero(), key.Equal(models.NewSecret("k-0123456789")), len(key.Reveal()))
	// Output:
	// [redacted] [redacted] [redacted]
	// false true 12
}

// The object for a payment system is kept as secret as a text.
func ExampleSecretObject() {
	data, err := models.ParseObject(`{"token":"card-4711"}`)
	card := models.NewSecretObject(data)
	fmt.Println(card, card.IsZero(), err)
	fmt.Println(card.Reveal().String())
	// Output:
	// [redacted] false <nil>
	// {"token":"card-4711"}
}

// Ticks are steps of 100 ns since the year 1. They are exact, unlike in a
// float64.
func ExampleTicks() {
	ticks, err := models.ParseTicks("637558795239278688")
	fmt.Println(ticks.Time().Format(time.RFC3339Nano), err)
	again, err := models.TicksOf(ticks.Time())
	fmt.Println(again == ticks, err)
	_, err = models.ParseTicks("-1")
	fmt.Println(errors.Is(err, models.ErrTicksRange))
	// Output:
	// 2021-05-06T06:32:03.9278688Z <nil>
	// true <nil>
	// true
}

// A date has neither a time nor a zone. It is read in several forms.
func ExampleDate() {
	due, err := models.NewDate(2026, time.February, 27)
	fmt.Println(due.AddDays(3), due.Year(), due.Month(), due.Day(), err)
	sent, _ := models.ParseDate("2026-03-01T10:00:00Z")
	fmt.Println(sent, due.Compare(sent), models.DateOf(time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)) == sent)
	_, err = models.ParseDate("29 February 2026")
	fmt.Println(errors.Is(err, models.ErrInvalidDate), models.Date{}.IsZero())
	// Output:
	// 2026-03-02 2026 February 27 <nil>
	// 2026-03-01 -1 true
	// true true
}

// A time without a zone is in UTC. It is written without a zone, too.
func ExampleDateTime() {
	updated, err := models.ParseDateTime("2026-03-02T09:30:00.1234567")
	fmt.Println(updated.Time(), updated.HasZone(), err)
	fmt.Println(models.DateTimeOf(updated.Time()), models.DateTime{}.IsZero())
	_, err = models.ParseDateTime("yesterday")
	fmt.Println(errors.Is(err, models.ErrInvalidDateTime))
	// Output:
	// 2026-03-02 09:30:00.1234567 +0000 UTC false <nil>
	// 2026-03-02T09:30:00.1234567Z true
	// true
}

// A local time is converted to an instant in a zone. At a change of the clock
// it may not exist or occur twice.
func ExampleLocalDateTime() {
	start, err := models.NewLocalDateTime(2026, time.October, 4, 2, 30, 0)
	fmt.Println(start, start.Date(), start.IsZero(), start.HasZone(), err)
	hour, minute, _ := start.Clock()
	fmt.Println(hour, minute)

	_, err = start.In("Australia/Sydney")
	if zone, ok := errors.AsType[*models.ZoneError](err); ok {
		fmt.Println(zone.Kind == models.ZoneErrorGap)
	}
	in, err := start.InLocation(time.UTC)
	fmt.Println(in, err)
	read, _ := models.ParseLocalDateTime("2026-10-04T02:30:00")
	fmt.Println(models.LocalDateTimeOf(in) == read)
	// Output:
	// 2026-10-04T02:30:00 2026-10-04 false false <nil>
	// 2 30
	// true
	// 2026-10-04 02:30:00 +0000 UTC <nil>
	// true
}

// Contacts.GetMany sends this body. Client.Do of package practice accepts it as
// well.
func ExampleBatchContactsRequest() {
	text, err := json.Marshal(models.BatchContactsRequest{IDs: []string{"13eecfca-5699-5001-9310-bf202aba8df9"}})
	fmt.Println(string(text), err)
	// Output: {"ids":["13eecfca-5699-5001-9310-bf202aba8df9"]} <nil>
}

// Free-form members keep their JSON text and are written unchanged.
func ExampleObject() {
	data, err := models.ParseObject(`{"source": "import", "ticks": 637558795239278688}`)
	fmt.Println(data, data.Len(), data.IsZero(), err)
	for name, value := range data.All() {
		fmt.Println(name, string(value))
	}
	_, there := data.Get("pages")
	var into struct{ Source string }
	fmt.Println(there, data.Decode(&into), into.Source)

	made, err := models.ObjectOf(map[string]int{"pages": 3})
	fmt.Println(made, err)
	_, err = models.ParseObject(`[1]`)
	fmt.Println(errors.Is(err, models.ErrInvalidObject))
	// Output:
	// {"source":"import","ticks":637558795239278688} 2 false <nil>
	// source "import"
	// ticks 637558795239278688
	// false <nil> import
	// {"pages":3} <nil>
	// true
}

// The metadata of a subscription contains values of an application: mostly
// strings, sometimes numbers.
func ExampleFreeValue() {
	data, err := models.ParseObject(`{"source": "import", "seats": 12}`)
	if err != nil {
		log.Fatal(err)
	}
	metadata := data.Map()
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		text, isText := metadata[name].Text()
		fmt.Printf("%s: %s %q %t\n", name, metadata[name], text, isText)
	}
	fmt.Println(metadata["source"] == models.FreeText("import"))
	// Output:
	// seats: 12 "" false
	// source: import "import" true
	// true
}

func ExampleEventType() {
	name := models.EventTypeMatterUpdated.Type()
	fmt.Println(name, name.IsDocumented(), name.IsSystem())
	unknown := models.EventType("matter.closed")
	fmt.Println(unknown.Raw() == models.EventOf[json.RawMessage]("matter.closed"), unknown.IsDocumented())
	// Output:
	// matter.updated true false
	// true false
}

// encoding/json can read records as well, for example stored ones.
func ExampleNotification() {
	const body = `{"type":"matter.updated","source":"API","timestamp":637981232724209300,"payload":{"id":"m-1"},"region":"AU"}`
	var notification models.Notification
	err := json.Unmarshal([]byte(body), &notification)
	fmt.Println(notification.Type, notification.Source == models.NotificationSourceAPI, err)
	fmt.Println(notification.Timestamp.Time().Year(), notification.Extra)

	var page models.Collection[models.CalendarEvent]
	err = json.Unmarshal([]byte(`{"value":[{"id":"e-1"}],"offset":0,"limit":1,"size":7}`), &page)
	paging := page.Paging
	fmt.Println(len(page.Items), paging.Size.Or(0), page.Items[0].EventType.IsZero(), err)
	// Output:
	// matter.updated true <nil>
	// 2022 {"region":"AU"}
	// 1 7 true <nil>
}

// Problem reads the error body of the service in any of its forms.
func ExampleProblem() {
	var problem models.Problem
	err := json.Unmarshal([]byte(`{"title":"Bad request","status":400,"detail":"The subject is empty"}`), &problem)
	fmt.Println(problem.Message(), err)
	// Output:
	// The subject is empty <nil>
}

// The page of a folder also describes the folder. A deleted folder can be
// restored.
func ExampleFolderListingPage() {
	var page models.FolderListingPage
	err := json.Unmarshal([]byte(`{"name":"Letters","isDeleted":true,"value":[{"folders":[],"files":[]}]}`), &page)
	fmt.Println(page.Name, page.IsDeleted.Or(false), len(page.Items), err)
	text, err := json.Marshal(models.FolderPatch{IsDeleted: models.Some(false)})
	fmt.Println(string(text), err)
	// Output:
	// Letters true 1 <nil>
	// {"isDeleted":false} <nil>
}

// The sum of a ledger is the sum of Signed. A transaction whose sign is not
// documented is an error.
func ExampleTransaction_Signed() {
	for _, t := range []models.Transaction{
		{Type: models.TransactionTypeDeposit, Amount: models.MustDecimal("100.00")},
		{Type: models.TransactionTypeDepositReversal, Amount: models.MustDecimal("100.00")},
		{Type: models.TransactionTypeTransfer, Amount: models.MustDecimal("20.00")},
	} {
		amount, err := t.Signed()
		fmt.Println(amount, errors.Is(err, models.ErrSign))
	}
	// Output:
	// 100.00 false
	// -100.00 false
	//  true
}
