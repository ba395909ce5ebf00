package practice

import "slices"

// walkGuard notices pages that do not add up. Its memory is flat: it knows
// the records of the latest pages only.
type walkGuard[T any] struct {
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

// rememberedPages is how many pages before this one are known at the least;
// there are up to twice as many.
const rememberedPages = 2

// begin takes up the next page, and refuses one empty page too many.
func (g *walkGuard[T]) begin(at position, page *chunk[T]) error {
	if size, ok := page.paging.Size.Get(); ok {
		g.shrank = g.shrank || size < g.largest
		g.largest = max(g.largest, size)
	}
	g.empty++
	if page.records.Len() > 0 {
		g.empty = 0
	}
	if g.empty > maxEmptyPages {
		return page.failure(at, ErrNoProgress)
	}
	g.keys, g.last, g.keyless = g.last[:0], g.keys, false
	if g.pages%rememberedPages == 0 {
		g.recent, g.older = g.older, g.recent
		clear(g.recent)
	}
	if g.recent == nil {
		g.recent = make(map[string]struct{}, rememberedPages*page.records.Len())
	}
	g.pages++
	return nil
}

// seen reports a record that one of the latest pages had already.
func (g *walkGuard[T]) seen(item *T) bool {
	key := g.key(item)
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

// finish tells, at the end of a page, why the walk cannot go on, or what it
// may have missed when there is nothing more.
func (g *walkGuard[T]) finish(at position, page *chunk[T], more bool, err error) error {
	switch {
	case len(g.keys) > 0 && !g.keyless && slices.Equal(g.keys, g.last):
		return page.failure(at, ErrRepeatedPage)
	case err == nil && !more && g.shrank:
		return page.failure(at, ErrListChanged)
	}
	return err
}
