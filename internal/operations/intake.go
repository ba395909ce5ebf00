package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func intake(f Firm) rows {
	return rows{
		"listIntakeForms":       {practice.IntakeFormListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterTypeID: f.MatterTypeID}},
		"listIntakeSubmissions": {practice.IntakeSubmissionListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
		"createIntakeSubmission": {models.IntakeSubmissionCreate{
			FormID: f.IntakeFormID, Recipient: models.IntakeRecipientWrite{ContactID: f.ContactID, Email: "client@example.test"},
		}},
	}
}
