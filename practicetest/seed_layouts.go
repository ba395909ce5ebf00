package practicetest

// layoutPlan describes a seeded layout design and the values of the layout
// items that use it.
type layoutPlan struct {
	name, description string
	fields            []layoutField
	values            []fields
}

// These constants name the fields in which each layout item has a contact.
const (
	agentField   = "Agent"
	witnessField = "Witness"
)

func in(kind, name string) layoutField { return layoutField{Name: name, Type: kind} }

func choice(name string, values ...string) layoutField {
	return layoutField{Name: name, Type: "Combobox", PossibleValues: values}
}

func filled(key, value string) fields { return fields{"key": key, "value": value} }

// titlesOfStates maps possible values to the only state in which they are
// allowed.
func titlesOfStates() map[string]string {
	return map[string]string{"Strata": "NSW", "Condominium": "IL"}
}

func layoutPlans() []layoutPlan {
	return []layoutPlan{
		{"Property details", "The land and the date of settlement", []layoutField{
			in("Number", "Lots[]/Number"), choice("Lots[]/Use", "Residence", "Commercial", "Farm"), choice("Title", "Freehold", "Leasehold", "Strata", "Condominium"),
			in("Date", "Settlement"), in("Checkbox", "Fixtures"),
		}, []fields{
			filled("Lots[0]/Number", "12"), filled("Lots[0]/Use", "Residence"), filled("Title", "Freehold"),
			{"key": "Fixtures", "value": "With the curtains", "state": true},
		}},
		{"Lease details", "What is let, and for how long", []layoutField{in("Text", "Premises"), in("Number", "Years"), in("Date", "Start")},
			[]fields{filled("Premises", "3 Market Square"), filled("Years", "5")}},
		{"Estate details", "Who has died, and what was left", []layoutField{in("Date", "Death"), in("Number", "Heirs[]/Share")}, []fields{filled("Heirs[0]/Share", "50"), filled("Heirs[1]/Share", "50")}},
		{"Marriage details", "When and where a marriage began", []layoutField{in("Date", "Marriage"), in("Text", "Place")}, []fields{filled("Place", "Town hall")}},
		{"Court details", "Where proceedings are pending", []layoutField{in("Text", "Court"), in("Text", "File number"), in("Date", "Hearing")}, []fields{filled("Court", "District court"), filled("File number", "C 114")}},
		{"Employment details", "The work that has ended", []layoutField{in("Text", "Position"), in("Date", "Last day"), in("Number", "Salary")}, []fields{filled("Position", "Driver"), filled("Salary", "52000")}},
		{"Enquiry", "What somebody has asked", []layoutField{in("Text", "Question")}, []fields{filled("Question", "What does it cost?")}},
		{"Accident details", "What has happened, and where", []layoutField{in("Date", "Accident"), in("Text", "Place")}, nil},
	}
}

// seedDesigns creates the layout designs that the matter types refer to.
func (g graph) seedDesigns(sd *seeder, a *account) {
	for _, plan := range layoutPlans() {
		all := append(plan.fields, in("Role", agentField), in("Role", witnessField))
		sd.add(a, g.design, fields{"name": plan.name, "description": plan.description, "fields": rawText(encode(all))}).data = titlesOfStates()
	}
}

// seedLayout creates the layout item of a matter, with two contacts.
func (g graph) seedLayout(sd *seeder, m *record, n int) {
	wanted, people := practiceKinds[sd.plan(n).kind].layout, sd.all(m.account, "contacts")
	for i, plan := range layoutPlans() {
		if plan.name != wanted {
			continue
		}
		design := sd.list(g.design, m.account.id).All()[i]
		item := sd.add(m.account, g.item, fields{
			"layoutDesignId": design.id, "name": plan.name, "description": plan.description, "parentId": "Client", "index": 0, "parentIndex": 0,
			"values": rawText(encode(plan.values)), "events": []fields{{"id": sd.newID("event of a layout"), "appointmentId": sd.newID("appointment of a layout")}},
		}, m.id)
		whole := sd.slot(g.whole, m.id).Now
		p := partsOf(whole)
		p.layouts = append(p.layouts, item)
		for k, key := range []string{agentField, witnessField} {
			p.roles = append(p.roles, sd.add(m.account, g.role, fields{
				"name": key, "displayName": key, "contactId": people[(n+3+k)%len(people)].id, "layoutItemId": item.id, "layoutKey": key,
			}, m.id))
		}
		whole.data = p
	}
}
