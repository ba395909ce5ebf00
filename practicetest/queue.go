package practicetest

import "slices"

// ordered is the constraint of the elements of a queue, no two of which are
// equal.
type ordered[T any] interface{ compare(other T) int }

// queue holds what waits for its time, the earliest first.
type queue[T ordered[T]] []T

func (q *queue[T]) add(one T) {
	at, _ := slices.BinarySearchFunc(*q, one, T.compare)
	*q = slices.Insert(*q, at, one)
}

// next takes the earliest one out.
func (q *queue[T]) next() T {
	one := (*q)[0]
	(*q)[0] = *new(T) // the array behind the slice would keep it
	*q = (*q)[1:]
	return one
}

// remove reports whether the queue has held one, and takes it out.
func (q *queue[T]) remove(one T) bool {
	at, held := slices.BinarySearchFunc(*q, one, T.compare)
	if held {
		*q = slices.Delete(*q, at, at+1)
	}
	return held
}
