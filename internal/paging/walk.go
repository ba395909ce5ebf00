// Package paging reads a list page by page: it yields the records in order,
// prefetches pages, and ends with an error if records may be missing. It does
// not depend on HTTP or record types: Fetch of a [Walk] returns the pages.
//
// Each page determines the next position. If it has a link to the next page,
// the offset in the link is the position, together with any other parameter,
// such as a cursor. Without a link, the latest reported size of the list
// determines whether there is a next page. A list that reports neither
// continues until a page is empty, repeated or longer than requested.
//
// A page without link and size does not end the list if an earlier page
// reported more. At the end the number of records is compared with the size.
package paging

import (
	"context"
	"errors"

	"github.com/practicesdk/practice-go/models"
)

// Reasons why a walk ended early or may have missed records.
var (
	ErrNoProgress     = errors.New("the next page does not advance")
	ErrRepeatedPage   = errors.New("the page repeats an earlier one")
	ErrEmptyPage      = errors.New("a page before the end is empty")
	ErrRecordsSkipped = errors.New("the service skipped records")
	ErrListChanged    = errors.New("the list became shorter during the walk: records may be missing")
	ErrIncomplete     = errors.New("the list returned fewer records than its size")
)

// Walk describes a walk over the pages of a list. It does not depend on the
// type of the records, so it is compiled only once. It does not request links
// of the service: it extracts the position from the link, and Fetch sends its
// own request.
type Walk struct {
	// Fetch requests the page at a position. Several goroutines call it if
	// Prefetch is not 0.
	Fetch func(context.Context, Position) (*Page, error)
	// Failure returns the error for a reason at the offset of a page. If it is
	// nil, the reason itself is returned.
	Failure func(requestID string, offset int, reason error) error
	// Key returns the key of a record, passed as a pointer, or "" if it has
	// none. Nil for records without keys.
	Key func(record any) string
	// Owns reports whether the caller has set the query parameter. Such a
	// parameter in a link is not part of the position. Nil if the caller has
	// set none.
	Owns func(name string) bool

	Names    Names
	Offset   int  // offset of the first page
	Limit    int  // page size to request, at least 1
	Largest  int  // largest offset that the service accepts
	Prefetch int  // number of pages requested ahead of the consumer
	Plain    bool // request the first page without paging parameters, because the list declares none
	Whole    bool // request one page only, which is the whole list

	From   *Mark      // mark of an earlier walk to continue from, instead of Offset; nil for none
	Passed func(Mark) // called for each page, and for each record and fault before it is yielded; nil: not called
}

// Mark is a position in a walk from which another walk can continue, with the
// state of the walk. It contains no text of records.
type Mark struct {
	Position
	Done int `json:"done"` // number of records of the page that are before the mark
	Known
}

// Names holds the names of the two paging parameters of a list. Links may write
// them in upper or lower case.
type Names struct{ Offset, Limit string }

// Position is the start of a page.
type Position struct {
	Offset int `json:"offset"`
	// Query holds the other parameters of the link to the page, encoded,
	// without offset, limit and those of the caller: a cursor, for example.
	// Empty for most lists.
	Query string `json:"query,omitzero"`
	// Cursor means that the link with Query has no offset.
	Cursor bool `json:"cursor,omitzero"`
	// Plain requests the page without paging parameters. It is derived from the
	// list and not stored.
	Plain bool `json:"-"`
}

// Page is one page of a list.
type Page struct {
	Records Records
	models.Paging
	Text      []byte // text of the records, which identifies the page; nil if it is unknown
	Bare      bool   // the page is a bare array
	RequestID string // identifies the request in errors
}

// Run yields the records in order, and errors at the positions where they
// occur. For a record, it decodes into record and yields nil. Run returns when
// the list or ctx ends, after an error that ends the walk, or when yield
// returns false. No request is in progress then.
func (w *Walk) Run(ctx context.Context, record any, yield func(error) bool) {
	queue := newQueue(ctx, w.Prefetch, w.Fetch)
	defer queue.stop()
	seen := newGuard(w, queue.arrived)
	at := seen.start(w)
	queue.largest = seen.Arrived // of an earlier walk
	for {
		page, err := queue.take(at)
		if err == nil {
			err = w.failure(page, at, seen.begin(at, page))
		}
		if err != nil {
			yield(err)
			return
		}
		next, more, reason := w.after(at, page, &seen.Known)
		if more {
			queue.prefetch(next, seen.Latest, page.Records.Len())
		}
		if !seen.yieldPage(at, page, record, yield) {
			return
		}
		more, err = seen.finish(at, page, more, reason)
		if err != nil {
			yield(w.failure(page, at, err))
		}
		if !more {
			return
		}
		at = next
	}
}

// failure returns the error for a reason, or nil for none.
func (w *Walk) failure(page *Page, at Position, reason error) error {
	if reason == nil || w.Failure == nil {
		return reason
	}
	return w.Failure(page.RequestID, at.Offset, reason)
}
