// Package intervals divides the missing byte ranges of a file among workers
// that fetch them concurrently.
package intervals

import (
	"cmp"
	"slices"
	"sync"
)

// Interval is a half-open range of bytes.
type Interval struct {
	From int64 `json:"from"`
	To   int64 `json:"to"` // exclusive
}

// Size returns the number of bytes.
func (s Interval) Size() int64 { return s.To - s.From }

// Total returns the number of bytes in all intervals.
func Total(all []Interval) int64 {
	n := int64(0)
	for _, s := range all {
		n += s.Size()
	}
	return n
}

// Part is an interval assigned to a worker. It shrinks when another worker
// takes its second half.
type Part struct {
	at      int64 // bytes before it are written
	claimed int64 // bytes before it are written or being written
	end     int64
}

// Queue holds the missing intervals. A worker without a part takes half of the
// largest one in progress, so that a slow connection does not delay the end.
type Queue struct {
	least int64

	mu      sync.Mutex
	waiting []*Part
	active  []*Part
}

// NewQueue returns a queue of intervals, which must not overlap. Parts are not
// divided into pieces smaller than least bytes.
func NewQueue(missing []Interval, least int64) *Queue {
	q := &Queue{least: max(least, 1)}
	for _, m := range missing {
		q.waiting = append(q.waiting, &Part{at: m.From, claimed: m.From, end: m.To})
	}
	return q
}

// Take returns the next part, or nil if none can be divided.
func (q *Queue) Take() *Part {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		p := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.active = append(q.active, p)
		return p
	}
	if len(q.active) == 0 {
		return nil
	}
	largest := slices.MaxFunc(q.active, func(a, b *Part) int { return cmp.Compare(a.end-a.claimed, b.end-b.claimed) })
	left := largest.end - largest.claimed
	if left/2 < q.least {
		return nil
	}
	middle := largest.claimed + (left+1)/2
	p := &Part{at: middle, claimed: middle, end: largest.end}
	largest.end = middle
	q.active = append(q.active, p)
	return p
}

// Rest returns the interval of p that is not claimed yet.
func (q *Queue) Rest(p *Part) Interval {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Interval{p.at, p.end}
}

// Claim claims the next n bytes of p. It returns their offset and how many of
// them still belong to p, because another worker may have taken the end.
func (q *Queue) Claim(p *Part, n int) (at int64, own int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	own = int(min(int64(n), p.end-p.claimed))
	p.claimed += int64(own)
	return p.at, own
}

// Wrote records that the claimed bytes were written, and reports whether p is
// complete.
func (q *Queue) Wrote(p *Part) (complete bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p.at = p.claimed
	if p.at < p.end {
		return false
	}
	q.active = slices.DeleteFunc(q.active, func(other *Part) bool { return other == p })
	return true
}

// Missing returns the intervals that are not written yet, in order, with
// adjacent ones merged.
func (q *Queue) Missing() []Interval {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := slices.Concat(q.waiting, q.active)
	slices.SortFunc(all, func(a, b *Part) int { return cmp.Compare(a.at, b.at) })
	var list []Interval
	for _, p := range all {
		if last := len(list) - 1; last >= 0 && list[last].To == p.at {
			list[last].To = p.end
		} else {
			list = append(list, Interval{p.at, p.end})
		}
	}
	return list
}
