package models

import (
	"encoding/json"
	"errors"
	"iter"

	"github.com/practicesdk/practice-go/internal/codec"
)

// ErrInvalidObject reports a text or a value that is not a JSON object, or that
// has a member twice.
var ErrInvalidObject = errors.New("models: the text is not a JSON object")

// Object is a free-form JSON object, stored as compact text, so that numbers
// keep their digits. The zero value is absent; null and {} are read as absent.
type Object struct{ text string }

// Extra holds the members of a record that have no field. They are written
// after the known members.
type Extra = Object

// ParseObject parses a JSON object; anything else is ErrInvalidObject. Unlike
// in a record, {} is an object without members and not an absent one.
func ParseObject(text string) (Object, error) {
	compact, err := codec.Compact(text)
	if err != nil {
		return Object{}, errors.Join(ErrInvalidObject, err)
	}
	return Object{text: compact}, nil
}

// ObjectOf returns v, such as a map or a struct, as an object. A value that
// encoding/json does not encode as an object is ErrInvalidObject.
func ObjectOf(v any) (Object, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Object{}, err
	}
	return ParseObject(string(text))
}

// IsZero reports whether the object is absent.
func (o Object) IsZero() bool { return o.text == "" }

// String returns the JSON text, or "" if the object is absent.
func (o Object) String() string { return o.text }

// All yields the names and the JSON texts of the members, in the order of the
// text.
func (o Object) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for name, value := range codec.Each(o.text) {
			if !yield(name, json.RawMessage(value)) {
				return
			}
		}
	}
}

// Get returns the JSON text of the member with the given name, and whether
// there is one.
func (o Object) Get(name string) (json.RawMessage, bool) {
	for member, value := range codec.Each(o.text) {
		if member == name {
			return json.RawMessage(value), true
		}
	}
	return nil, false
}

// Map returns the members by name, or nil if there are none.
func (o Object) Map() map[string]FreeValue {
	var members map[string]FreeValue
	if err := o.Decode(&members); err != nil {
		panic(err) // never happens: the text is a valid object
	}
	return members
}

// Len returns the number of members.
func (o Object) Len() int {
	n := 0
	for range codec.Each(o.text) {
		n++
	}
	return n
}

// Decode decodes the object into the pointer v with encoding/json. An absent
// object does not change v.
func (o Object) Decode(v any) error {
	if o.IsZero() {
		return nil
	}
	return json.Unmarshal([]byte(o.text), v)
}

// read reads an object; null and {} are absent.
func (o *Object) read(r *codec.Reader) error {
	o.text = r.Object()
	return r.Err()
}

// write writes the text as read, or null if it is absent.
func (o Object) write(b []byte, w *codec.Writer) []byte {
	if o.IsZero() {
		return append(b, "null"...)
	}
	return w.Raw(b, o.text)
}

// UnmarshalJSON reads an object; null and {} are absent.
func (o *Object) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, o, Wire) }

// MarshalJSON writes the text as read, or null if it is absent.
func (o Object) MarshalJSON() ([]byte, error) { return codec.Marshal(&o, Wire) }
