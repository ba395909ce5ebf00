package practicetest

import (
	"strings"
	"time"
)

var (
	firstNames = [...]string{"Avery", "Bela", "Chiara", "Dilan", "Esra", "Farid", "Grace", "Hana", "Ivo", "Jonas", "Kim", "Leila", "Mateo", "Noor", "Oskar", "Priya"}
	lastNames  = [...]string{"O'Example", "Müller", "Nguyen", "Okafor", "Peeters", "Quinn", "Rossi", "Sato", "Tanaka", "Ustinov", "Varga", "Weiß", "Young", "Zhang", "Abbott", "Branković"}
	jobs       = [...]string{"Principal", "Lawyer", "Bookkeeper", "Paralegal", "Lawyer", "Assistant"}
	tagNames   = [...]string{"VIP", "Überweisung", "Newsletter", "Conflict checked", "Referrer"}
	businesses = [...]string{"Bookkeeper", "Spouse", "Director", "Guarantor"}
)

// people makes the staff and the contacts. The first member is the principal, the
// third has a record without details, the last has left.
func (sd *seeder) people(a *account) {
	for i, job := range jobs {
		sd.member(a, i, job)
	}
	gone := a.staff[len(a.staff)-1]
	gone.former, gone.enabled = true, false
	plain := a.staff[2]
	plain.sparse, plain.enabled, plain.cell = true, false, wirePhone{}
	away := a.staff[1]
	away.awayFrom = sd.now.Add(20 * 24 * time.Hour).Truncate(time.Hour)
	away.awayUntil = away.awayFrom.Add(14 * 24 * time.Hour)
	for range 24 {
		n := &contact{
			id: sd.ids.next(), account: a, version: sd.ids.next(),
			firstName: pick(sd.ids, firstNames[:]), lastName: pick(sd.ids, lastNames[:]),
		}
		a.contacts = append(a.contacts, n)
		sd.contacts[n.id] = n
	}
	for i, n := range a.contacts {
		for k := range 1 + (i+2)%3 {
			n.relate(a.contacts[(i+k+1)%len(a.contacts)], pick(sd.ids, businesses[:]))
			n.tags = append(n.tags, tag{sd.ids.next(), tagNames[(i+k)%len(tagNames)]})
		}
	}
}

func (sd *seeder) member(a *account, i int, job string) {
	first, last := firstNames[(i+sd.ids.IntN(3)*5)%len(firstNames)], pick(sd.ids, lastNames[:])
	m := &staffMember{
		id: sd.ids.next(), account: a, version: sd.ids.next(), title: pick(sd.ids, []string{"Ms", "Mr", "Mx"}),
		firstName: first, lastName: last, initials: initial(first) + initial(last),
		phone: wirePhone{"02", "5550 1234"}, cell: wirePhone{"04", "5550 567" + string(rune('0'+i))},
		email: strings.ToLower(first) + "@firm.example.test", role: job, rate: 15000 + sd.ids.Int64N(40)*1025,
		enabled: true, userID: sd.ids.next(), fill: "#797d85", stroke: "#64666a",
		licences: []wireLicence{{new("IL"), new(""), new("L-" + string(rune('1'+i)))}, {}},
	}
	m.avatar = "https://images.example.test/avatar?account=" + a.id + "&staff=" + m.id
	a.staff = append(a.staff, m)
	sd.staff[m.id] = m
}

func initial(name string) string { return string([]rune(name)[:1]) }
