package paging

import (
	"net/url"
	"strconv"
	"strings"
)

// after finds the page that follows: where the next link points, else where the
// size says that there is more, else after a full page of a list that tells
// neither. A reason ends the walk after the records of the page.
func (w *Walk) after(at Position, page *Page, known *extent) (next Position, more bool, reason error) {
	count := page.Records.Len()
	if offset, told := page.Offset.Get(); told && offset > at.Offset && count > 0 && at.Query == "" {
		return Position{}, false, ErrRecordsSkipped
	}
	if page.Next.Href != "" {
		return w.afterLink(at, page, known)
	}
	if more, reason = w.goesOn(at, page, known); !more {
		return Position{}, false, reason
	}
	next = Position{Offset: page.end(at), Query: at.Query}
	if next.Offset > w.Largest {
		return Position{}, false, ErrNoProgress
	}
	return next, true, nil
}

// end returns where the records of a page end. One that begins before the place
// that was asked for says so; behind a cursor an offset says nothing.
func (p *Page) end(at Position) int {
	count := p.Records.Len()
	if told, known := p.Offset.Get(); known && told >= 0 && told < at.Offset && count > 0 && at.Query == "" {
		return told + count
	}
	return at.Offset + count
}

// goesOn reports whether the list goes on behind a page without a link. A page
// that says nothing is the end only when nothing before told of more.
func (w *Walk) goesOn(at Position, page *Page, known *extent) (more bool, reason error) {
	count := page.Records.Len()
	reach := known.reach(at, page)
	switch {
	case known.sized && reach < known.latest && count == 0:
		return false, ErrEmptyPage
	case known.sized && reach <= known.latest:
		return reach < known.latest, nil
	case known.sized || !known.linked:
		return w.full(page), nil // a size that is too small is none
	case count == 0:
		return false, ErrEmptyPage // a link led here
	}
	return false, nil
}

// full reports a page with as many records as were asked for, or as the page
// says that it could have. More than were asked for are the whole list.
func (w *Walk) full(page *Page) bool {
	count := page.Records.Len()
	return count == w.Limit || count > 0 && count < w.Limit && count == page.Limit.Or(0)
}

// afterLink goes where a link points, if that is further on and passes over
// nothing.
func (w *Walk) afterLink(at Position, page *Page, known *extent) (Position, bool, error) {
	end := page.end(at)
	next, ok := w.positionOf(page.Next.Href, end)
	switch {
	case ok && next.Offset > end && page.Records.Len() == 0 && known.sized && at.Offset >= known.latest:
		return Position{}, false, nil // a service that links on behind the end
	case !ok || next.Offset < at.Offset || next.Offset == at.Offset && next.Query == at.Query:
		return Position{}, false, ErrNoProgress
	case next.Offset > end:
		return Position{}, false, ErrRecordsSkipped
	}
	return next, true, nil
}

// positionOf takes the position out of a link. A link without an offset leads
// to the records that follow.
func (w *Walk) positionOf(href string, following int) (Position, bool) {
	link, err := url.Parse(href)
	if err != nil {
		return Position{}, false
	}
	next := Position{Offset: following}
	others := url.Values{}
	for name, values := range LinkQuery(link.RawQuery) {
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
