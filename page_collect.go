package practice

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Collect returns the records of an iterator, and its errors joined. A record
// that could not be decoded is one of the errors ([RecordError]); all other
// records are still returned. Any other error ends the iterator.
func Collect[T any](walk iter.Seq2[T, error]) ([]T, error) {
	var (
		all    []T
		faults []error
	)
	for item, err := range walk {
		if err == nil {
			all = append(all, item)
			continue
		}
		faults = append(faults, err)
	}
	return all, errors.Join(faults...)
}

// Sum adds up an amount of every record of an iterator, exactly, in dollars or
// in cents. The sum of no records is 0. Sum stops at the first error, because a
// sum without the record that could not be decoded would be wrong. An absent
// amount, which is not zero, causes [models.ErrDecimalAbsent]; a sum out of
// range causes [models.ErrDecimalRange].
func Sum[T any, A interface {
	models.Decimal | models.Cents
	Add(A) (A, error)
}](walk iter.Seq2[T, error], amount func(T) A) (A, error) {
	var sum, none A
	switch zero := any(&sum).(type) {
	case *models.Decimal:
		*zero = models.MustDecimal("0")
	case *models.Cents:
		*zero = models.MustCents("0")
	}
	for item, err := range walk {
		if err != nil {
			return none, err
		}
		if sum, err = sum.Add(amount(item)); err != nil {
			return none, err
		}
	}
	return sum, nil
}

// findCreated returns the records of a walk for which same returns true.
// Observers see one call. It stops at the first error, because a record that
// could not be decoded may be the wanted one.
func findCreated[T any](ctx context.Context, client *Client, operation string, walk func(context.Context) iter.Seq2[T, error], same func(*T) bool) (found []T, err error) {
	ctx, observer := client.observers.aggregate(ctx, Observation{Operation: operation})
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

// sameIfGiven reports whether the service kept a member as the caller wrote it.
// It returns true for an omitted member, which the service fills in.
func sameIfGiven[T comparable](wrote, kept T) bool {
	var none T
	return wrote == none || wrote == kept
}

// sameIDIfGiven does the same as sameIfGiven for identifiers, and ignores their
// case.
func sameIDIfGiven(wrote, kept string) bool { return wrote == "" || strings.EqualFold(wrote, kept) }

// sameIDs reports whether links lead to exactly these records, in any order.
func sameIDs(wrote []string, kept []models.Link) bool {
	ids := make([]string, len(kept))
	for i := range kept {
		ids[i] = kept[i].TargetID()
	}
	return slices.Equal(sortedIDs(wrote), sortedIDs(ids))
}

// sameIDsIfGiven does the same as sameIDs, and returns true for an omitted
// list.
func sameIDsIfGiven(wrote []string, kept []models.Link) bool {
	return len(wrote) == 0 || sameIDs(wrote, kept)
}

// sortedIDs returns the distinct identifiers, sorted.
func sortedIDs(ids []string) []string {
	lower := make([]string, len(ids))
	for i, id := range ids {
		lower[i] = strings.ToLower(id)
	}
	slices.Sort(lower)
	return slices.Compact(lower)
}

// notBefore reports whether a record may be from a time or later, for lists
// without such a filter. It returns true for a record without a time. A time
// without a zone may be that of a clock up to twelve hours behind UTC.
func notBefore(at models.DateTime, since time.Time) bool {
	if !at.HasZone() {
		since = since.Add(-12 * time.Hour)
	}
	return at.IsZero() || !at.Time().Before(since)
}
