package practice

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Page is one page of a list: the records in Items, the position in Offset,
// Limit and Size, and the Next link, all as the service sent them. Size counts
// all pages together.
type Page[T any] struct {
	models.Collection[T]
	// Response tells how the request of this page went.
	Response Response
}

// Reasons why a walk over pages ended before its end was reached for sure.
// They arrive as an *PagingError.
var (
	// ErrNoProgress: the service points to a page that is not further on.
	ErrNoProgress = errors.New("the next page is not further on")
	// ErrRepeatedPage: the service sent the records of the page before again.
	ErrRepeatedPage = errors.New("the page repeats the one before")
	// ErrEmptyPage: a page in the middle has no records, and nothing points to
	// the ones that should follow.
	ErrEmptyPage = errors.New("a page in the middle is empty")
	// ErrListChanged: the list became shorter during the walk, so that records may
	// have moved to a page that had been read already. Everything the walk met
	// has been yielded before; walk again to be sure.
	ErrListChanged = errors.New("the list became shorter during the walk: records may be missing")
)

// PagingError is a walk that could not be completed for sure. Err is one of
// ErrNoProgress, ErrRepeatedPage, ErrEmptyPage and ErrListChanged.
type PagingError struct {
	Operation string
	RequestID string // of the page that showed it
	Offset    int    // start position of that page
	Err       error
}

// Error says what happened, without any secret.
func (e *PagingError) Error() string {
	return fmt.Sprintf("practice: %s: offset %d: %v (request %s)", e.Operation, e.Offset, e.Err, e.RequestID)
}

// Unwrap gives the reason.
func (e *PagingError) Unwrap() error { return e.Err }

// Collect reads a walk to its end. Records that could not be read are left
// out and reported together in the error, beside all records that could; any
// other error ends the walk.
func Collect[T any](walk iter.Seq2[T, error]) ([]T, error) {
	var (
		all    []T
		faults []error
	)
	for item, err := range walk {
		if err == nil {
			all = append(all, item)
			continue
		}
		faults = append(faults, err)
	}
	return all, errors.Join(faults...)
}

// pageNames are the names of the two paging parameters of an operation.
type pageNames struct{ offset, limit string }

var upperNames = pageNames{offset: "Offset", limit: "Limit"}

// page takes the position of the page that List asks for; 0 leaves it to the
// service.
func (p *call) page(names pageNames, offset, limit int) {
	p.check(names.offset, badOffset(offset))
	p.check(names.limit, badLimit(limit))
	if offset > 0 {
		p.param(names.offset, strconv.Itoa(offset))
	}
	if limit > 0 {
		p.param(names.limit, strconv.Itoa(limit))
	}
}

// param takes a query parameter; an empty value leaves it out.
func (p *call) param(name, value string) {
	if value == "" {
		return
	}
	if p.query == nil {
		p.query = url.Values{}
	}
	p.query.Set(name, value)
}

// list sends the call and reads one page. Records that could not be read are
// reported in the error; the page with all others is returned beside it.
func list[T any](p *call) (*Page[T], error) {
	o, err := p.exchangePage()
	if err != nil {
		return nil, err
	}
	page := &Page[T]{Response: o.response()}
	faults, err := o.read(page)
	if err != nil {
		return nil, err
	}
	return page, errors.Join(p.recordErrors(faults, page.Offset.Or(0))...)
}

// ApplyVendorPrefix hands the prefix of WithVendorPrefix to the records.
func (p *Page[T]) ApplyVendorPrefix(prefix string) {
	for i := range p.Items {
		if prefixed, ok := any(&p.Items[i]).(vendorPrefixed); ok {
			prefixed.ApplyVendorPrefix(prefix)
		}
	}
}

// refuseForWalk refuses the options that make sense for a single request
// only.
func (p *call) refuseForWalk() {
	p.check("WithRequestID", reasonIf(p.settings.requestID != "", "is for single calls: each page is a request of its own"))
	p.check("WithResponse", reasonIf(p.settings.response != nil, "is for single calls: list pages to see their responses"))
}

func reasonIf(bad bool, reason string) string {
	if bad {
		return reason
	}
	return ""
}

// all is the walk over the pages of a plain list.
func all[T any](ctx context.Context, w walk[T], names pageNames, key func(*T) string) iter.Seq2[T, error] {
	w.names, w.key = names, key
	w.read = readPage[T]
	return w.run(ctx)
}

// readPage reads a page but for its records, which are decoded as they are
// consumed.
func readPage[T any](o outcome) (chunk[T], error) {
	if len(o.answer.Body) == 0 {
		return chunk[T]{records: &readRecords[T]{}}, nil
	}
	var page Page[T]
	elements, err := codec.DecodeAround(o.answer.Body, &page)
	if err != nil {
		return chunk[T]{}, o.unreadable(err)
	}
	return chunk[T]{records: &textRecords[T]{Elements: elements, from: o}, paging: page.Paging}, nil
}
