package operations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/operations/variants"
)

// TestWhatTheDescriptionForbidsIsNotSent makes every invalid call that package
// variants derives from the description.
func TestWhatTheDescriptionForbidsIsNotSent(t *testing.T) {
	t.Parallel()
	document, facts := described(t), firm(t)
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		for _, wrong := range variants.Refused(op, as, document, facts) {
			s := &service{status: http.StatusNotFound}
			err := op.CallWith(t.Context(), s.client(t), wrong.Arguments)
			refused, ok := isArgumentError(err)
			if !ok || len(s.asked) > 0 {
				t.Errorf("api/%s: %s forbids this call: %s %s\n%s sends it: %v\nrefuse it in the method", as.Pos, op.ID, wrong.Argument, wrong.Why, op.Name, err)
				continue
			}
			named := strings.HasPrefix(refused.Argument, wrong.Argument) || sameFilter(as, refused.Argument, wrong.Argument)
			holds(t, named && refused.Operation == op.Name && refused.Reason != "", "api/%s: %s: %s %s\nit is refused by another name or without a reason: %v\nname the argument, and why", as.Pos, op.Name, wrong.Argument, wrong.Why, refused)
		}
	})
}

// sameFilter reports whether both names belong to the same change filter, of
// which the client sends only one.
func sameFilter(as *description.Operation, sent, wanted string) bool {
	return as.Paging != nil && isFilter(as.Paging, sent) && isFilter(as.Paging, wanted)
}

// TestWhatTheDescriptionJustAllowsIsSent makes the calls at the limits.
func TestWhatTheDescriptionJustAllowsIsSent(t *testing.T) {
	t.Parallel()
	facts := firm(t)
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		for _, right := range variants.Edges(op, as, facts) {
			s := &service{status: http.StatusNotFound}
			if err := op.CallWith(t.Context(), s.client(t), right.Arguments); len(s.asked) != 1 {
				t.Errorf("api/%s: %s allows this call: %s %s\n%s refuses it: %v\nsend it, or correct the limit", as.Pos, op.ID, right.Argument, right.Why, op.Name, err)
			}
		}
	})
}
