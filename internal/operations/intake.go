package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func intake() []Operation {
	return []Operation{
		{"Intake.ListForms", "listIntakeForms", func(f Firm) []any {
			return []any{practice.IntakeFormListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterTypeID: f.MatterTypeID}}
		}},
		{"Intake.ListSubmissions", "listIntakeSubmissions", func(f Firm) []any {
			return []any{f.MatterID, practice.IntakeSubmissionListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"Intake.CreateSubmission", "createIntakeSubmission", func(f Firm) []any {
			return []any{f.MatterID, models.IntakeSubmissionCreate{
				FormID: f.IntakeFormID, Recipient: models.IntakeRecipientWrite{ContactID: f.ContactID, Email: "client@example.test"},
			}}
		}},
		{"Intake.GetSubmission", "getIntakeSubmission", func(f Firm) []any {
			return []any{f.MatterID, f.IntakeSubmissionID}
		}},
	}
}
