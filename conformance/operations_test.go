package conformance_test

import (
	"context"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// send calls one operation of the interface.
type send func(context.Context, *practice.Client, practicetest.Firm) error

// calls are the ways in which the tests call an operation: with what it
// demands, and with all that it takes.
type calls struct{ minimal, full send }

func discard[T any](_ T, err error) error { return err }

var (
	from = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	to   = from.AddDate(1, 0, 0)
)

// operations calls every operation of the document, by its operationId.
func operations() map[string]calls {
	all := map[string]calls{}
	for _, area := range []map[string]calls{documents(), money(), people(), calendar(), webhooks()} {
		for id, c := range area {
			if c.full == nil {
				c.full = c.minimal
			}
			all[id] = c
		}
	}
	return all
}
