package practicetest

import (
	"encoding/json"
	"strconv"
	"time"
	_ "time/tzdata" // the calendar has IANA zones on every machine
)

var (
	zoneNames  = [...]string{"Australia/Sydney", "America/Chicago", "Europe/London", "America/New_York", "Asia/Kolkata"}
	subjects   = [...]string{"Hearing", "Settlement", "Client conference", "Mediation", "Filing deadline"}
	eventKinds = [...]string{"Normal", "Pattern", "Occurrence", "ChangedOccurrence", "DeletedOccurrence"}
)

// calendar makes n events in office hours of several zones, a third of them before
// now. Their ids come from a source of their own, so that their number changes
// nothing else.
func (sd *seeder) calendar(a *account, n int, ids *idSource) {
	zones := make([]*time.Location, len(zoneNames))
	for i, name := range zoneNames {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic("practicetest: " + err.Error()) // the zones are built in
		}
		zones[i] = zone
	}
	for i := range n {
		days := 2 + ids.IntN(180)
		if i%3 == 0 {
			days = -2 - ids.IntN(60)
		}
		zone := zones[i%len(zones)]
		day := sd.now.AddDate(0, 0, days)
		start := time.Date(day.Year(), day.Month(), day.Day(), 8+ids.IntN(10), 15*ids.IntN(4), 0, 0, zone)
		e := &calendarEvent{
			id: ids.next(), account: a, subject: subjects[i%len(subjects)], description: "<p>Bring brief &amp; bundle</p>",
			location: "Room " + strconv.Itoa(1+i%9), allDay: i%11 == 0, nonBillable: i%7 == 0,
			start: start.UTC(), length: time.Duration(1+ids.IntN(6)) * 30 * time.Minute, zone: zone,
			updated: sd.now.Add(-time.Duration(ids.Int64N(30*24*3600*10_000_000)) * 100), zoneless: i%5 == 1,
			extra: json.RawMessage(`{"source":"import","empty":null}`),
		}
		e.kindOf(i)
		if i%6 != 5 {
			e.matter = a.matters[ids.IntN(len(a.matters))]
			e.external = []*contact{e.matter.clients[0]}
			e.attendees = []*staffMember{a.staff[ids.IntN(len(a.staff)-1)]}
		}
		a.events = append(a.events, e)
	}
	a.sortEvents()
}

// kindOf spreads the kinds, and the three forms of eventType.
func (e *calendarEvent) kindOf(i int) {
	kind := 0
	if i%4 == 3 {
		kind = 1 + i/4%4
	}
	e.kind, e.deleted = eventKinds[kind], kind == 4
	switch i / 3 % 3 {
	case 0:
		e.eventType = eventKinds[kind]
	case 1:
		e.eventType = strconv.Itoa(kind)
	default:
		e.eventType = kind
	}
}
