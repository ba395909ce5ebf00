package practice

import "slices"

// walkGuard notices pages that do not add up. Its memory is flat: it knows
// the records of the latest pages only.
type walkGuard[T any] struct {
	key       func(*T) string
	operation string
	recent    [rememberedPages]map[string]struct{}
	pages     int
	last      []string // keys of the page before
	largest   int      // size at its largest
	shrank    bool
	empty     int // empty pages in a row
}

const rememberedPages = 4

// inspect refuses a page that repeats the one before, or too many empty ones.
func (g *walkGuard[T]) inspect(at position, page *chunk[T]) error {
	if size, ok := page.paging.Size.Get(); ok {
		g.shrank = g.shrank || size < g.largest
		g.largest = max(g.largest, size)
	}
	g.empty++
	if page.count() > 0 {
		g.empty = 0
	}
	if g.empty > maxEmptyPages {
		return page.failure(at, ErrNoProgress)
	}
	keys := make([]string, len(page.items))
	for i := range page.items {
		keys[i] = g.key(&page.items[i])
	}
	known := len(keys) > 0 && !slices.Contains(keys, "")
	if known && slices.Equal(keys, g.last) {
		return page.failure(at, ErrRepeatedPage)
	}
	g.last = keys
	g.pages++
	g.recent[g.pages%rememberedPages] = make(map[string]struct{}, len(keys))
	return nil
}

// seen reports a record that one of the latest pages had already.
func (g *walkGuard[T]) seen(item *T) bool {
	key := g.key(item)
	if key == "" {
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

// finish reports, at the end, what may have been missed on the way.
func (g *walkGuard[T]) finish(at position, page *chunk[T]) error {
	if g.shrank {
		return page.failure(at, ErrShifted)
	}
	return nil
}
