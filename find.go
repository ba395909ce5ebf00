package practice

import (
	"context"
	"iter"
	"strings"
)

// find collects the records of a walk that look like what a caller wrote. It is told
// about as one call, and ends at the first error: a record that cannot be read may be
// the one that is looked for.
func find[T any](ctx context.Context, client *Client, operation string, walk func(context.Context) iter.Seq2[T, error], same func(*T) bool) (found []T, err error) {
	ctx, observer := client.observeWhole(ctx, Observation{Operation: operation})
	defer observer.endOf(&err)
	for record, err := range walk(ctx) {
		if err != nil {
			return found, err
		}
		if same(&record) {
			found = append(found, record)
		}
	}
	return found, nil
}

// sameIfGiven compares what a caller wrote with what the service keeps. A member that was not
// written may be anything: the service fills it in.
func sameIfGiven[T comparable](wrote, kept T) bool {
	var none T
	return wrote == none || wrote == kept
}

// sameIDIfGiven compares identifiers, whose letters the service writes in either case.
func sameIDIfGiven(wrote, kept string) bool { return wrote == "" || strings.EqualFold(wrote, kept) }
