package practicetest

import "time"

// gone is the index of a waiter that has left the queue.
const gone = -1

// waiter is somebody who waits for a [Clock].
type waiter struct {
	due   time.Time
	order uint64 // breaks ties: first come, first served
	f     func()
	index int
}

// clockQueue is a heap of waiters, the earliest first.
type clockQueue []*waiter

func (q clockQueue) Len() int { return len(q) }

func (q clockQueue) Less(i, j int) bool {
	if q[i].due.Equal(q[j].due) {
		return q[i].order < q[j].order
	}
	return q[i].due.Before(q[j].due)
}

func (q clockQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *clockQueue) Push(x any) {
	w := x.(*waiter)
	w.index = len(*q)
	*q = append(*q, w)
}

func (q *clockQueue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	w.index = gone
	return w
}
