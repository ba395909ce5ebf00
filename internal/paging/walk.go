// Package paging reads a list page by page: it yields the records in order,
// requests pages ahead, and ends with an error rather than in silence. It is
// independent of HTTP and of record types: Fetch of a [Walk] returns the pages.
//
// The page determines the next position. A link to the next page comes first:
// an offset in it becomes the position, and any other parameter, such as a
// cursor, goes with it. Without a link the latest reported size of the list
// decides. A list that reports neither continues while its pages are as long as
// requested.
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
	ErrNoProgress     = errors.New("the next page is not further on")
	ErrRepeatedPage   = errors.New("the page repeats one before")
	ErrEmptyPage      = errors.New("a page before the end is empty")
	ErrRecordsSkipped = errors.New("the service passes over records")
	ErrListChanged    = errors.New("the list became shorter during the walk: records may be missing")
	ErrIncomplete     = errors.New("fewer different records came than the list has")
)

// Walk describes a walk over the pages of a list. It does not depend on the
// type of the records, so it is compiled once for all of them. It never
// requests a link of the service: it extracts the position from the link, and
// Fetch sends a request of its own for it.
type Walk struct {
	// Fetch requests the page at a position. It is called by several goroutines
	// if Prefetch is not 0.
	Fetch func(context.Context, Position) (*Page, error)
	// Failure returns the error for a reason and the offset of its page. If
	// nil, the reason itself is returned.
	Failure func(requestID string, offset int, reason error) error
	// Key returns the key of a record, passed as a pointer, or "" if it has
	// none. It is nil for records without keys.
	Key func(record any) string
	// Owns reports whether the caller of the walk set a query parameter of that
	// name: such a parameter of a link is not part of the position. It is nil
	// if the caller set none.
	Owns func(name string) bool

	Names    Names
	Offset   int  // offset of the first page
	Limit    int  // page size to request, at least 1
	Largest  int  // largest offset that the service accepts
	Prefetch int  // pages requested ahead of the one being consumed
	Plain    bool // the first page is requested without a position: the list declares no paging parameters

	From   *Mark      // mark of an earlier walk to continue from, instead of Offset; nil for none
	Passed func(Mark) // called at each page, and with each record and fault before it is yielded; may be nil
}

// Mark is a place in a walk from which another walk can continue, with all that
// the walk knew there. It holds no text of a record.
type Mark struct {
	Position
	Done int `json:"done"` // records of the page at the position that lie before the mark
	Known
}

// Names holds the names of the two paging parameters of a list. Links may write
// them in either case.
type Names struct{ Offset, Limit string }

// Position is the start of a page.
type Position struct {
	Offset int `json:"offset"`
	// Query holds the other parameters of the link to the page, without offset,
	// limit and those of the caller, encoded: a cursor, for example. It is
	// empty for most lists.
	Query string `json:"query,omitzero"`
	// Plain requests the page without any paging parameter. It follows from the
	// list and is not stored.
	Plain bool `json:"-"`
}

// Page is one page of a list.
type Page struct {
	Records Records
	models.Paging
	Bare      bool   // the page is an array without an object around it
	RequestID string // identifies the request in errors
}

// Run yields the records in order, and errors in the places where they occur.
// It decodes each record into record and yields nil. Run returns when the list
// or ctx has ended, after an error that ends the walk, or when yield returns
// false; no request is in progress then.
func (w *Walk) Run(ctx context.Context, record any, yield func(error) bool) {
	queue := newQueue(ctx, w.Prefetch, w.Fetch)
	defer queue.stop()
	seen := newGuard(w, queue.arrived)
	at := seen.start(w)
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
		more, err = seen.finish(page, more, reason)
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
