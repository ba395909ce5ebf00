package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	intakeCreateSubmission = operation{"Intake.CreateSubmission", http.MethodPost, "/intake/{matterId}/submissions", transport.Create}
	intakeGetSubmission    = operation{"Intake.GetSubmission", http.MethodGet, "/intake/{matterId}/submissions/{submissionId}", transport.Read}
)

func intakeListForms() *list[models.IntakeForm] {
	return paged("Intake.ListForms", "Intake.AllForms", "/intake/forms", func(f *models.IntakeForm) string { return f.ID })
}

func intakeListSubmissions() *list[models.IntakeSubmission] {
	return paged("Intake.ListSubmissions", "Intake.AllSubmissions", "/intake/{matterId}/submissions", func(s *models.IntakeSubmission) string { return s.ID })
}

// IntakeService sends intake forms to clients and reads their answers. The
// published interface does not list these operations; without an agreement the
// service may refuse them (403, ErrForbidden).
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/intake.md
type IntakeService service

// IntakeFormListOptions narrow a list of intake forms. The zero value lists
// all.
type IntakeFormListOptions struct {
	ListOptions
	MatterTypeID string // if set, lists only forms for this matter type
}

func (o IntakeFormListOptions) filter(c *call) { c.param("matterTypeId", o.MatterTypeID) }

// ListForms returns one page of intake forms.
//   - API: GET /intake/forms
func (s *IntakeService) ListForms(ctx context.Context, options IntakeFormListOptions, opts ...CallOption) (*Page[models.IntakeForm], error) {
	return intakeListForms().page(ctx, s.client, options, opts)
}

// AllForms yields all intake forms. It reads Limit records per page from
// Offset.
//   - API: GET /intake/forms
func (s *IntakeService) AllForms(ctx context.Context, options IntakeFormListOptions, opts ...CallOption) iter.Seq2[models.IntakeForm, error] {
	return intakeListForms().walk(ctx, s.client, options, opts)
}

// IntakeSubmissionListOptions choose a page of submitted intake forms.
type IntakeSubmissionListOptions struct{ ListOptions }

// ListSubmissions returns one page of the intake submissions of a matter,
// without their answers.
//   - API: GET /intake/{matterId}/submissions
func (s *IntakeService) ListSubmissions(ctx context.Context, matterID string, options IntakeSubmissionListOptions, opts ...CallOption) (*Page[models.IntakeSubmission], error) {
	return intakeListSubmissions().page(ctx, s.client, options, opts, matterID)
}

// AllSubmissions yields all the intake submissions of a matter, without their
// answers. It reads Limit records per page from Offset.
//   - API: GET /intake/{matterId}/submissions
func (s *IntakeService) AllSubmissions(ctx context.Context, matterID string, options IntakeSubmissionListOptions, opts ...CallOption) iter.Seq2[models.IntakeSubmission, error] {
	return intakeListSubmissions().walk(ctx, s.client, options, opts, matterID)
}

// CreateSubmission sends an intake form to a recipient with a contact or an
// e-mail address. It returns the URL of the form; anyone who has it can fill in
// the form. Calling it twice sends two forms. After an *AmbiguousWriteError,
// AllSubmissions shows a form that was sent, but not its address.
//   - API: POST /intake/{matterId}/submissions
func (s *IntakeService) CreateSubmission(ctx context.Context, matterID string, submission models.IntakeSubmissionCreate, opts ...CallOption) (*models.IntakeSubmissionCreated, error) {
	return send[models.IntakeSubmissionCreated](s.client.call(ctx, intakeCreateSubmission, opts).at(matterID).with(&submission))
}

// GetSubmission returns an intake submission of a matter with its answers.
//   - API: GET /intake/{matterId}/submissions/{submissionId}
func (s *IntakeService) GetSubmission(ctx context.Context, matterID, submissionID string, opts ...CallOption) (*models.IntakeSubmissionDetail, error) {
	return send[models.IntakeSubmissionDetail](s.client.call(ctx, intakeGetSubmission, opts).at(matterID, submissionID))
}
