package practicetest

import (
	"strconv"
	"strings"
)

var (
	tagNames = [...]string{"VIP", "Überweisung", "Newsletter", "Conflict checked", "Referrer"}
)

// seed creates 24 contacts. The first is a living person with all members set,
// the last three are a company, a trust and a couple, and the others are
// persons with few members.
func (contact contactKind) seed(sd *seeder, a *account) {
	var all []*record
	for i := range 24 {
		first, last := pick(sd.rand, firstNames[:]), pick(sd.rand, lastNames[:])
		all = append(all, sd.add(a, contact.resource, fields{"person": fields{
			"firstName": first, "lastName": last, "email": strings.ToLower(first) + strconv.Itoa(i) + "@example.test",
			"cell": fields{"areaCode": "04", "number": "5550 1" + strconv.Itoa(100+i)}, "residentialAddress": addressOf(i),
		}}))
	}
	for i, n := range all {
		var related ties
		var tags []fields
		for k := range 1 + (i+2)%3 {
			related = append(related, all[(i+k+1)%len(all)].id)
			tags = append(tags, fields{"id": sd.newID("tag"), "name": tagNames[(i+k)%len(tagNames)], "type": "Custom"})
		}
		n.data, n.fields["tags"] = related, tags
	}
	all[1].data = append(tiesOf(all[1]), all[0].id)
	all[1].fields["tags"] = append(tagsOf(all[1]), fields{"name": "Witness", "type": "Role"})
	sd.wholePerson(all[0])
	all[10].fields["person"] = detailsOf(all[10], "person").with(fields{"deathDetails": fields{ // a matter of the firm is about this person's estate
		"deathDate": "2025-11-02", "isDeathDateUnknown": true, "deathDateFrom": "2025-11-01", "deathDateTo": "2025-11-03",
		"deathPlace": "Springfield", "deathState": "IL", "deathCountry": "United States", "deathCounty": "Sangamon",
	}})
	kinds := all[len(all)-3:]
	for i, form := range []string{"company", "trust", "groupOfPeople"} {
		delete(kinds[i].fields, "person")
		kinds[i].fields[form] = []fields{aCompany(ids(all[2:4]), ids(all[3:4])), aTrust(), aCouple(all[0], all[1])}[i]
	}
	kinds[1].fields["contactsOfTrust"] = ids(all[4:6])
}

// addressOf returns an address with the house number i+1.
func addressOf(i int) fields {
	return fields{
		"streetNumber": strconv.Itoa(1 + i), "streetName": "Harbour", "streetType": "Street", "addressLine1": strconv.Itoa(1+i) + " Harbour Street",
		"city": "Springfield", "state": "IL", "zipCode": "62701", "country": "United States",
	}
}

// wholeAddress returns an address with all members set.
func wholeAddress() fields {
	return addressOf(40).with(fields{
		"careOf": "Robin Example", "buildingLevel": "Level 3", "unitNumber": "12", "unitType": "Suite", "addressLine2": "Suite 12",
		"locality": "Old Town", "county": "Sangamon",
		"poBox": fields{
			"careOf": "Robin Example", "poBoxType": "PO Box", "poBoxNumber": "771", "city": "Springfield", "state": "IL", "zipCode": "62701",
		},
	})
}

// wholePerson sets the members of a person that most contacts lack.
func (sd *seeder) wholePerson(r *record) {
	r.fields["externalSystemId"] = "EXT-0001"
	r.fields["voiDetails"] = fields{
		"isCompleted": true, "completedDateTime": sd.now, "reference": "12345678", "source": "Provider", "status": "Complete",
	}
	r.fields["person"] = detailsOf(r, "person").with(papers()).with(fields{
		"title": "Ms", "middleName": "Quinn", "nameSuffix": "PhD", "customName": "Dear Avie", "otherNames": "Avie", "mailingAddress": wholeAddress(),
		"phone": fields{"areaCode": "217", "number": "5550100"}, "phone2": fields{"areaCode": "217", "number": "5550101", "extension": "103"},
		"fax": fields{"areaCode": "217", "number": "5550102"}, "notes": "Call after 4 pm", "occupation": "Baker", "gender": "Female",
		"maritalStatus": "Married", "specialNeeds": "Wheelchair access", "birthDate": "1980-07-01", "birthPlace": "Springfield",
		"birthState": "IL", "birthCountry": "United States", "birthFirstName": "Avery", "birthMiddleName": "Quinn", "birthLastName": "Sample",
		"previousNames": "Sample", "correctionsReferenceNumber": "C-1", "centrelinkReferenceNumber": "W-1",
		"executionOptions": fields{
			"poaType": "Enduring", "poaDate": "2024-02-29", "attorneyName": "Kim Example", "address": wholeAddress(),
			"poaRegisteredBook": "B 4", "poaRegisteredNumber": "17", "executionType": "PowerOfAttorney",
		},
	})
}

// papers returns the members about identity documents. The service accepts
// identificationDetails but does not return it.
func papers() fields {
	return fields{
		"identificationNumberType": "Passport", "identificationNumber": "X0000001",
		"passportDetails": fields{
			"passportNumber": "X0000001", "passportIssueDate": "2021-03-04", "passportExpireDate": "2031-03-03",
			"passportIssueCountry": "United States", "passportIssueAuthority": "Passport Office",
		},
		"identificationDetails": fields{"driversLicenseNumber": "D-1", "driversLicenseState": "IL"},
		"citizenshipDetails":    fields{"countryOfCitizenship": "United States", "nationality": "American", "languageOfInterpreter": "French"},
		"utbmsDetails":          fields{"ledesClientId": "LC-1"},
	}
}

// aCompany returns a company with all members set.
func aCompany(staff, directors []string) fields {
	signs := fields{"name": "Kim Example", "address": wholeAddress(), "personType": "Director", "selectedOfficeHeld": "Director"}
	return fields{
		"name": "Harbour Bakery LLC", "type": "Limited Liability Company", "phone": fields{"areaCode": "217", "number": "5550200"},
		"fax": fields{"areaCode": "217", "number": "5550201"}, "email": "office@bakery.example.test", "website": "https://bakery.example.test",
		"notes": "Open from 6 am", "abn": "00000000000", "ein": "00-0000000", "registeredDate": "2003-05-06", "stateId": "S-1",
		"stateRegisteredIn": "IL", "countryRegisteredIn": "United States", "branch": "Harbour", "registeredAddress": wholeAddress(),
		"firmIsRegisteredAgent": true, "companyManagedBy": 1, "companyNumberType": "ACN", "companyNumber": "000000000",
		"doingBusinessAsName": "Harbour Bakery", "tradingAs": "Trading As", "tradingName": "Harbour Bakery", "mailingAddress": wholeAddress(),
		"businessAddress": wholeAddress().with(fields{"dxAddress": fields{"number": "DX 42", "exchange": "DX Springfield", "state": "IL"}}),
		"staffIds":        staff, "directorIds": directors,
		"executionOptions": fields{
			"person1": signs, "person2": signs, "executingUnder127": true, "executingAuthority": "Constitution", "sealType": "WithoutSeal",
			"authorisedDepositTakingInstitution": true, "poaRegistrationNumber": "P-1", "attorneyNames": []string{"Kim Example"},
			"executionType": "JointDirectors",
		},
	}
}

func aTrust() fields {
	return fields{
		"name": "Harbour Trust", "status": "as Trustee of", "trustNumber": "T-99", "executedDate": "1999-12-31",
		"phone": fields{"areaCode": "217", "number": "5550300"}, "fax": fields{"areaCode": "217", "number": "5550301"}, "address": wholeAddress(),
		"trustees": []fields{{"name": "Kim Example", "type": "Individual"}, {"name": "Harbour Trustees Ltd", "type": "Company"}},
	}
}

func aCouple(one, other *record) fields {
	return fields{
		"name": fullName(one) + " & " + fullName(other), "peopleIds": ids([]*record{one, other}),
		"residentialAddress": addressOf(0), "mailingAddress": wholeAddress(),
	}
}
