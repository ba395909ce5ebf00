package testkit

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// UnknownID is the id of no record.
const UnknownID = "00000000-0000-4000-8000-00000000dead"

// Refusal is a case in which the service refuses an operation.
type Refusal struct {
	Rule   string
	Call   func(ctx context.Context, c *practice.Client, f practicetest.Firm) error
	Want   error
	Fields []string // of Problem.Errors, in the form "field: message"
	// Conflict marks a bad request that depends on the state of the service.
	// Any other bad request is a mistake of the client, which a strict service
	// reports.
	Conflict bool
	Mistake  bool // a mistake of the client although the status is not 400
	ByClient bool // the call uses client credentials without a user
	Bare     bool // the response has no body
}

// AssertRefusals checks that each refusal becomes an *Error with all details of
// the response, and that the client sends one request only.
func AssertRefusals(t *testing.T, operation string, refusals ...Refusal) {
	t.Helper()
	for _, test := range refusals {
		t.Run(test.Rule, func(t *testing.T) {
			t.Parallel()
			InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				if test.ByClient || slices.ContainsFunc(operations.All(), func(op operations.Operation) bool { return op.Name == operation && op.ByClient() }) {
					client = ServerToServer(t, server)
				}
				var err error
				violations := server.Tolerate(func() { err = test.Call(t.Context(), client, server.Firm()) })
				mistake := test.Mistake || errors.Is(test.Want, practice.ErrBadRequest) && !test.Conflict
				assert.Equal(t, mistake, len(violations) > 0, violations)
				require.ErrorIs(t, err, test.Want)
				answer, ok := errors.AsType[*practice.Error](err)
				require.True(t, ok, "%v", err)
				sent := LastSent(t, server)
				assert.Equal(t, operation, answer.Operation)
				assert.Equal(t, sent.Method, answer.Method)
				assert.Equal(t, sent.Status, answer.StatusCode)
				assert.Equal(t, sent.RequestID, answer.RequestID)
				assert.Len(t, RequestsTo(server, practicetest.PartAPI), 1, "it is not repeated")
				if test.Bare {
					assert.Zero(t, answer.Problem)
					return
				}
				assert.Equal(t, sent.Status, answer.Problem.Status.Or(0))
				assert.Equal(t, sent.Path, answer.Problem.Instance)
				assert.NotEmpty(t, answer.Problem.Type)
				assert.NotEmpty(t, answer.Problem.Title)
				assert.Contains(t, err.Error(), answer.Problem.Detail)
				var fields []string
				for _, fault := range answer.Problem.Errors {
					fields = append(fields, fault.String())
				}
				assert.ElementsMatch(t, test.Fields, fields)
			})
		})
	}
}
