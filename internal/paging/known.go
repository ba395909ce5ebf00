package paging

// Known holds what a walk has learnt about its list. It is plain data, part of
// the guard and of each [Mark], so a walk that continues from a mark has the
// state of the interrupted one. Only the recent records are not included, so a
// record that moved to a later page may be repeated.
type Known struct {
	Start   int  `json:"start,omitzero"`   // offset of the first page
	Total   int  `json:"total,omitzero"`   // number of records on the pages before the current one, including repeated ones
	Sized   bool `json:"sized,omitzero"`   // a page has reported a size
	First   int  `json:"first,omitzero"`   // first reported size; 0 when unknown
	Latest  int  `json:"latest,omitzero"`  // latest reported size
	Largest int  `json:"largest,omitzero"` // largest reported size
	Arrived int  `json:"arrived,omitzero"` // largest size in any response so far, also for a page ahead
	Shrank  bool `json:"shrank,omitzero"`  // a size was smaller than one before
	Linked  bool `json:"linked,omitzero"`  // a page before the current one linked to a next page
	Reached int  `json:"reached,omitzero"` // furthest position reached by records
	Met     int  `json:"met,omitzero"`     // number of records and faults, without repeated ones
	Repeats int  `json:"repeats,omitzero"` // number of repeated records
}

// Possible reports whether the values are consistent.
func (k *Known) Possible() bool {
	return min(k.Start, k.Total, k.First, k.Latest, k.Largest, k.Arrived, k.Reached, k.Met, k.Repeats) >= 0
}

// grown returns the number of records by which the list grew during the walk,
// as reported by its pages.
func (k *Known) grown() int { return k.Largest - k.First }

// enough reports whether the records met can be the whole list. Records that
// are added during the walk move others to later pages, where they are repeated
// in place of new ones.
func (k *Known) enough() bool {
	return k.Start+k.Met >= max(k.First, k.Reached-k.grown())
}

// size records the size that a page reports. It ignores a negative size.
func (k *Known) size(size int, told bool) {
	if !told || size < 0 {
		return
	}
	if !k.Sized {
		k.Sized, k.First = true, size
	}
	k.Latest, k.Largest = size, max(k.Largest, size)
}

// arrive records what responses said of the size, also those for pages ahead.
func (k *Known) arrive(largest int, shrank bool) {
	k.Arrived, k.Shrank = max(k.Arrived, largest), k.Shrank || shrank
}

// reach returns the position after the last record of the current page. With a
// cursor the offset is only a lower bound, so it counts records. Without a size,
// nobody knows how many of them came again because the list has grown.
func (k *Known) reach(at Position, page *Page) int {
	if at.Cursor && !k.Sized {
		return 0
	}
	if at.Query != "" {
		return k.Start + k.Total + page.Records.Len()
	}
	return page.end(at)
}
