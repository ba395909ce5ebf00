package paging

// extent is what the pages so far said of the length of the list.
type extent struct {
	start   int  // where the walk began
	total   int  // records of all pages so far, those that came again included
	sized   bool // a page has told the size
	first   int  // size as it was told first; 0 when unknown
	latest  int  // and last
	largest int  // and at its largest
	shrank  bool // a size was smaller than one before
	linked  bool // a page before this one linked to a next page
	reached int  // the furthest position that records filled
}

// grown returns how much longer the list became during the walk, as far as
// pages told.
func (e *extent) grown() int { return e.largest - e.first }

// enough reports whether so many different records can be all. Those that were
// added during the walk move others to later pages, where they come again in
// place of a new one.
func (e *extent) enough(met int) bool {
	return e.start+met >= max(e.first, e.reached-e.grown())
}

// begin takes up what a page says. A negative size says nothing.
func (e *extent) begin(size int, told bool) {
	if !told || size < 0 {
		return
	}
	if !e.sized {
		e.sized, e.first = true, size
	}
	e.shrank = e.shrank || size < e.largest
	e.latest, e.largest = size, max(e.largest, size)
}

// reach returns the position that the records up to the end of a page fill.
// Behind a cursor an offset is a guess, never too large, and the records count.
func (e *extent) reach(at Position, page *Page) int {
	if at.Query != "" {
		return e.start + e.total
	}
	return page.end(at)
}
