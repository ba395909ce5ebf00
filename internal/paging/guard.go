package paging

import (
	"bytes"
	"hash/maphash"
)

// guard detects inconsistent pages. It keeps 16 bytes per page and remembers
// only recent records.
type guard struct {
	key    func(any) string
	passed func(Mark)                        // see Walk.Passed; nil: not called
	sizes  func() (largest int, shrank bool) // what the responses so far said of the size
	limit  int                               // number of records requested per page
	behind int                               // number of records on the first pages that are before the mark of an earlier walk
	seed   maphash.Seed
	recent map[uint64]struct{} // marks of the latest records
	older  map[uint64]struct{} // marks of as many records before recent
	pages  map[uint64]struct{} // marks of all pages

	Known
	last  Mark // last mark that was passed
	short bool // the previous page has fewer records than requested
	idle  int  // number of consecutive pages without a new record
	pageSum
}

// pageSum holds the marks and counts of the current page.
type pageSum struct {
	before Mark     // mark at the end of the previous page; zero if there is none
	length int      // number of its records and faults
	known  bool     // an earlier page had the same text
	marks  []uint64 // marks of its records
	again  int      // number of its records and faults that were on an earlier page
}

const (
	// rememberedRecords is the minimum number of records before the current
	// page that the guard remembers. It remembers at most twice as many plus
	// one page.
	rememberedRecords = 1 << 12
	// maxIdlePages is the number of consecutive pages without a new record after
	// which a walk fails, because a service may link to next pages endlessly.
	maxIdlePages = 100
)

func newGuard(w *Walk, sizes func() (int, bool)) *guard {
	return &guard{
		key: w.Key, passed: w.Passed, sizes: sizes, limit: w.Limit, seed: maphash.MakeSeed(), Known: Known{Start: w.Offset},
		recent: map[uint64]struct{}{}, pages: map[uint64]struct{}{},
	}
}

// start returns the position of the first page. It takes over the state of an
// earlier walk.
func (g *guard) start(w *Walk) Position {
	if w.From == nil {
		return Position{Offset: w.Offset, Plain: w.Plain}
	}
	at := w.From.Position
	at.Plain = w.Plain && at.Offset == w.Offset && at.Query == ""
	g.Known, g.behind = w.From.Known, w.From.Done
	return at
}

// begin starts the next page. It returns an error for a page whose own offset is
// before the requested position.
func (g *guard) begin(at Position, page *Page) error {
	g.arrive(g.sizes())
	g.size(page.Size.Get())
	g.Reached = max(g.Reached, g.reach(at, page))
	if page.Records.Len() > 0 && page.end(at) <= at.Offset {
		return ErrRepeatedPage
	}
	g.short = g.length < g.limit
	g.pageSum = pageSum{before: g.last, length: page.Records.Len(), marks: g.marks[:0]}
	if len(page.Text) > 0 {
		g.known = g.met(maphash.Bytes(g.seed, page.Text))
	}
	g.pass(at, g.behind) // record the size even if the walk ends before its first record
	return nil
}

// pass reports the position of the walk and its state. The state includes the
// sizes of prefetched pages, which may be dropped if the walk ends here.
func (g *guard) pass(at Position, done int) {
	if g.passed != nil {
		g.arrive(g.sizes())
		g.last = Mark{at, done, g.Known}
		g.passed(g.last)
	}
}

// yieldPage yields the records of a page, and faults at their positions. It
// skips records of earlier pages; duplicates within one page are separate
// records. It returns false if the consumer stopped or the walk ended with an
// error.
func (g *guard) yieldPage(at Position, page *Page, record any, yield func(error) bool) bool {
	defer page.Records.Release()
	for i := range page.Records.Len() {
		read, faults, err := page.Records.Next(record)
		if err != nil {
			yield(err)
			return false
		}
		again := g.repeated(read, record, page.Records.Text()) || g.known
		if g.behind > 0 {
			g.behind--
			continue // already counted
		}
		if again {
			g.again++
			g.Repeats++
			g.pass(at, i+1)
			continue
		}
		g.Met++
		g.pass(at, i+1)
		if read && !yield(nil) {
			return false
		}
		for _, fault := range faults {
			if !yield(fault) {
				return false
			}
		}
	}
	return true
}

// repeated reports whether an earlier page contained the record. Records with
// the same key and different texts are different records: dates of a series, or
// a record before and after a change. The mark of a fault is its text, unless
// that identifies nothing.
func (g *guard) repeated(read bool, record any, text []byte) bool {
	key := ""
	switch {
	case !read && bytes.Contains(text, []byte(`"id"`)):
		key = "fault"
	case read && g.key != nil:
		key = g.key(record)
	}
	if key == "" {
		return false
	}
	mark := maphash.String(g.seed, key) ^ maphash.Bytes(g.seed, text)
	g.marks = append(g.marks, mark)
	if _, known := g.recent[mark]; known {
		return true
	}
	_, known := g.older[mark]
	return known
}

// met remembers the mark of a page, and reports whether it was known.
func (g *guard) met(mark uint64) bool {
	_, known := g.pages[mark]
	g.pages[mark] = struct{}{}
	return known
}

// finish reports, at the end of a page, whether the walk continues. The error
// is the reason why it cannot continue, or why records may be missing at the
// end of the list.
//
// A list of cursors without a size may have grown by a page, and its link says
// that it goes on.
func (g *guard) finish(at Position, page *Page, more bool, reason error) (continues bool, err error) {
	repeated, whole := g.pageRepeated(), g.ended(page)
	g.Total += g.length
	g.Linked = g.Linked || page.Next.Href != ""
	if g.idle++; g.length > 0 && !repeated {
		g.idle = 0
	}
	switch {
	case more && g.idle > maxIdlePages:
		return false, ErrNoProgress
	case repeated && more && at.Cursor && !g.Sized:
		return true, nil
	case repeated && whole:
		if g.passed != nil {
			g.passed(g.before)
		}
		return false, nil
	case repeated:
		return false, ErrRepeatedPage
	case reason != nil || more:
		return reason == nil, reason
	case g.Shrank || g.behind > 0: // the list ends before the mark of an earlier walk
		return false, ErrListChanged
	case !g.enough():
		return false, ErrIncomplete
	}
	return false, nil
}

// ended reports whether a repeated page means that the list has ended, because
// no page has reported a size or a link: it or the page before is shorter than
// requested, or both are bare arrays, and the list is not paged and happens to
// have the length of a page.
func (g *guard) ended(page *Page) bool {
	whole := page.Bare && g.Start == 0 && g.Total == g.length
	return !g.Sized && !g.Linked && (whole || g.short || g.length < g.limit)
}

// pageRepeated remembers the marks of the page, and reports whether the page
// has no new record. That is valid if the list has grown by as many records,
// because records that are added during the walk move others to later pages.
func (g *guard) pageRepeated() bool {
	if len(g.recent) >= rememberedRecords {
		g.recent, g.older = g.older, g.recent
		clear(g.recent)
	}
	if g.recent == nil {
		g.recent = map[uint64]struct{}{}
	}
	whole := maphash.Comparable(g.seed, len(g.marks))
	for _, mark := range g.marks {
		g.recent[mark] = struct{}{}
		whole = maphash.Comparable(g.seed, [2]uint64{whole, mark})
	}
	if g.length == 0 {
		return false
	}
	known := len(g.marks) == g.length && g.met(whole)
	if unnoticed := g.length - g.again; known { // the page is known although its records are no longer remembered
		g.Repeats += unnoticed
		g.Met -= unnoticed
	}
	return (known || g.again == g.length) && g.Repeats > g.grown()
}
