package paging

import (
	"net/url"
	"strconv"
	"strings"
)

// after returns the position of the following page and reports whether there is
// one. It takes the position of the next link, otherwise the next one according
// to the size, otherwise the next one of a list that reports neither. A reason
// ends the walk after the records of the page.
func (w *Walk) after(at Position, page *Page, known *Known) (next Position, more bool, reason error) {
	count := page.Records.Len()
	if offset, told := page.Offset.Get(); told && offset > at.Offset && count > 0 && at.Query == "" {
		return Position{}, false, ErrRecordsSkipped
	}
	switch {
	case w.Whole && page.Next.Href != "":
		return Position{}, false, ErrIncomplete
	case w.Whole:
		return Position{}, false, nil
	case page.Next.Href != "":
		return w.afterLink(at, page, known)
	}
	if more, reason = w.goesOn(at, page, known); !more {
		return Position{}, false, reason
	}
	next = Position{Offset: page.end(at), Query: at.Query, Cursor: at.Cursor}
	if next.Offset > w.Largest {
		return Position{}, false, ErrNoProgress
	}
	return next, true, nil
}

// end returns the position after the records of a page. It uses the page's own
// offset if that is before the requested one, except after a cursor, where
// offsets are meaningless.
func (p *Page) end(at Position) int {
	count := p.Records.Len()
	if told, known := p.Offset.Get(); known && told >= 0 && told < at.Offset && count > 0 && at.Query == "" {
		return told + count
	}
	return at.Offset + count
}

// goesOn reports whether the list continues after a page without a link, or why
// the walk fails. A page without a size ends the list only if no earlier page
// reported more, and if it is empty or longer than requested.
func (w *Walk) goesOn(at Position, page *Page, known *Known) (more bool, reason error) {
	count := page.Records.Len()
	reach := known.reach(at, page)
	switch {
	case known.Sized && reach < known.Latest && count == 0:
		return false, ErrEmptyPage
	case known.Sized && at.Cursor: // behind a cursor, no offset says where to ask next
		return false, nil
	case known.Sized && reach <= known.Latest:
		return reach < known.Latest, nil
	case known.Sized || !known.Linked && w.Plain:
		return w.full(page), nil // ignore a size that is too small
	case !known.Linked: // a service may send fewer records than requested
		return count > 0 && count <= w.Limit, nil
	case count == 0:
		return false, ErrEmptyPage // a link led to this page
	}
	return false, nil
}

// full reports whether a page has as many records as requested, or as its own
// limit. A page with more records than requested is the whole list.
func (w *Walk) full(page *Page) bool {
	count := page.Records.Len()
	return count == w.Limit || count > 0 && count < w.Limit && count == page.Limit.Or(0)
}

// afterLink returns the position of a link if it advances without skipping
// records, otherwise false and the reason, which is nil after the end of the
// list.
func (w *Walk) afterLink(at Position, page *Page, known *Known) (Position, bool, error) {
	end := page.end(at)
	next, ok := w.positionOf(page.Next.Href, end)
	switch {
	case ok && next.Offset > end && page.Records.Len() == 0 && known.Sized && at.Offset >= known.Latest:
		return Position{}, false, nil // a service may link to a page after the end
	case !ok || next.Offset < at.Offset || next.Offset == at.Offset && next.Query == at.Query:
		return Position{}, false, ErrNoProgress
	case next.Offset > end:
		return Position{}, false, ErrRecordsSkipped
	}
	return next, true, nil
}

// positionOf returns the position in a link, and false if the link is invalid.
// A link without an offset leads to the records at following.
func (w *Walk) positionOf(href string, following int) (Position, bool) {
	link, err := url.Parse(href)
	if err != nil {
		return Position{}, false
	}
	next := Position{Offset: following}
	others, numbered := url.Values{}, false
	for name, values := range LinkQuery(link.RawQuery) {
		switch {
		case strings.EqualFold(name, w.Names.Offset):
			numbered = true
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
		next.Query, next.Cursor = others.Encode(), !numbered
	}
	return next, true
}
