package paging

// Known holds all that a walk has learnt about its list. It is plain data, part
// of the guard and of each [Mark]: a walk that continues from a mark knows as
// much as the interrupted one. Only the memory of recent records stays behind,
// so a record that moved to a later page may be repeated.
type Known struct {
	Start   int  `json:"start,omitzero"`   // offset of the first page
	Total   int  `json:"total,omitzero"`   // records of the pages before the current one, including repeated ones
	Sized   bool `json:"sized,omitzero"`   // a page has reported the size
	First   int  `json:"first,omitzero"`   // first reported size; 0 when unknown
	Latest  int  `json:"latest,omitzero"`  // latest reported size
	Largest int  `json:"largest,omitzero"` // largest reported size
	Arrived int  `json:"arrived,omitzero"` // largest size in the order of arrival, which is not that of the pages
	Shrank  bool `json:"shrank,omitzero"`  // a size was smaller than an earlier one, in either order
	Linked  bool `json:"linked,omitzero"`  // a page before the current one linked to a next page
	Reached int  `json:"reached,omitzero"` // the furthest position that records filled
	Met     int  `json:"met,omitzero"`     // records and faults, without repeated ones
	Repeats int  `json:"repeats,omitzero"` // repeated records
}

// Possible reports whether a walk can have learnt this.
func (k *Known) Possible() bool {
	return min(k.Start, k.Total, k.First, k.Latest, k.Largest, k.Arrived, k.Reached, k.Met, k.Repeats) >= 0
}

// grown returns by how many records the list grew during the walk, as far as
// its pages reported it.
func (k *Known) grown() int { return k.Largest - k.First }

// enough reports whether the records met can be the whole list. Records that
// were added during the walk move others to later pages, where these are
// repeated in place of new ones.
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
	k.Shrank = k.Shrank || size < k.Largest
	k.Latest, k.Largest = size, max(k.Largest, size)
}

// arrive records the sizes that answers report, in the order of their arrival.
// It reveals a deletion even if pages that were requested ahead hide it in the
// order of the pages.
func (k *Known) arrive(sizes []int) {
	for _, size := range sizes {
		k.Shrank = k.Shrank || size < k.Arrived
		k.Arrived = max(k.Arrived, size)
	}
}

// reach returns the position after the last record of the current page. After
// a cursor the offset is a lower bound, so the records are counted.
func (k *Known) reach(at Position, page *Page) int {
	if at.Query != "" {
		return k.Start + k.Total + page.Records.Len()
	}
	return page.end(at)
}
