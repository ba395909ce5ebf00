package practice_test

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestIntakeFormsAreListedByMatterType(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Intake.AllForms(t.Context(), practice.IntakeFormListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
		require.NoError(t, err)
		require.Len(t, all, 3)
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/intake/forms")).(map[string]any)["value"].([]any)
		for i, form := range all {
			testkit.AssertRecord(t, wire[i], map[string]any{
				"id": form.ID, "href": form.Href, "relation": form.Relation, "method": form.Method, "self": form.Self, "isVendorForm": form.IsVendorForm,
				"title": form.Title, "category": form.Category, "matterTypes": form.MatterTypes, "active": form.Active,
				"createdDate": form.CreatedDate, "lastUpdated": form.LastUpdated,
			})
		}
		page, err := client.Intake.ListForms(t.Context(), practice.IntakeFormListOptions{ListOptions: practice.ListOptions{Limit: 1}, MatterTypeID: f.MatterTypeID})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/intake/forms", "Limit=1&matterTypeId="+url.QueryEscape(f.MatterTypeID))
		require.Len(t, page.Items, 1)
		assert.Equal(t, 2, page.Size.Or(0), "forms for leads have other types")
		assert.Equal(t, models.IntakeFormCategoryMatter, page.Items[0].Category)
	})
}

func TestTheVendorsNameStandsInTheMiddleOfAMember(t *testing.T) {
	t.Parallel()
	for prefix, known := range map[string]bool{"": true, "acme": true, "other": false} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if prefix != "" {
					client = server.Client(t, practice.WithVendorPrefix(prefix))
				}
				page, err := client.Intake.ListForms(t.Context(), practice.IntakeFormListOptions{})
				require.NoError(t, err)
				assert.Equal(t, known, page.Items[2].IsVendorForm.Or(false))
				_, there := page.Items[2].Extra.Get("isAcmeForm")
				assert.True(t, there, "it is kept by its own name as well")
			}, practicetest.WithVendorMember("acmeId"))
		})
	}
}

func TestAnIntakeSubmissionHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		s, err := client.Intake.GetSubmission(t.Context(), f.MatterID, f.IntakeSubmissionID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/intake/"+f.MatterID+"/submissions/"+f.IntakeSubmissionID, "")
		members := map[string]any{
			"id": s.ID, "href": s.Href, "relation": s.Relation, "method": s.Method, "self": s.Self, "formId": s.FormID, "formTitle": s.FormTitle,
			"status": s.Status, "communicationMethod": s.CommunicationMethod, "matter": s.Matter, "createdDate": s.CreatedDate,
			"lastUpdated": s.LastUpdated, "recipient": s.Recipient, "responses": s.Responses,
		}
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/intake/{matterId}/submissions/{submissionId}", f.MatterID, s.ID)), members)
		assert.Equal(t, []string{f.MatterID, f.IntakeFormID}, []string{s.Matter.ID, s.FormID})
		require.Len(t, s.Responses, 1)
		assert.Len(t, s.Responses[0].Groups[0].Fields, 1)

		page, err := client.Intake.ListSubmissions(t.Context(), f.MatterID, practice.IntakeSubmissionListOptions{ListOptions: practice.ListOptions{Limit: 1}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/intake/"+f.MatterID+"/submissions", "Limit=1")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/intake/{matterId}/submissions", f.MatterID)).(map[string]any)["value"].([]any)[0], members)
		assert.Equal(t, models.IntakeSubmission{
			Hypermedia: s.Hypermedia, ID: s.ID, FormID: s.FormID, FormTitle: s.FormTitle, Status: s.Status, CommunicationMethod: s.CommunicationMethod,
			Matter: s.Matter, CreatedDate: s.CreatedDate, LastUpdated: s.LastUpdated, Recipient: s.Recipient,
		}, page.Items[0], "lists leave the answers out")
		all, err := practice.Collect(client.Intake.AllSubmissions(t.Context(), f.MatterID, practice.IntakeSubmissionListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Len(t, all, 2)
	})
}

func TestAnIntakeFormIsSentAtOnceAndForEachCall(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		submission := models.IntakeSubmissionCreate{
			FormID: f.IntakeFormID, CommunicationMethod: models.IntakeCommunicationMethodCommunicate, Recipient: models.IntakeRecipientWrite{ContactID: f.ContactID},
		}
		first, err := client.Intake.CreateSubmission(t.Context(), f.MatterID, submission)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/intake/"+f.MatterID+"/submissions", "")
		assert.JSONEq(t, `{"formId":"`+f.IntakeFormID+`","communicationMethod":"communicate","recipient":{"contactId":"`+f.ContactID+`"}}`, string(testkit.LastSent(t, server).Body))
		assert.Equal(t, 201, testkit.LastSent(t, server).Status)
		assert.Contains(t, first.Link.Reveal(), "https://")
		assert.NotContains(t, fmt.Sprintf("%v %+v", first, first), first.Link.Reveal(), "anyone who has the address can fill the form in")
		second, err := client.Intake.CreateSubmission(t.Context(), f.MatterID, submission)
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, second.ID)

		sent, err := client.Intake.GetSubmission(t.Context(), f.MatterID, first.ID)
		require.NoError(t, err, "it takes effect at once")
		assert.Equal(t, models.IntakeSubmissionStatusActive, sent.Status)
		assert.Equal(t, models.IntakeCommunicationMethodCommunicate, sent.CommunicationMethod)
		assert.Equal(t, []string{"Client intake", f.ContactID}, []string{sent.FormTitle, sent.Recipient.ContactID})
		assert.Empty(t, sent.Responses)
	})
}

func TestARecipientMovesASubmissionOn(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		form := server.AddIntakeForm(models.IntakeForm{Title: "Heirs", Active: models.Some(true)})
		known, there := server.IntakeForm(form)
		require.True(t, there)
		assert.Equal(t, "Heirs", known.Title)
		send := models.IntakeSubmissionCreate{FormID: form, Recipient: models.IntakeRecipientWrite{Email: "heir@example.test"}}
		answered, cancelled := server.AddIntakeSubmission(f.MatterID, send), server.AddIntakeSubmission(f.MatterID, send)
		answers := []models.IntakeAnswerSection{{SectionTitle: "Heirs", Fields: []models.IntakeAnswer{{Type: models.IntakeAnswerTypeNumber, Label: "How many", Value: "2"}}}}
		server.AnswerIntakeSubmission(answered, answers)
		server.CancelIntakeSubmission(cancelled)
		read, err := client.Intake.GetSubmission(t.Context(), f.MatterID, answered)
		require.NoError(t, err)
		assert.Equal(t, models.IntakeSubmissionStatusCompleted, read.Status)
		assert.Equal(t, answers, read.Responses)
		left, there := server.IntakeSubmission(cancelled)
		require.True(t, there)
		assert.Equal(t, models.IntakeSubmissionStatusCancelled, left.Status)
		assert.Empty(t, left.Responses)
	})
}

func TestRefusalsOfIntake(t *testing.T) {
	t.Parallel()
	send := func(change func(*practicetest.Firm, *models.IntakeSubmissionCreate)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			submission := models.IntakeSubmissionCreate{FormID: f.IntakeFormID, Recipient: models.IntakeRecipientWrite{Email: "client@example.test"}}
			change(&f, &submission)
			return testkit.Discard(c.Intake.CreateSubmission(ctx, f.MatterID, submission))
		}
	}
	testkit.AssertRefusals(t, "Intake.CreateSubmission",
		testkit.Refusal{
			Rule: "no form", Want: practice.ErrBadRequest, Fields: []string{"formId: is required"},
			Call: send(func(_ *practicetest.Firm, s *models.IntakeSubmissionCreate) { s.FormID = "" }),
		},
		testkit.Refusal{
			Rule: "nobody", Want: practice.ErrBadRequest, Fields: []string{"recipient: must contain a contact or an email address"},
			Call: send(func(_ *practicetest.Firm, s *models.IntakeSubmissionCreate) { s.Recipient.Email = "" }),
		},
		testkit.Refusal{
			Rule: "an unknown form", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"formId: must be the id of an active form"},
			Call: send(func(_ *practicetest.Firm, s *models.IntakeSubmissionCreate) { s.FormID = testkit.UnknownID }),
		},
		testkit.Refusal{
			Rule: "a contact of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"recipient.contactId: no such contact"},
			Call: send(func(f *practicetest.Firm, s *models.IntakeSubmissionCreate) {
				s.Recipient.ContactID = f.OtherFirmContactID
			}),
		},
	)
}
