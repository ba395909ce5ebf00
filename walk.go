package practice

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// walk reads a list page by page and yields its records in order. It never
// requests a link of the service: it puts the position that the link names on
// a request of its own.
type walk[T any] struct {
	prepare func(context.Context) *call // a new call with the caller's own filters
	read    func(outcome) (chunk[T], error)
	key     func(*T) string // what tells a record from others; empty when nothing does
	names   pageNames
	offset  int  // where to begin
	limit   int  // page size to ask for; 0 asks for MaxPageSize
	silent  bool // the first request goes without paging parameters
}

// chunk is one page as a walk sees it.
type chunk[T any] struct {
	records records[T]
	paging  models.Paging
	call    *call
}

// position is where a page begins: an offset, and whatever else the service
// put into the link to it.
type position struct {
	offset int
	extra  string // encoded query of a next link, without offset, limit and own filters
	silent bool
}

// maxEmptyPages bounds a service that points on and on without any record.
const maxEmptyPages = 100

func (w walk[T]) run(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if w.limit == 0 {
			w.limit = MaxPageSize
		}
		first := w.prepare(ctx)
		first.refuseForWalk()
		first.check(w.names.offset, badOffset(w.offset))
		first.check(w.names.limit, badLimit(w.limit))
		if first.err != nil {
			yield(none, first.err)
			return
		}
		pages := newPageQueue(ctx, first.settings.prefetch, w.fetch)
		defer pages.stop()
		guard := walkGuard[T]{key: w.key}
		at := position{offset: w.offset, silent: w.silent}
		for {
			page, err := pages.take(at)
			if err == nil {
				err = guard.begin(at, page)
			}
			if err != nil {
				yield(none, err)
				return
			}
			next, more, err := w.after(at, page)
			if more {
				pages.prefetch(next, page.paging.Size.Or(0), page.records.Len())
			}
			if !w.yieldPage(page, at.offset, &guard, yield) {
				return
			}
			if err = guard.finish(at, page, more, err); err != nil {
				yield(none, err)
			}
			if err != nil || !more {
				return
			}
			at = next
		}
	}
}

// fetch requests the page at a position.
func (w walk[T]) fetch(ctx context.Context, at position) (*chunk[T], error) {
	p := w.prepare(ctx)
	if !at.silent {
		p.addMissing(at.extra)
		p.param(w.names.offset, strconv.Itoa(at.offset))
		p.param(w.names.limit, strconv.Itoa(w.limit))
	}
	o, err := p.exchangePage()
	if err != nil {
		return nil, err
	}
	page, err := w.read(o)
	if err != nil {
		return nil, err
	}
	page.call = p
	return &page, nil
}

// addMissing adds the parameters of a link that the call does not have.
func (p *call) addMissing(encoded string) {
	values, _ := url.ParseQuery(encoded) // it was encoded here
	for name, texts := range values {
		if !hasName(p.query, name) && len(texts) > 0 {
			p.param(name, texts[0])
		}
	}
}

// after finds the page that follows: where the next link points, else where
// the size says that there is more, else after a full bare array.
func (w walk[T]) after(at position, page *chunk[T]) (position, bool, error) {
	count := page.records.Len()
	if href := page.paging.Next.Href; href != "" {
		next, ok := w.positionOf(href, at, page)
		if !ok || next.offset < at.offset || next.offset == at.offset && next.extra == at.extra {
			return position{}, false, page.failure(at, ErrNoProgress)
		}
		return next, true, nil
	}
	size, sized := page.paging.Size.Get()
	switch {
	case sized && at.offset+count < size && count == 0:
		return position{}, false, page.failure(at, ErrEmptyPage)
	case sized && at.offset+count < size:
	case !sized && page.bare() && count == w.limit: // more than asked for is the whole list
	default:
		return position{}, false, nil
	}
	next := position{offset: at.offset + count, extra: at.extra}
	if next.offset > MaxOffset {
		return position{}, false, page.failure(at, ErrNoProgress)
	}
	return next, true, nil
}

// bare reports an answer that says nothing about its place in a list.
func (c *chunk[T]) bare() bool {
	_, offset := c.paging.Offset.Get()
	_, limit := c.paging.Limit.Get()
	return !offset && !limit
}

func (c *chunk[T]) failure(at position, err error) error {
	return &PagingError{Operation: c.call.op.name, RequestID: c.call.settings.requestID, Offset: at.offset, Err: err}
}

// positionOf takes the position out of a link. A link without an offset
// follows the records of this page.
func (w walk[T]) positionOf(href string, at position, page *chunk[T]) (position, bool) {
	link, err := url.Parse(href)
	if err != nil {
		return position{}, false
	}
	next := position{offset: at.offset + page.records.Len()}
	extra := url.Values{}
	for name, values := range link.Query() {
		switch {
		case strings.EqualFold(name, w.names.offset):
			offset, err := strconv.Atoi(values[0])
			if err != nil || badOffset(offset) != "" {
				return position{}, false
			}
			next.offset = offset
		case !strings.EqualFold(name, w.names.limit) && !hasName(page.call.query, name):
			extra[name] = values
		}
	}
	if len(extra) > 0 {
		next.extra = extra.Encode()
	}
	return next, true
}

// yieldPage hands out the records in their order, each id once, with the
// faulty ones as errors in their place. It reports false when the consumer
// has had enough, or was told of an error that ends the walk.
func (w walk[T]) yieldPage(page *chunk[T], offset int, guard *walkGuard[T], yield func(T, error) bool) bool {
	defer page.records.release()
	var item, none T
	for range page.records.Len() {
		read, faults, err := page.records.next(&item)
		if err != nil {
			yield(none, err)
			return false
		}
		if read && !guard.seen(&item) && !yield(item, nil) {
			return false
		}
		for _, fault := range faults {
			if !yield(none, page.call.recordError(fault, offset)) {
				return false
			}
		}
	}
	return true
}
