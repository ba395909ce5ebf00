package paging

import "slices"

// guard notices pages that do not add up. Its memory is flat: it knows the records of the latest pages only.
type guard[T any] struct {
	key     func(*T) string
	recent  map[string]struct{} // keys of this page and those since older ended
	older   map[string]struct{} // keys of as many pages before
	pages   int
	keys    []string // of this page
	last    []string // of the page before
	keyless bool     // a record of this page has no key
	largest int      // size at its largest
	shrank  bool
	empty   int // empty pages in a row
}

const (
	// rememberedPages is how many pages before this one are known at the least; there are up to twice as many.
	rememberedPages = 2
	// maxEmptyPages bounds a service that points on and on without any record.
	maxEmptyPages = 100
)

// begin takes up the next page, and refuses one empty page too many.
func (g *guard[T]) begin(page *Page[T]) error {
	if size, ok := page.Size.Get(); ok {
		g.shrank = g.shrank || size < g.largest
		g.largest = max(g.largest, size)
	}
	g.empty++
	if page.Records.Len() > 0 {
		g.empty = 0
	}
	if g.empty > maxEmptyPages {
		return ErrNoProgress
	}
	g.keys, g.last, g.keyless = g.last[:0], g.keys, false
	if g.pages%rememberedPages == 0 {
		g.recent, g.older = g.older, g.recent
		clear(g.recent)
	}
	if g.recent == nil {
		g.recent = make(map[string]struct{}, rememberedPages*page.Records.Len())
	}
	g.pages++
	return nil
}

// yieldPage yields the records of a page, each key once, and the faults in their places. It reports false when the
// consumer has had enough, or was told of an error that ends the walk.
func (g *guard[T]) yieldPage(page *Page[T], yield func(T, error) bool) bool {
	defer page.Records.Release()
	var item, none T
	for range page.Records.Len() {
		read, faults, err := page.Records.Next(&item)
		if err != nil {
			yield(none, err)
			return false
		}
		if read && !g.repeated(&item) && !yield(item, nil) {
			return false
		}
		for _, fault := range faults {
			if !yield(none, fault) {
				return false
			}
		}
	}
	return true
}

// repeated reports a record that one of the latest pages had already.
func (g *guard[T]) repeated(item *T) bool {
	key := ""
	if g.key != nil {
		key = g.key(item)
	}
	g.keys = append(g.keys, key)
	if key == "" {
		g.keyless = true
		return false
	}
	if _, known := g.recent[key]; known {
		return true
	}
	if _, known := g.older[key]; known {
		return true
	}
	g.recent[key] = struct{}{}
	return false
}

// finish tells, at the end of a page, why the walk cannot go on, or what it may have missed when there is nothing
// more.
func (g *guard[T]) finish(more bool, reason error) error {
	switch {
	case len(g.keys) > 0 && !g.keyless && slices.Equal(g.keys, g.last):
		return ErrRepeatedPage
	case reason == nil && !more && g.shrank:
		return ErrListChanged
	}
	return reason
}
