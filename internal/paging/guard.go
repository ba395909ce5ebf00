package paging

import "hash/maphash"

// guard detects inconsistent pages. It keeps eight bytes per page and remembers
// only recent records.
type guard struct {
	key    func(any) string
	passed func(Mark) // may be nil
	behind int        // records of the first pages that lie before the mark of an earlier walk
	seed   maphash.Seed
	recent map[uint64]struct{} // marks of the latest records
	older  map[uint64]struct{} // marks of the records before recent, as many
	pages  map[uint64]struct{} // marks of all pages

	extent
	met     int // records and faults, without repeated ones
	repeats int // repeated records
	empty   int // consecutive empty pages
	pageSum
}

// pageSum holds the marks and counts of the current page.
type pageSum struct {
	marks   []uint64 // of its records
	again   int      // number of them that an earlier page had
	keyless bool     // a record has no key, so the page has no mark
}

const (
	// rememberedRecords is the minimum number of records before the current
	// page that the guard remembers. It remembers at most twice as many and one
	// page.
	rememberedRecords = 1 << 12
	// maxEmptyPages bounds a service that points on and on without any record.
	maxEmptyPages = 100
)

func newGuard(w *Walk) *guard {
	return &guard{
		key: w.Key, passed: w.Passed, seed: maphash.MakeSeed(), extent: extent{start: w.Offset},
		recent: map[uint64]struct{}{}, pages: map[uint64]struct{}{},
	}
}

// start returns where the first page begins. The size that an earlier walk knew
// still counts.
func (g *guard) start(w *Walk) Position {
	if w.From == nil {
		return Position{Offset: w.Offset, Plain: w.Plain}
	}
	at := w.From.Position
	at.Plain = w.Plain && at.Offset == w.Offset && at.Query == ""
	g.extent.start, g.behind = at.Offset, w.From.Done
	g.extent.begin(w.From.Size, w.From.Size > 0)
	return at
}

// begin starts the next page. It refuses one empty page too many, and a page
// that lies before the requested position by its own offset.
func (g *guard) begin(at Position, page *Page) error {
	g.extent.begin(page.Size.Get())
	g.total += page.Records.Len()
	g.reached = max(g.reached, g.reach(at, page))
	g.empty++
	if page.Records.Len() > 0 {
		g.empty = 0
	}
	if g.empty > maxEmptyPages {
		return ErrNoProgress
	}
	if page.Records.Len() > 0 && page.end(at) <= at.Offset {
		return ErrRepeatedPage
	}
	g.pageSum = pageSum{marks: g.marks[:0]}
	return nil
}

// yieldPage yields the records of a page and the faults in their places. It
// skips records of earlier pages; repeats within one page are separate records.
// It returns false if the consumer stopped, or received an error that ends the
// walk.
func (g *guard) yieldPage(at Position, page *Page, record any, yield func(error) bool) bool {
	defer page.Records.Release()
	for i := range page.Records.Len() {
		read, faults, err := page.Records.Next(record)
		if err != nil {
			yield(err)
			return false
		}
		again := read && g.repeated(record, page.Records.Text())
		if g.behind > 0 {
			g.behind--
			g.met++
			continue
		}
		if g.passed != nil {
			g.passed(Mark{at, i + 1, g.largest})
		}
		if again {
			g.again++
		} else {
			g.met++
			if read && !yield(nil) {
				return false
			}
		}
		for _, fault := range faults {
			if !yield(fault) {
				return false
			}
		}
	}
	return true
}

// repeated reports whether an earlier page had the record. Records with one key
// and different texts are different records: the dates of a series, or one
// record before and after a change.
func (g *guard) repeated(record any, text []byte) bool {
	key := ""
	if g.key != nil {
		key = g.key(record)
	}
	if key == "" {
		g.keyless = true
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

// finish returns, at the end of a page, why the walk cannot continue, or why
// records may be missing at the end of the list.
func (g *guard) finish(more bool, reason error) error {
	g.repeats += g.again
	switch {
	case g.pageRepeated():
		return ErrRepeatedPage
	case reason != nil || more:
		return reason
	case g.shrank || g.behind > 0: // it ends before the mark of an earlier walk
		return ErrListChanged
	case !g.enough(g.met):
		return ErrIncomplete
	}
	return nil
}

// pageRepeated keeps the marks of the page, and reports a page without a new
// record. Records that were added to the list during the walk move others to
// later pages, at most as many as the list has grown by, so such a page is
// valid.
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
	if len(g.marks) == 0 || g.keyless {
		return false
	}
	_, known := g.pages[whole]
	g.pages[whole] = struct{}{}
	if unnoticed := len(g.marks) - g.again; known { // the records of the page before are forgotten, the page is not
		g.repeats += unnoticed
		g.met -= unnoticed
	}
	return (known || g.again == len(g.marks)) && g.repeats > g.grown()
}
