// Package paging reads a list page by page: it yields the records in order,
// requests pages ahead, and ends with an error rather than in silence. It knows
// no HTTP and no record: Fetch of a [Walk] brings the pages.
//
// The page decides where the walk goes on. A link to the next page comes first:
// an offset in it becomes the position, and any other parameter, such as a
// cursor, goes with it. Without a link the size of the list decides, as the
// latest page that told it has it. A list that tells neither goes on while its
// pages have as many records as were asked for.
//
// A page that says nothing is not the end when a page before told of more. At
// the end the records that were met are compared with the size.
package paging

import (
	"context"
	"errors"

	"github.com/practicesdk/practice-go/models"
)

// Reasons why a walk ended before its end was reached for sure.
var (
	ErrNoProgress     = errors.New("the next page is not further on")
	ErrRepeatedPage   = errors.New("the page repeats one before")
	ErrEmptyPage      = errors.New("a page before the end is empty")
	ErrRecordsSkipped = errors.New("the service passes over records")
	ErrListChanged    = errors.New("the list became shorter during the walk: records may be missing")
	ErrIncomplete     = errors.New("fewer different records came than the list has")
)

// Walk describes a walk over the pages of a list. It knows nothing of the type
// of the records, so that it is compiled once for all of them. It never
// requests a link of the service: it takes the position out of the link, and
// Fetch puts it on a request of its own.
type Walk struct {
	// Fetch requests the page at a position. It is called from several
	// goroutines at a time when Prefetch is not 0.
	Fetch func(context.Context, Position) (*Page, error)
	// Failure is the error for a reason that a page at an offset gave. Nil
	// leaves the reason as it is.
	Failure func(requestID string, offset int, reason error) error
	// Key tells a record, given by a pointer, from others; empty when nothing
	// does. Nil for records that nothing tells apart.
	Key func(record any) string
	// Owns reports whether the caller of the walk gave a query parameter of
	// that name: such a parameter of a link is left out of the position. Nil
	// when the caller gave none.
	Owns func(name string) bool

	Names    Names
	Offset   int  // where the walk begins
	Limit    int  // page size that Fetch asks for, at least 1
	Largest  int  // offset that the service takes at most
	Prefetch int  // pages requested ahead of the one being consumed
	Plain    bool // the first page is requested without a position: the list declares no paging parameters

	From   *Mark      // where an earlier walk stood, in place of Offset; nil for the beginning
	Passed func(Mark) // told of each record and fault before it is yielded; may be nil
}

// Mark is a place in a walk from which another one can go on.
type Mark struct {
	Position
	Done int // records of the page at the position that lie before the mark
	Size int // the largest size of the list that was told; 0 when none was
}

// Names are the names of the two paging parameters of a list. In links they may
// be written in either case.
type Names struct{ Offset, Limit string }

// Position is where a page begins.
type Position struct {
	Offset int
	// Query is what a link to the page has beside offset, limit and the
	// parameters of the caller, encoded: a cursor, for example. Empty for most
	// lists.
	Query string
	// Plain asks for the page without any paging parameter.
	Plain bool
}

// Page is one page as a walk sees it.
type Page struct {
	Records Records
	models.Paging
	RequestID string // names the request in errors
}

// Run yields the records in their order, and whatever is wrong as errors in the
// place where it shows. Each record is read into what record points to, and nil
// is yielded. Run returns when the list or ctx has ended, after an error that
// ends the walk, or when yield returns false. No request is on its way then.
func (w *Walk) Run(ctx context.Context, record any, yield func(error) bool) {
	queue := newQueue(ctx, w.Prefetch, w.Fetch)
	defer queue.stop()
	seen := newGuard(w)
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
		next, more, reason := w.after(at, page, &seen.extent)
		seen.linked = seen.linked || page.Next.Href != ""
		if more {
			queue.prefetch(next, seen.latest, page.Records.Len())
		}
		if !seen.yieldPage(at, page, record, yield) {
			return
		}
		if reason = seen.finish(more, reason); reason != nil {
			yield(w.failure(page, at, reason))
		}
		if reason != nil || !more {
			return
		}
		at = next
	}
}

// failure returns the error for a reason; none for none.
func (w *Walk) failure(page *Page, at Position, reason error) error {
	if reason == nil || w.Failure == nil {
		return reason
	}
	return w.Failure(page.RequestID, at.Offset, reason)
}
