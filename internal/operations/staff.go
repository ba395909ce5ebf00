package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func staff() []Operation {
	return []Operation{
		{"Staff.List", "listStaff", func(Firm) []any {
			return []any{practice.StaffListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Search: []string{"example.test"}, Fields: []models.StaffField{models.StaffFieldRate},
			}}
		}},
		{"Staff.Create", "createStaff", func(Firm) []any {
			return []any{models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test", Role: "Lawyer"}}
		}},
		{"Staff.Get", "getStaff", func(f Firm) []any {
			return []any{f.StaffID}
		}},
		{"Staff.Update", "updateStaff", func(f Firm) []any {
			return []any{f.StaffID, models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Role: "Partner"}}
		}},
		{"Staff.Delete", "deleteStaff", func(f Firm) []any {
			return []any{f.StaffID}
		}},
	}
}
