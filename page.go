package practice

import (
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/models"
)

// Page is one page of a list as the service sent it: the records in Items, and
// the place of the page in Offset, Limit, Size and Next. Size is the number of
// records of the whole list. A list without pages leaves Offset, Limit and Size
// absent.
type Page[T any] struct {
	// The fields are those of a models.Collection, which is not embedded: each
	// method of a generic type is compiled for every type of record, by every
	// package that names the client.

	models.Hypermedia
	// ID identifies the collection; usually empty.
	ID string `json:"id"`
	// Items holds the records of this page in the order of the service. Empty
	// when absent.
	Items []T `json:"value"`
	models.Paging
	// Extra holds members that have no field here.
	Extra models.Extra `json:"-"`
	// Response describes the request of this page.
	Response Response `json:"-"`
}

// LogValue returns the number of items and their offset, and nothing of the
// items, which may hold personal data.
func (p Page[T]) LogValue() slog.Value { return models.Wire.LogPage(len(p.Items), &p.Paging) }

// UnmarshalJSON reads the members as models.Collection does. Response stays as
// it is.
func (p *Page[T]) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, p, models.Wire) }

// MarshalJSON writes the members as models.Collection does, with secrets
// redacted.
func (p Page[T]) MarshalJSON() ([]byte, error) { return codec.Marshal(&p, models.Wire) }

// ListOptions choose the records that a list method returns. List methods
// return one page, from Offset on. All methods yield every record from Offset
// on, and request pages of Limit records.
type ListOptions struct {
	Offset int // position of the first record, 0 to 2147483647
	Limit  int // page size, 1 to 500; 0 leaves it to the service in List methods, and means 500 in All methods
}

// Reasons why an All method cannot be sure that it has yielded every record.
// They arrive in a [PagingError].
var (
	// ErrNoProgress: the service links to a page that is not further on.
	ErrNoProgress = paging.ErrNoProgress
	// ErrRepeatedPage: the service sent the records of previous pages again,
	// and none beside them.
	ErrRepeatedPage = paging.ErrRepeatedPage
	// ErrEmptyPage: a page has no records and no link to the next page,
	// although a page before told of more. Also the cause of a [DecodeError],
	// in List methods as well, when an answer has no list at all and does not
	// say that its size is 0.
	ErrEmptyPage = paging.ErrEmptyPage
	// ErrRecordsSkipped: a link, or the page that was requested, begins behind
	// records that no page had.
	ErrRecordsSkipped = paging.ErrRecordsSkipped
	// ErrIncomplete: the list ended, but fewer different records came than its
	// size says, or than its pages have places. All that came have been
	// yielded. Read the list again to be sure.
	ErrIncomplete = paging.ErrIncomplete
	// ErrListChanged: the list became shorter while it was read, so records may
	// have moved to a page that had been read already. All other records have
	// been yielded. Read the list again to be sure.
	ErrListChanged = paging.ErrListChanged
)

// PagingError reports that an All method ended although records may be missing.
type PagingError struct {
	Operation string // name of the method, such as "Events.All"
	RequestID string // request id of the page that showed it
	Offset    int    // position of the first record of that page
	Err       error  // one of the reasons above, such as ErrEmptyPage
}

// Error describes the failure, without any secret.
func (e *PagingError) Error() string {
	return fmt.Sprintf("practice: %s: offset %d: %v (request %s)", e.Operation, e.Offset, e.Err, e.RequestID)
}

// Unwrap returns Err.
func (e *PagingError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e PagingError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e PagingError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// WalkPosition is a position of an All method and its knowledge of the list,
// for [WithPosition]. A program stores the whole, for example as JSON; its
// fields have no meaning for programs. It holds no personal data. The zero
// value is the beginning.
type WalkPosition struct {
	Method string `json:"method"` // such as "Events.All"
	List   string `json:"list"`   // hash of server, account, user, ids and filters
	paging.Mark
}
