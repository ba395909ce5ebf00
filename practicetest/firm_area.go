package practicetest

import (
	"encoding/json"
	"net/http"

	"github.com/practicesdk/practice-go/models"
)

// firmArea returns the area of the firm, which includes the links between its
// users and its staff members.
func firmArea() area {
	firm := &resource{path: "/firm", relation: "Firm", event: "firm", change: changeFirm}
	user := firmUsers{&resource{path: "/firmusers/{id}", relation: "FirmUsers"}}
	return area{
		name: "Firm", resources: []*resource{firm, user.resource},
		handlers: handlers{
			"createFirm": (*Server).createFirm, "listFirmUsers": user.list, "getFirmUser": user.get,
			"updateFirmUser": user.update, "deleteFirmUser": user.delete,
		},
		seed: func(sd *seeder, a *account) { sd.addAs(a, firm, a.id, seededFirm(sd)) },
	}
}

func seededFirm(sd *seeder) fields {
	street := fields{
		"buildingLevel": "Level 3", "unitNumber": "12", "unitType": "Suite", "streetNumber": "40", "streetName": "Harbour",
		"streetType": "Street", "addressLine1": "Suite 12, Level 3", "addressLine2": "40 Harbour Street", "city": "Chicago",
		"state": "IL", "zipCode": "60601", "county": "Cook", "locality": "", "country": "United States", "careOf": "",
		"poBoxType": "", "poBoxNumber": "",
	}
	letters := fields{
		"city": "Chicago", "state": "IL", "zipCode": "60602", "country": "United States", "careOf": "The office manager",
		"poBoxType": "PO Box", "poBoxNumber": "771",
	}
	name := pick(sd.rand, lastNames[:]) + " & " + pick(sd.rand, lastNames[:]) + " Law"
	return fields{
		"owner": "Example", "name": name, "status": fields{"status": "Active", "statusMessage": ""}, "productId": "PRD002",
		"addOnIds": []string{"ADD001"}, "email": "office@firm.example.test", "abn": "00000000000", "acn": "000000000",
		"streetAddress": street, "mailingAddress": letters, "dxAddress": fields{"number": "42", "exchange": "DX Chicago", "state": "IL"},
		"phone": fields{"areaCode": "312", "number": "5550100"}, "fax": fields{"areaCode": "312", "number": "5550101"},
		"logo": "https://images.example.test/logo.png", "licenceNumbers": []fields{{"state": "IL", "type": "Bar", "number": "L-0"}},
		"stylingDetails": fields{"primaryColorHexCode": "#ff203040", "secondaryColorHexCode": "#ff405060", "fontFamilyName": "Open Sans"},
	}
}

// changeFirm sets the status of a firm, with a default message if the body has
// none.
func changeFirm(_ *tx, r *record, body fields) {
	var status struct{ Status, StatusMessage string }
	if json.Unmarshal(body.raw("status"), &status) != nil || status.Status == "" {
		return // the body has no status: the schema check has passed
	}
	if status.StatusMessage == "" && status.Status != "Active" {
		status.StatusMessage = map[string]string{"Warning": "Please talk to us.", "Suspended": "The firm is suspended."}[status.Status]
	}
	r.fields["status"] = fields{"status": status.Status, "statusMessage": status.StatusMessage}
}

// createFirm creates an account with a firm and the owner as its only staff
// member.
func (s *Server) createFirm(c *call) (answer, error) {
	of, people := s.state.resource("firm"), s.state.resource("staff")
	id, memberID := s.state.idFor(c, "account"), s.state.newID(people.path)
	body := c.members()
	owner := decoded[fields](body.raw("staff"))
	user := owner.str("userId")
	delete(owner, "userId")
	for _, name := range []string{"staff", "subscription", "isInternal"} {
		delete(body, name)
	}
	err := s.accept(c, &write{resource: of.relation, id: id}, func(t *tx) error {
		refused := refuse(http.StatusForbidden, "A firm requires a product, and an owner who is not yet a user of a firm.")
		r, err := t.find(s.state.resource("users"), user, nil)
		if err != nil {
			return unlessPending(err, refused)
		}
		if t.staffOf(user) != nil || body.str("productId") == "" {
			return refused
		}
		a := &account{id, s.state.from.Number}
		r = t.edit(r)
		r.account = a
		t.put(r, updated)
		chief := t.create(people, memberID, nil)
		chief.account, chief.fields = a, owner
		chief.fields["user"], chief.fields["enabled"], chief.fields["former"] = user, true, false
		t.put(chief, created)
		firm := t.create(of, id, nil)
		firm.account = a
		of.take(t, firm, body)
		if err := t.settle(c, firm, created); err != nil {
			return err
		}
		t.then = func() { s.state.accounts[id] = a }
		return nil
	})
	return s.link(c, of, id), err
}

// FirmOf returns the firm of the account and reports whether it exists.
func (s *Server) FirmOf(accountID string) (models.Firm, bool) {
	return recordOf[models.Firm](s, "/firm", accountID)
}
