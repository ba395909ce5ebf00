package models

import (
	"log/slog"
	"reflect"

	"github.com/practicesdk/practice-go/internal/codec"
)

// Paging holds the position of a page in its list. It is embedded in
// collections. In a collection without paging its fields are absent.
type Paging struct {
	// Offset is the index of the first item of the page in the list, from 0.
	// May be absent.
	Offset Opt[int] `json:"offset"`
	// Limit is the requested page size in items; the page may contain fewer.
	// May be absent.
	Limit Opt[int] `json:"limit"`
	// Size is probably the number of items in the whole list; the specification
	// does not define it. May be absent.
	Size Opt[int] `json:"size"`
	// First links to the first page. The zero Link when absent.
	First Link `json:"first"`
	// Previous links to the previous page. The zero Link on the first page, and
	// often on others.
	Previous Link `json:"previous"`
	// Next links to the next page. The zero Link on the last page.
	Next Link `json:"next"`
	// Last links to the last page. The zero Link when absent.
	Last Link `json:"last"`
}

// Collection is the response of a list operation: one page of records and its
// position. A bare array is read into Items. A record that cannot be decoded
// does not affect the others; it is reported apart from the collection. Any
// struct that begins with the same fields is read and written in the same way.
type Collection[T any] struct {
	Hypermedia
	// ID identifies the collection. Usually empty.
	ID string `json:"id"`
	// Items holds the records of this page in the order of the service. Empty
	// when absent.
	Items []T `json:"value"`
	Paging
	// Extra holds members without a field.
	Extra Extra `json:"-"`
}

// LogValue returns the number of items on the page and its position. It omits
// the items, which may hold personal data.
func (x Collection[T]) LogValue() slog.Value {
	return Wire.LogPage(len(x.Items), &x.Paging)
}

// LogPage returns the log value of a page with the given number of items.
func (wire) LogPage(items int, p *Paging) slog.Value {
	return slog.GroupValue(slog.Int("items", items), slog.Any("offset", p.Offset), slog.Any("limit", p.Limit), slog.Any("size", p.Size))
}

// collectionMembers must not be modified.
var collectionMembers = []string{
	"href", "relation", "method", "self", "id", "value", "offset", "limit", "size", "first", "previous", "next", "last", "rel",
}

// collectionParts holds pointers to the fields of a Collection of any type.
type collectionParts struct {
	*Hypermedia
	id    *string
	items any // pointer to the list
	*Paging
	extra *Extra
}

// collectionOf returns the parts of a struct that begins with the fields of a
// Collection, and false for others. It is a function, because a generic method
// would be compiled for every type of record in every package that uses the
// client.
func collectionOf(v any) (parts collectionParts, ok bool) {
	pointer := reflect.ValueOf(v)
	if pointer.Kind() != reflect.Pointer || pointer.Type().Elem().Kind() != reflect.Struct || pointer.Elem().NumField() < 5 {
		return parts, false
	}
	field := func(i int) any {
		if f := pointer.Elem().Field(i).Addr(); f.CanInterface() {
			return f.Interface()
		}
		return nil
	}
	if parts.Hypermedia, ok = field(0).(*Hypermedia); !ok {
		return parts, false
	}
	parts.id, _ = field(1).(*string)
	parts.items = field(2)
	parts.Paging, _ = field(3).(*Paging)
	parts.extra, _ = field(4).(*Extra)
	return parts, parts.id != nil && parts.Paging != nil && parts.extra != nil
}

// clear sets the fields of the collection to zero, but not those of a struct
// that embeds it.
func (x collectionParts) clear() {
	*x.Hypermedia, *x.id, *x.Paging, *x.extra = Hypermedia{}, "", Paging{}, Extra{}
	if items, ok := elementsOf(x.items); ok {
		items.SetZero()
	}
}

// readCollection reads into a zero collection.
func readCollection(x collectionParts, r *codec.Reader) error {
	items, _ := elementsOf(x.items)
	if r.Kind() == codec.KindList {
		return codec.IsolatedInto(&reflectedList{items}, r, readValue)
	}
	var err error
	var rel string
	m := r.Members(collectionMembers)
	for err == nil && m.Next() {
		switch m.Index {
		case 5:
			err = codec.IsolatedInto(&reflectedList{items}, r, readValue)
		case len(collectionMembers) - 1:
			err = codec.Text(&rel, r)
		default:
			err = readValue(x.member(m.Index), r)
		}
	}
	x.Relation = m.Alias(x.Relation, relationTwin, rel)
	x.extra.text, err = m.End(err)
	return err
}

func writeCollection(x collectionParts, b []byte, w *codec.Writer) []byte {
	names := collectionMembers[:len(collectionMembers)-1]
	start := len(b)
	for i, name := range names {
		b = writeField(x.member(i), name, false, b, w)
	}
	return codec.EndObject(w.Extra(b, x.extra.text, names), start)
}

func (x collectionParts) member(number int) any {
	return [...]any{
		&x.Href, &x.Relation, &x.Method, &x.Self, x.id, x.items, &x.Offset, &x.Limit, &x.Size,
		&x.First, &x.Previous, &x.Next, &x.Last,
	}[number]
}

// reflectedList implements the list of [codec.IsolatedInto] for elements of any
// type.
type reflectedList struct{ list reflect.Value }

// Begin sets the list to an empty one.
func (l *reflectedList) Begin() { l.list.Set(reflect.MakeSlice(l.list.Type(), 0, 0)) }

// Full reports whether the list has no spare capacity.
func (l *reflectedList) Full() bool { return l.list.Len() == l.list.Cap() }

// Grow allocates capacity for n more elements.
func (l *reflectedList) Grow(n int) { l.list.Grow(n) }

// Add appends a zero element and returns a pointer to it.
func (l *reflectedList) Add() any {
	n := l.list.Len()
	l.list.SetLen(n + 1)
	return l.list.Index(n).Addr().Interface()
}

// Drop removes the last element.
func (l *reflectedList) Drop() {
	last := l.list.Len() - 1
	l.list.Index(last).SetZero()
	l.list.SetLen(last)
}

// UnmarshalJSON reads the members; null and {} set the zero value. A bare
// array is read into Items.
func (x *Collection[T]) UnmarshalJSON(data []byte) error { return unmarshal(data, x) }

// MarshalJSON writes the non-zero members, then those of Extra, with secrets
// redacted.
func (x Collection[T]) MarshalJSON() ([]byte, error) { return marshal(&x) }
