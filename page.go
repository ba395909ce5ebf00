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
// its position in Offset, Limit, Size and Next. Size is the number of records
// of the whole list. A list without pages has no Offset, Limit and Size.
type Page[T any] struct {
	// The fields are those of models.Collection, which is not embedded:
	// every package that names the client would compile each of its generic
	// methods for every type of record.

	models.Hypermedia
	// ID identifies the collection; usually empty.
	ID string `json:"id"`
	// Items holds the records of this page in the order of the service. It
	// is empty if absent.
	Items []T `json:"value"`
	models.Paging
	// Extra holds members that have no field here.
	Extra models.Extra `json:"-"`
	// Response describes the HTTP response with this page.
	Response Response `json:"-"`
}

// LogValue returns the number of items and the offset, limit and size of the
// page. It leaves out the items, which may contain personal data.
func (p Page[T]) LogValue() slog.Value { return models.Wire.LogPage(len(p.Items), &p.Paging) }

// UnmarshalJSON decodes the members like models.Collection. It keeps Response.
func (p *Page[T]) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, p, models.Wire) }

// MarshalJSON encodes the members like models.Collection, and redacts secrets.
func (p Page[T]) MarshalJSON() ([]byte, error) { return codec.Marshal(&p, models.Wire) }

// ListOptions choose the records that a list method returns. List methods
// return one page that begins at Offset. All methods yield every record from
// Offset on, and request pages of Limit records.
type ListOptions struct {
	Offset int // position of the first record, 0 to 2147483647
	Limit  int // page size, 1 to 500; 0: the service decides in List methods, 500 in All methods
}

// Reasons why an All method cannot be sure that it yielded every record. They
// are wrapped in a [PagingError].
var (
	// ErrNoProgress: the link to the next page does not point beyond the current
	// page.
	ErrNoProgress = paging.ErrNoProgress
	// ErrRepeatedPage: a page contains only records of previous pages.
	ErrRepeatedPage = paging.ErrRepeatedPage
	// ErrEmptyPage: a page has neither records nor a link to the next page,
	// although an earlier page announced more. It is also the cause of a
	// [DecodeError] if a response contains no list and its size is not 0.
	// List methods also return that error.
	ErrEmptyPage = paging.ErrEmptyPage
	// ErrRecordsSkipped: a link, or the requested page, begins after
	// records that no page contained.
	ErrRecordsSkipped = paging.ErrRecordsSkipped
	// ErrIncomplete: the list ended with fewer different records than its
	// size, or than the positions of its pages. All records received were
	// yielded. Read the list again to be sure.
	ErrIncomplete = paging.ErrIncomplete
	// ErrListChanged: the list became shorter while it was read, so records
	// may have moved to a page that had already been read. All other
	// records were yielded. Read the list again to be sure.
	ErrListChanged = paging.ErrListChanged
)

// PagingError reports that an All method ended although records may be missing.
type PagingError struct {
	Operation string // name of the method, such as "Events.All"
	RequestID string // request id of the page where it was detected
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

// WalkPosition is the position of an All method, with what the walk has learned
// about the list, for [WithPosition]. Store it as a whole, for example as JSON;
// do not rely on single fields. It contains no personal data. The zero value is
// the beginning.
type WalkPosition struct {
	Method string `json:"method"` // such as "Events.All"
	List   string `json:"list"`   // hash of server, account, user, ids and filters
	paging.Mark
}
