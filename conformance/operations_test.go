package conformance_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/practicetest"
)

// send calls one operation of the API.
type send func(context.Context, *practice.Client, practicetest.Firm) error

// calls are the calls of an operation in the tests: with the required members,
// with all members, and with alternative ones.
type calls struct {
	op            operations.Operation
	minimal, full send
	instead       func(practicetest.Firm) []send
}

func discard[T any](_ T, err error) error { return err }

// from is the time of the stopped clocks of services in the tests.
var from = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// descriptions returns the description from which the document is generated.
func descriptions(t testing.TB) *description.Document {
	t.Helper()
	described, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	return described
}

// operationCalls returns the calls of every operation of the registry by
// operationId.
func operationCalls(t testing.TB) map[string]calls {
	t.Helper()
	described := descriptions(t)
	all := map[string]calls{}
	for _, op := range operations.All() {
		as := described.Operation(op.ID)
		require.NotNil(t, as, "%s is not described", op.ID)
		way := func(arguments func(operations.Operation, *description.Operation, operations.Firm) []any) send {
			return func(ctx context.Context, client *practice.Client, firm practicetest.Firm) error {
				return op.CallWith(ctx, client, arguments(op, as, firm))
			}
		}
		instead := func(firm practicetest.Firm) (others []send) {
			for _, arguments := range variants.Alternatives(op, as, firm) {
				others = append(others, func(ctx context.Context, client *practice.Client, _ practicetest.Firm) error {
					return op.CallWith(ctx, client, arguments)
				})
			}
			return others
		}
		all[op.ID] = calls{op: op, minimal: way(variants.Least), full: way(variants.Fullest), instead: instead}
	}
	return all
}
