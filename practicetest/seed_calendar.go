package practicetest

import (
	"cmp"
	"slices"
	"time"
	_ "time/tzdata" // so that time zones do not depend on the machine
)

var (
	zoneNames = [...]string{"Australia/Sydney", "America/Chicago", "Europe/London", "America/New_York", "Asia/Kolkata"}
	rooms     = [...]string{"Room 1", "Room 2", "Room 3", "Room 4", "Room 5", "Room 6", "Room 7", "Room 8", "Room 9"}
	subjects  = [...]string{"Hearing", "Settlement", "Client conference", "Mediation", "Filing deadline"}
	// Assumed: a pattern beside its occurrences
	eventKinds = [...]string{"Normal", "Pattern", "Occurrence", "ChangedOccurrence", "DeletedOccurrence"}
)

// seed creates events during office hours in several time zones. One third of
// them are in the past.
func (event eventKind) seed(sd *seeder, a *account) {
	zones := make([]*time.Location, len(zoneNames))
	for i, name := range zoneNames {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic("practicetest: " + err.Error()) // cannot fail: the time zones are embedded
		}
		zones[i] = zone
	}
	matters, people := sd.all(a, "matters"), sd.all(a, "staff")
	made, details, extra := sd.makeMany(a, event.resource, sd.events), make([]calendarEvent, sd.events), rawText(`{"source":"import","empty":null}`)
	guests := sd.guests(a)
	for i, r := range made {
		days := 2 + sd.rand.IntN(180)
		if i%3 == 0 {
			days = -2 - sd.rand.IntN(60)
		}
		zone := zones[i%len(zones)]
		day := sd.now.AddDate(0, 0, days)
		start := time.Date(day.Year(), day.Month(), day.Day(), 8+sd.rand.IntN(10), 15*sd.rand.IntN(4), 0, 0, zone)
		e := &details[i]
		*e = calendarEvent{
			subject: subjects[i%len(subjects)], description: "<p>Bring brief &amp; bundle</p>", location: rooms[i%len(rooms)],
			allDay: i%11 == 0, nonBillable: i%7 == 0, zoneless: i%5 == 1, extra: extra,
			times: times{start.UTC(), time.Duration(1+sd.rand.IntN(6)) * 30 * time.Minute, zone},
		}
		deleted := e.kindOf(i)
		changed := sd.now.Add(-time.Duration(sd.rand.Int64N(30*24*3600*10_000_000)) * 100)
		if i%6 != 5 {
			m := sd.rand.IntN(len(matters))
			if i == 0 {
				m = 0
			}
			e.matter, e.contact, e.staff = matters[m].id, guests[m%len(guests)], people[sd.rand.IntN(len(people)-1)].id
		}
		r.data, r.updated, r.deleted = e, changed, deleted
	}
	if len(made) > 0 {
		made[0].id = sd.firstEvent(a)
	}
	sd.putAll(byStart(made))
	if len(made) > 0 {
		event.remind(sd, a, sd.user(a, 0), sd.user(a, 1))
	}
}

// remind creates the reminders of the first event.
func (event eventKind) remind(sd *seeder, a *account, owner, user string) {
	id := sd.firstEvent(a)
	sd.add(a, event.reminder, fields{"offset": 15, "offsetTypeId": 0, "isAllDayReminder": false, "userIds": []string{user}}, id)
	sd.add(a, event.reminder, fields{"offset": 1, "offsetTypeId": 2, "isAllDayReminder": false, "userIds": []string{owner, user}}, id)
}

// firstEvent returns the id of the event with reminders. It does not depend on
// the number of events.
func (sd *seeder) firstEvent(a *account) string { return sd.uuid("first event of "+a.id, 1) }

// describeCalendar sets the ids of events in f.
func (sd *seeder) describeCalendar(f *Firm, a, other *account) {
	f.OtherFirmEventID = sd.firstEvent(other)
	if len(sd.all(a, "events")) > 0 {
		f.EventID, f.ReminderID = sd.firstEvent(a), sd.first("reminders", sd.firstEvent(a))
	}
}

// guests returns the client of the first matter, the second and so on, up to
// the number of contacts, after which the clients repeat. A client who is not a
// person is returned as "".
func (sd *seeder) guests(a *account) []string {
	all := make([]string, len(sd.all(a, "contacts")))
	for i := range all {
		if client := sd.clientOf(a, i); detailsOf(client, "person") != nil {
			all[i] = client.id
		}
	}
	return all
}

// byStart sorts events by start time. It first copies the times into one slice,
// which makes sorting many events faster.
func byStart(events []*record) []*record {
	type started struct {
		at    int64
		event *record
	}
	all := make([]started, len(events))
	for i, r := range events {
		all[i] = started{timesOf(r).start.UnixNano(), r}
	}
	slices.SortFunc(all, func(a, b started) int {
		if order := cmp.Compare(a.at, b.at); order != 0 {
			return order
		}
		return cmp.Compare(a.event.id, b.event.id)
	})
	for i := range all {
		events[i] = all[i].event
	}
	return events
}

// kindOf sets the kind and the encoding of eventType of the i-th event. It
// reports whether the event is deleted.
func (e *calendarEvent) kindOf(i int) bool {
	kind := 0
	if i%4 == 3 {
		kind = 1 + i/4%4
	}
	e.kind, e.form = eventKinds[kind], i/3%3
	return kind == 4
}
