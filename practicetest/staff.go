package practicetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

var (
	firstNames = [...]string{"Avery", "Bela", "Chiara", "Dilan", "Esra", "Farid", "Grace", "Hana", "Ivo", "Jonas", "Kim", "Leila", "Mateo", "Noor", "Oskar", "Priya"}
	lastNames  = [...]string{"O'Example", "Müller", "Nguyen", "Okafor", "Peeters", "Quinn", "Rossi", "Sato", "Tanaka", "Ustinov", "Varga", "Weiß", "Young", "Zhang", "Abbott", "Branković"}
	jobs       = [...]string{"Principal", "Lawyer", "Bookkeeper", "Paralegal", "Lawyer", "Assistant"}
)

// staff returns the area of staff members. A staff member who has access to the
// service is also a user.
func staff() area {
	member := &resource{
		path: "/staff/{id}", relation: "Staff", event: "staff", name: "staff member",
		change: changeStaff, brief: briefStaff,
		filters: map[string]filter{"Search": mentions("firstName", "lastName", "email")},
		derive: func(r *record) fields {
			if !r.fields.is("enabled") {
				return fields{"userId": nil, "outOfOffice": nil}
			}
			return fields{"userId": r.fields["user"]}
		},
		remove: func(t *tx, r *record) {
			t.put(r, deleted)
			t.leave(r)
			r.deleted = false // the firm keeps the records of former members
		},
	}
	return area{name: "Staff", resources: []*resource{member}, seed: func(sd *seeder, a *account) {
		for i, job := range jobs {
			sd.member(a, member, i, job)
		}
	}}
}

// enabledUser reports whether the user belongs to the firm and has access.
func (st *state) enabledUser(accountID, userID string) bool {
	return slices.ContainsFunc(st.list(st.by.byTarget["staff"], accountID).All(), func(r *record) bool {
		return r.fields.is("enabled") && r.fields.str("user") == userID
	})
}

// member creates the i-th staff member. The first is the principal, the third
// has no access and few members, and the last has left the firm.
func (sd *seeder) member(a *account, of *resource, i int, job string) {
	first, last := firstNames[(i+sd.rand.IntN(3)*5)%len(firstNames)], pick(sd.rand, lastNames[:])
	id := sd.newID(of.path)
	f := fields{
		"user": sd.newID("user"), "firstName": first, "lastName": last, "phone": fields{"areaCode": "02", "number": "5550 1234"},
		"cell": fields{"areaCode": "04", "number": "5550 567" + string(rune('0'+i))}, "email": strings.ToLower(first) + "@firm.example.test",
		"enabled": i != 2 && i != len(jobs)-1, "former": i == len(jobs)-1,
	}
	if i == 2 {
		f["user"], f["cell"] = "", fields{} // a staff member without access
		sd.addAs(a, of, id, f).sparse = true
		return
	}
	maps.Copy(f, fields{
		"title": pick(sd.rand, []string{"Ms", "Mr", "Mx"}), "middleName": "", "initials": initial(first) + initial(last), "role": job,
		"rate": cents(15000 + sd.rand.Int64N(40)*1025), "avatar": "https://images.example.test/avatar?account=" + a.id + "&staff=" + id,
		"colorFill": "#797d85", "colorStroke": "#64666a",
		"licenceNumbers": []fields{{"state": "IL", "type": "", "number": "L-" + string(rune('1'+i))}, {}},
	})
	if i == 1 {
		from := sd.now.Add(20 * 24 * time.Hour).Truncate(time.Hour)
		f["outOfOffice"] = fields{"startDate": from, "endDate": from.Add(14 * 24 * time.Hour)}
	}
	sd.addAs(a, of, id, f)
}

func initial(name string) string { return string([]rune(name)[:1]) }

// AddStaffMember adds a staff member to the firm and returns its id.
func (s *Server) AddStaffMember(member models.StaffMemberWrite) string {
	return s.enter("createStaff", &member)
}

// StaffMember returns the staff member with the id and reports whether it
// exists.
func (s *Server) StaffMember(id string) (models.StaffMember, bool) {
	return recordOf[models.StaffMember](s, "/staff/{id}", id)
}
