package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A form goes to a client, who fills it in at the address of the answer.
func ExampleIntakeService() {
	server := startService()
	defer stopService(server)
	ctx, client, firm := context.Background(), clientOf(server), server.Firm()

	var formID string
	for form, err := range client.Intake.AllForms(ctx, practice.IntakeFormListOptions{MatterTypeID: firm.MatterTypeID}) {
		if err != nil {
			log.Fatal(err)
		}
		if form.Active.Or(false) {
			formID = form.ID
		}
	}
	sent, err := client.Intake.CreateSubmission(ctx, firm.MatterID, models.IntakeSubmissionCreate{
		FormID: formID, Recipient: models.IntakeRecipientWrite{ContactID: firm.ContactID},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the form is at", sent.Link) // Reveal tells the address

	server.AnswerIntakeSubmission(sent.ID, []models.IntakeAnswerSection{{
		SectionTitle: "Your details",
		Groups:       []models.IntakeAnswerGroup{{Fields: []models.IntakeAnswer{{Type: models.IntakeAnswerTypeText, Label: "Occupation", Value: "Baker"}}}},
	}}) // as the client would
	for submission, err := range client.Intake.AllSubmissions(ctx, firm.MatterID, practice.ListOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		if submission.ID != sent.ID {
			continue
		}
		whole, err := client.Intake.GetSubmission(ctx, firm.MatterID, submission.ID)
		if err != nil {
			log.Fatal(err)
		}
		answer := whole.Responses[0].Groups[0].Fields[0]
		fmt.Println(submission.Status, answer.Label, answer.Value)
	}

	// Somebody in the firm may take back what was not answered.
	other := server.AddIntakeSubmission(firm.MatterID, models.IntakeSubmissionCreate{
		FormID: formID, Recipient: models.IntakeRecipientWrite{Email: "heir@example.test"},
	})
	server.CancelIntakeSubmission(other)
	left, err := client.Intake.GetSubmission(ctx, firm.MatterID, other)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(left.Status)

	// Output:
	// the form is at [redacted]
	// completed Occupation Baker
	// cancelled
}
