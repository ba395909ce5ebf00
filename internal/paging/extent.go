package paging

// extent collects the length of the list as the pages report it.
type extent struct {
	start   int  // offset of the first page
	total   int  // records of all pages so far, including repeated ones
	sized   bool // a page has reported the size
	first   int  // first reported size; 0 when unknown
	latest  int  // latest reported size
	largest int  // largest reported size
	shrank  bool // a size was smaller than an earlier one
	linked  bool // a page before this one linked to a next page
	reached int  // the furthest position that records filled
}

// grown returns how much longer the list became during the walk, as far as
// pages told.
func (e *extent) grown() int { return e.largest - e.first }

// enough reports whether n different records can be the whole list. Records
// that were added during the walk move others to later pages, where these are
// repeated in place of new ones.
func (e *extent) enough(met int) bool {
	return e.start+met >= max(e.first, e.reached-e.grown())
}

// begin records the size and link of a page. It ignores a negative size.
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

// reach returns the position after the last record of a page. After a cursor
// the offset is a lower bound, so the records are counted.
func (e *extent) reach(at Position, page *Page) int {
	if at.Query != "" {
		return e.start + e.total
	}
	return page.end(at)
}
