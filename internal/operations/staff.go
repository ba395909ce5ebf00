package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func staff(Firm) rows {
	return rows{
		"listStaff": {practice.StaffListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Search: []string{"example.test"}, Fields: []models.StaffField{models.StaffFieldRate},
		}},
		"createStaff": {models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test", Role: "Lawyer"}},
		"updateStaff": {models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Role: "Partner"}},
	}
}
