package models

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
)

// Wire holds functions for other packages of this module, which read and write
// records in one pass and reveal secrets in request bodies. Programs use
// encoding/json instead.
var Wire wire

type wire struct{}

// value is the value of a field that reads and writes itself. Usually it is
// omitted if it is zero.
type value interface {
	plain
	IsZero() bool
}

// plain is a value with generated code that reads and writes it. It must be
// zero before it is read.
type plain interface {
	read(r *codec.Reader) error
	write(b []byte, w *codec.Writer) []byte
}

// Record returns a pointer to the record that v is or points to. It returns
// false for any other value.
func (wire) Record(v any) (any, bool) {
	switch v.(type) {
	case nil:
		return nil, false
	case plain, tabled:
		return v, true
	}
	if _, ok := collectionOf(v); ok {
		return v, true
	}
	pointer := reflect.New(reflect.TypeOf(v))
	pointer.Elem().Set(reflect.ValueOf(v))
	record := pointer.Interface()
	switch record.(type) {
	case plain, tabled:
		return record, true
	}
	_, ok := collectionOf(record)
	return record, ok
}

// Read reads a record, or an element of a collection, into v.
func (wire) Read(v any, r *codec.Reader) error {
	switch v.(type) {
	case plain, tabled:
		reflect.ValueOf(v).Elem().SetZero()
		return readValue(v, r)
	}
	if parts, ok := collectionOf(v); ok {
		parts.clear()
	}
	return readValue(v, r)
}

// Write writes a record, or an element of a collection.
func (f wire) Write(v any, b []byte, w *codec.Writer) []byte {
	if record, ok := f.Record(v); ok {
		v = record
	}
	return writeValue(v, b, w)
}

// ID returns the id of a record, given by a pointer, or "" if the record has
// none or no generated code for reading it.
func (wire) ID(v any) string {
	if record, ok := v.(interface{ id() string }); ok {
		return record.id()
	}
	return ""
}

// IsCollection reports whether a record, given by a pointer, is a page of a list.
func (wire) IsCollection(v any) bool {
	_, ok := collectionOf(v)
	return ok
}

// IsBlank reports whether a record, given by a pointer, has no value in any
// field but Extra: the text that it was read from is probably no such record.
// The content of a folder may be empty.
func (wire) IsBlank(v any) bool {
	switch v := v.(type) {
	case *Object:
		return v.IsZero()
	case *FolderListing, *FolderListingPage:
		return false
	case plain, tabled:
	default:
		return false
	}
	record := reflect.ValueOf(v).Elem()
	if record.Kind() != reflect.Struct {
		return false
	}
	last := record.NumField() - 1
	for i := range last {
		if !record.Field(i).IsZero() {
			return false
		}
	}
	return last >= 0 && record.Field(last).Type() == reflect.TypeFor[Extra]()
}

// readValue reads into v, a pointer to a zero value. It lists the types of most
// fields, because that is faster than a call through an interface.
func readValue(v any, r *codec.Reader) error {
	switch v := v.(type) {
	case *string:
		return codec.Text(v, r)
	case *int:
		return codec.Int(v, r)
	case *int64:
		return codec.Int(v, r)
	case *bool:
		return codec.Bool(v, r)
	case *Link:
		return v.read(r)
	case *Decimal:
		return v.read(r)
	case *DateTime:
		return v.read(r)
	case *Opt[bool]:
		return readOpt(v, r, codec.Bool[bool])
	case *Opt[int]:
		return readOpt(v, r, codec.Int[int])
	case *[]string:
		return codec.List(v, r, codec.Text[string])
	case *[]Link:
		return codec.List(v, r, (*Link).read)
	default:
		return readOther(v, r)
	}
}

// readOther reads types that readValue does not list. Elements of collections
// may have any type: usually a record, sometimes a string, otherwise a type for
// encoding/json.
func readOther(v any, r *codec.Reader) error {
	switch v := v.(type) {
	case plain:
		return v.read(r)
	case tabled:
		return readTabled(v, r)
	case optional:
		return readOptional(v, r)
	case codec.Unmarshaler:
		return v.UnmarshalJSONFrom(r)
	}
	if parts, ok := collectionOf(v); ok {
		return readCollection(parts, r)
	}
	if list, ok := elementsOf(v); ok {
		return readElements(list, r)
	}
	text := r.Raw()
	if r.Err() == nil && json.Unmarshal(text, v) != nil {
		return r.Reject("not a valid value of the element type")
	}
	return r.Err()
}

// writeValue writes a value; it is the counterpart of readValue.
func writeValue(v any, b []byte, w *codec.Writer) []byte {
	switch v := v.(type) {
	case *string:
		return w.Text(b, *v)
	case *int:
		return strconv.AppendInt(b, int64(*v), 10)
	case *int64:
		return strconv.AppendInt(b, *v, 10)
	case *bool:
		return strconv.AppendBool(b, *v)
	case plain:
		return v.write(b, w)
	case tabled:
		return writeTabled(v, b, w)
	case optional:
		return writeOptional(v, b, w)
	}
	if parts, ok := collectionOf(v); ok {
		return writeCollection(parts, b, w)
	}
	if list, ok := elementsOf(v); ok {
		return writeElements(list, b, w)
	}
	return writeAny(v, b, w)
}

// writeAny writes a value as encoding/json does.
func writeAny(v any, b []byte, w *codec.Writer) []byte {
	text, err := json.Marshal(v)
	w.Check(err)
	return w.Raw(b, string(text))
}

// unmarshal implements UnmarshalJSON of records.
func unmarshal(data []byte, v any) error { return codec.Unmarshal(data, v, Wire) }

// marshal implements MarshalJSON of records; v is a pointer.
func marshal(v any) ([]byte, error) { return codec.Marshal(v, Wire) }

// readOpt reads null as null, and any other value with read.
func readOpt[T any](o *Opt[T], r *codec.Reader, read func(*T, *codec.Reader) error) error {
	*o = Opt[T]{state: optNull}
	if r.Null() {
		return r.Err()
	}
	o.state = optSome
	return read(&o.value, r)
}
