package practicetest

import "slices"

// ordered is the constraint for the elements of a queue. compare must not
// return 0 for different elements.
type ordered[T any] interface{ compare(other T) int }

// queue is a priority queue. The smallest element is first.
type queue[T ordered[T]] []T

func (q *queue[T]) add(one T) {
	at, _ := slices.BinarySearchFunc(*q, one, T.compare)
	*q = slices.Insert(*q, at, one)
}

// next removes the first element and returns it.
func (q *queue[T]) next() T {
	one := (*q)[0]
	(*q)[0] = *new(T) // so that the array does not keep it alive
	*q = (*q)[1:]
	return one
}

// remove removes an element and reports whether the queue contained it.
func (q *queue[T]) remove(one T) bool {
	at, held := slices.BinarySearchFunc(*q, one, T.compare)
	if held {
		*q = slices.Delete(*q, at, at+1)
	}
	return held
}
