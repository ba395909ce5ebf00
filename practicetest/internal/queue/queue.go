// Package queue implements a priority queue.
package queue

import "slices"

// Ordered is the constraint for the elements of a queue. Compare must not
// return 0 for different elements.
type Ordered[T any] interface{ Compare(other T) int }

// Queue is a priority queue. The smallest element is first.
type Queue[T Ordered[T]] []T

// Add adds an element.
func (q *Queue[T]) Add(one T) {
	at, _ := slices.BinarySearchFunc(*q, one, T.Compare)
	*q = slices.Insert(*q, at, one)
}

// Next removes the first element and returns it.
func (q *Queue[T]) Next() T {
	one := (*q)[0]
	(*q)[0] = *new(T) // so that the array does not keep it alive
	*q = (*q)[1:]
	return one
}

// Remove removes an element and reports whether the queue contained it.
func (q *Queue[T]) Remove(one T) bool {
	at, held := slices.BinarySearchFunc(*q, one, T.Compare)
	if held {
		*q = slices.Delete(*q, at, at+1)
	}
	return held
}
