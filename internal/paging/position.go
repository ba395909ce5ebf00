package paging

import (
	"net/url"
	"strconv"
	"strings"
)

// after finds the page that follows: where the next link points, else where the size says that there is more, else
// after a full bare array. A reason ends the walk after the records of the page.
func (w *Walk[T]) after(at Position, page *Page[T]) (next Position, more bool, reason error) {
	if page.Next.Href != "" {
		return w.afterLink(page.Next.Href, at, page.Records.Len())
	}
	count := page.Records.Len()
	size, sized := page.Size.Get()
	switch {
	case sized && at.Offset+count < size && count == 0:
		return Position{}, false, ErrEmptyPage
	case sized && at.Offset+count < size:
	case !sized && page.bare() && count == w.Limit: // more than asked for is the whole list
	default:
		return Position{}, false, nil
	}
	next = Position{Offset: at.Offset + count, Query: at.Query}
	if next.Offset > w.Largest {
		return Position{}, false, ErrNoProgress
	}
	return next, true, nil
}

// bare reports a page that says nothing about its place in the list.
func (p *Page[T]) bare() bool {
	_, offset := p.Offset.Get()
	_, limit := p.Limit.Get()
	return !offset && !limit
}

// afterLink goes where a link points, if that is further on.
func (w *Walk[T]) afterLink(href string, at Position, count int) (Position, bool, error) {
	next, ok := w.positionOf(href, at.Offset+count)
	if !ok || next.Offset < at.Offset || next.Offset == at.Offset && next.Query == at.Query {
		return Position{}, false, ErrNoProgress
	}
	return next, true, nil
}

// positionOf takes the position out of a link. A link without an offset leads to the records that follow.
func (w *Walk[T]) positionOf(href string, following int) (Position, bool) {
	link, err := url.Parse(href)
	if err != nil {
		return Position{}, false
	}
	next := Position{Offset: following}
	others := url.Values{}
	for name, values := range link.Query() {
		switch {
		case strings.EqualFold(name, w.Names.Offset):
			next.Offset, err = strconv.Atoi(values[0])
			if err != nil || next.Offset < 0 || next.Offset > w.Largest {
				return Position{}, false
			}
		case strings.EqualFold(name, w.Names.Limit), w.Owns != nil && w.Owns(name):
		default:
			others[name] = values
		}
	}
	if len(others) > 0 {
		next.Query = others.Encode()
	}
	return next, true
}
