// Package spans shares out what is missing of a content among workers that
// fetch it at the same time.
package spans

import (
	"cmp"
	"slices"
	"sync"
)

// Span is a range of bytes.
type Span struct {
	From int64 `json:"from"` // first byte
	To   int64 `json:"to"`   // behind the last byte
}

// Size is the number of bytes.
func (s Span) Size() int64 { return s.To - s.From }

// Total is the number of bytes of all spans.
func Total(all []Span) int64 {
	n := int64(0)
	for _, s := range all {
		n += s.Size()
	}
	return n
}

// Part is a span that one worker fetches. The span shrinks when another worker
// takes the end of it.
type Part struct {
	at      int64 // everything before is written
	claimed int64 // everything before is being written
	end     int64
}

// Queue knows what is missing. A worker that has nothing left takes half of
// the largest part that another one still has to fetch, so that one slow
// connection holds up nobody.
type Queue struct {
	least int64

	mu      sync.Mutex
	waiting []*Part
	active  []*Part
}

// NewQueue shares out spans that do not overlap. A part is not divided into
// pieces of less than least bytes.
func NewQueue(missing []Span, least int64) *Queue {
	q := &Queue{least: max(least, 1)}
	for _, m := range missing {
		q.waiting = append(q.waiting, &Part{at: m.From, claimed: m.From, end: m.To})
	}
	return q
}

// Take gives a worker its next part, nil when nothing is left to share.
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

// Rest is what a worker still has to fetch of its part.
func (q *Queue) Rest(p *Part) Span {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Span{p.at, p.end}
}

// Claim says where the next n bytes of a part go, and how many of them the
// worker has to write: others may have taken the end.
func (q *Queue) Claim(p *Part, n int) (at int64, own int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	own = int(min(int64(n), p.end-p.claimed))
	p.claimed += int64(own)
	return p.at, own
}

// Wrote notes that what was claimed is there, and reports whether the part is
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

// Missing lists what is not written yet, in order. Spans that touch are one.
func (q *Queue) Missing() []Span {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := slices.Concat(q.waiting, q.active)
	slices.SortFunc(all, func(a, b *Part) int { return cmp.Compare(a.at, b.at) })
	var list []Span
	for _, p := range all {
		if last := len(list) - 1; last >= 0 && list[last].To == p.at {
			list[last].To = p.end
		} else {
			list = append(list, Span{p.at, p.end})
		}
	}
	return list
}
