package models

import "github.com/practicesdk/practice-go/internal/codec"

// Paging holds the position of a page inside its collection. It is embedded in the collections. A collection
// without paging leaves all of it absent.
type Paging struct {
	// Offset is the position of the first item of the page, counted in items from 0. May be absent.
	Offset Opt[int] `json:"offset"`
	// Limit is the page size that was asked for, in items; the page may hold fewer. May be absent.
	Limit Opt[int] `json:"limit"`
	// Size is probably the number of items on all pages together; the specification leaves its meaning open.
	// May be absent.
	Size Opt[int] `json:"size"`
	// First links to the first page. The zero Link when absent.
	First Link `json:"first"`
	// Previous links to the page before this one. The zero Link on the first page, and often elsewhere.
	Previous Link `json:"previous"`
	// Next links to the page after this one. The zero Link on the last page.
	Next Link `json:"next"`
	// Last links to the last page. The zero Link when absent.
	Last Link `json:"last"`
}

// Collection is the answer of a list operation: one page of records and its position. A bare array is read
// into Items. One undecodable record costs that record only; it is reported apart from the collection.
type Collection[T any] struct {
	Hypermedia
	// ID identifies the collection; usually empty.
	ID string `json:"id"`
	// Items holds the records of this page in the order of the service. Empty when absent.
	Items []T `json:"value"`
	Paging
	// Extra holds members that have no field here.
	Extra Extra `json:"-"`
}

// collectionMembers is only read.
var collectionMembers = []string{
	"href", "relation", "method", "self", "id", "value", "offset", "limit", "size", "first", "previous", "next", "last", "rel",
}

func (x *Collection[T]) read(r *codec.Reader) error {
	*x = Collection[T]{}
	if r.Kind() == codec.KindList {
		return codec.Isolated(&x.Items, r, readElement[T])
	}
	var err error
	var rel string
	m := r.Members(collectionMembers)
	for err == nil && m.Next() {
		switch m.Index {
		case 5:
			err = codec.Isolated(&x.Items, r, readElement[T])
		case len(collectionMembers) - 1:
			err = codec.Text(&rel, r)
		default:
			err = readValue(x.member(m.Index), r)
		}
	}
	x.Relation = m.Alias(x.Relation, relationTwin, rel)
	x.Extra.text, err = m.End(err)
	return err
}

func readElement[T any](v *T, r *codec.Reader) error { return readValue(v, r) }

func (x *Collection[T]) write(w *codec.Writer) error {
	names := collectionMembers[:len(collectionMembers)-1]
	w.BeginObject()
	for i, name := range names {
		writeField(x.member(i), name, false, w)
	}
	w.Extra(x.Extra.text, names)
	w.EndObject()
	return w.Err()
}

func (x *Collection[T]) member(number int) any {
	return [...]any{
		&x.Href, &x.Relation, &x.Method, &x.Self, &x.ID, &x.Items, &x.Offset, &x.Limit, &x.Size,
		&x.First, &x.Previous, &x.Next, &x.Last,
	}[number]
}

// UnmarshalJSON reads the members; null and {} give the zero value. A bare array is read into Items.
func (x *Collection[T]) UnmarshalJSON(data []byte) error { return unmarshal(data, x) }

// MarshalJSON writes the members that are not zero, then those of Extra, with secrets redacted.
func (x Collection[T]) MarshalJSON() ([]byte, error) { return marshal(&x) }
