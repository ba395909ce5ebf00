package practice

import "slices"

// walkGuard notices pages that do not add up. Its memory is flat: it knows
// the records of the latest pages only.
type walkGuard[T any] struct {
	key     func(*T) string
	recent  [rememberedPages]map[string]struct{}
	pages   int
	keys    []string // of this page
	last    []string // of the page before
	keyless bool     // a record of this page has no key
	largest int      // size at its largest
	shrank  bool
	empty   int // empty pages in a row
}

const rememberedPages = 4

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
	g.pages++
	if known := &g.recent[g.pages%rememberedPages]; *known == nil {
		*known = make(map[string]struct{}, page.records.Len())
	} else {
		clear(*known)
	}
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
	for _, page := range g.recent {
		if _, ok := page[key]; ok {
			return true
		}
	}
	g.recent[g.pages%rememberedPages][key] = struct{}{}
	return false
}

// finish tells, at the end of a page, why the walk cannot go on, or what it
// may have missed when there is nothing more.
func (g *walkGuard[T]) finish(at position, page *chunk[T], more bool, err error) error {
	switch {
	case len(g.keys) > 0 && !g.keyless && slices.Equal(g.keys, g.last):
		return page.failure(at, ErrRepeatedPage)
	case err == nil && !more && g.shrank:
		return page.failure(at, ErrShifted)
	}
	return err
}
