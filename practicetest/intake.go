package practicetest

import (
	"cmp"
	"encoding/json"

	"github.com/practicesdk/practice-go/models"
)

const (
	intakeFormPath       = "/intake/forms/{id}"
	intakeSubmissionPath = "/intake/{matterId}/submissions/{submissionId}"
)

// intake returns the area of intake forms, which clients fill in. A submission
// is a form that was sent to a recipient. Only the recipient and the vendor's
// own application change its status.
func intake() area {
	in := intakeKind{
		form: &resource{
			path: intakeFormPath, relation: "IntakeForms", name: "intake form", schema: "IntakeForm",
			filters: map[string]filter{"matterTypeId": naming("matterTypes")},
		},
		submission: &resource{path: intakeSubmissionPath, parent: "matters", relation: "IntakeSubmissions", name: "intake submission"},
	}
	return area{
		name: "Intake", resources: []*resource{in.form, in.submission}, seed: in.seed,
		handlers: handlers{"createIntakeSubmission": in.create},
	}
}

type intakeKind struct{ form, submission *resource }

// intakeRecipient is the person that a form is sent to.
type intakeRecipient struct {
	ContactID string `json:"contactId,omitempty"`
	Email     string `json:"email,omitempty"`
	Name      string `json:"name,omitempty"`
}

// create sends a form to a recipient and responds with the address of the form.
// The submission exists at once.
func (in intakeKind) create(s *Server, c *call) (answer, error) {
	matter, to := sameID(c.values[0]), member[intakeRecipient](c, "recipient")
	switch {
	case member[string](c, "formId") == "":
		return nil, faulty("formId", "is required")
	case to.ContactID == "" && to.Email == "":
		return nil, faulty("recipient", "must contain a contact or an email address")
	}
	w := s.making(c, in.submission, s.state.idFor(c, intakeSubmissionPath), "submission", matter)
	err := s.accept(c, w, func(t *tx) error {
		if err := t.parents(in.submission, []string{matter}); err != nil {
			return err
		}
		form, err := t.find(in.form, member[string](c, "formId"), nil)
		if err != nil || !form.fields.is("active") {
			return conflict("formId", "must be the id of an active form")
		}
		r := t.create(in.submission, w.id, []string{matter})
		in.submission.take(t, r, submissionOf(form, matter, models.IntakeSubmissionStatusActive, to))
		r.fields["communicationMethod"] = cmp.Or(member[string](c, "communicationMethod"), string(models.IntakeCommunicationMethodEmail))
		t.put(r, created)
		return nil
	})
	return s.object(c, fields{
		"head": location{in.submission.relation, in.submission.at(matter, w.id)}, "id": w.id, "link": "https://forms.example.test/f/" + w.id,
	}), err
}

// submissionOf returns the members of a submission that was sent by email.
func submissionOf(form *record, matter string, status models.IntakeSubmissionStatus, to intakeRecipient) fields {
	return fields{
		"formId": form.id, "formTitle": form.fields.str("title"), "status": string(status), "matterId": matter,
		"communicationMethod": string(models.IntakeCommunicationMethodEmail), "recipient": rawText(encode(to)),
	}
}

// seed creates forms for matters and for leads, and two submissions.
func (in intakeKind) seed(sd *seeder, a *account) {
	kinds, m := sd.all(a, "mattertypes"), sd.all(a, "matters")[0].furnished()
	client := m.fields.ids("clientIds")[0]
	var forms []*record
	for i, title := range []string{"Client intake", "First enquiry", "Conflict check"} {
		category := []models.IntakeFormCategory{models.IntakeFormCategoryMatter, models.IntakeFormCategoryLead}[i%2]
		offered := []string{kinds[0].id, kinds[1].id}
		if category == models.IntakeFormCategoryLead {
			offered = []string{kinds[7].id}
		}
		forms = append(forms, sd.add(a, in.form, fields{
			"isVendorForm": i == 2, "title": title, "category": string(category), "matterTypes": offered, "active": title != "Conflict check",
		}))
	}
	done := submissionOf(forms[0], m.id, models.IntakeSubmissionStatusCompleted, intakeRecipient{client, "client@example.test", "The client"})
	done["responses"] = rawText(encode([]any{map[string]any{
		"sectionTitle": "Your details",
		"groups":       []any{map[string]any{"label": "How we reach you", "fields": []any{answerOf("phoneNumber", "Phone number", "312 5550100")}}},
		"fields":       []any{answerOf("date", "Date of birth", "1980-05-17"), answerOf("yesNo", "Do you live in the house?", "yes")},
	}}))
	sd.add(a, in.submission, done, m.id)
	sd.add(a, in.submission, submissionOf(forms[0], m.id, models.IntakeSubmissionStatusActive, intakeRecipient{Email: "heir@example.test", Name: "An heir"}), m.id)
}

func answerOf(kind, label, value string) map[string]any {
	return map[string]any{"type": kind, "label": label, "value": value}
}

// AddIntakeForm adds an intake form to the firm and returns its id. Only an
// active form can be sent.
func (s *Server) AddIntakeForm(form models.IntakeForm) string {
	return s.place(intakeFormPath, &form)
}

// IntakeForm returns the intake form with the id and reports whether it exists.
func (s *Server) IntakeForm(id string) (models.IntakeForm, bool) {
	return recordOf[models.IntakeForm](s, intakeFormPath, id)
}

// AddIntakeSubmission sends an intake form to a recipient and returns the id of
// the submission.
func (s *Server) AddIntakeSubmission(matterID string, submission models.IntakeSubmissionCreate) string {
	return s.enter("createIntakeSubmission", &submission, matterID)
}

// IntakeSubmission returns the intake submission with the id, including its
// answers, and reports whether it exists.
func (s *Server) IntakeSubmission(id string) (models.IntakeSubmissionDetail, bool) {
	return recordOf[models.IntakeSubmissionDetail](s, intakeSubmissionPath, id)
}

// AnswerIntakeSubmission completes an intake submission, as its recipient
// would.
func (s *Server) AnswerIntakeSubmission(id string, answers []models.IntakeAnswerSection) {
	s.asApplication("AnswerIntakeSubmission", answered(id, rawText(encode(answers))))
}

// CancelIntakeSubmission cancels an intake submission that has no answers yet.
func (s *Server) CancelIntakeSubmission(id string) {
	s.asApplication("CancelIntakeSubmission", submissionMoved(id, models.IntakeSubmissionStatusCancelled, nil))
}

// answered returns a change that completes a submission with the answers.
func answered(id string, answers json.RawMessage) func(*tx) error {
	return submissionMoved(id, models.IntakeSubmissionStatusCompleted, answers)
}

// submissionMoved returns a change that ends an active submission.
func submissionMoved(id string, to models.IntakeSubmissionStatus, answers json.RawMessage) func(*tx) error {
	return func(t *tx) error {
		r, err := t.find(t.server.catalog.byPath(intakeSubmissionPath), id, nil)
		if err != nil {
			return err
		}
		if r.fields.str("status") != string(models.IntakeSubmissionStatusActive) {
			return conflict("status", "is %s", r.fields.str("status"))
		}
		r = t.edit(r)
		r.fields["status"] = string(to)
		if answers != nil {
			r.fields["responses"] = answers
		}
		t.put(r, updated)
		return nil
	}
}
