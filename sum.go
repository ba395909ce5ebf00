package practice

import (
	"iter"

	"github.com/practicesdk/practice-go/models"
)

// Sum adds up an amount of every record that an iterator yields, exactly, in dollars or
// in cents. The sum of no records is 0. It ends at the first error, because a sum without
// the record that cannot be read would be wrong. An absent amount, which is not zero, is
// [models.ErrDecimalAbsent].
func Sum[T any, A interface {
	models.Decimal | models.Cents
	Add(A) (A, error)
}](walk iter.Seq2[T, error], amount func(T) A) (A, error) {
	var failed error
	sum, err := models.Sum(func(yield func(A) bool) {
		for item, err := range walk {
			if failed = err; err != nil || !yield(amount(item)) {
				return
			}
		}
	})
	if failed != nil {
		return *new(A), failed
	}
	return sum, err
}
