package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
)

// ErrInvalidObject says that a text or a value is not a JSON object. Specification, General conventions.
var ErrInvalidObject = errors.New("models: not a JSON object")

// Object is a free-form JSON object kept as its text, so that numbers keep their digits and nothing is lost. The
// zero value is absent; null and {} are read as absent. Specification, File, Calendar event.
type Object struct{ text string }

// Extra holds the members of a record that have no field of their own. They are written back after the known
// members. Specification, Common shapes.
type Extra = Object

// ObjectOf gives the object that encoding/json makes of v, a map or a struct for example. A value that encodes to
// anything else is ErrInvalidObject. Specification, General conventions.
func ObjectOf(v any) (Object, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Object{}, err
	}
	return ParseObject(string(text))
}

// IsZero tells whether the object is absent. Specification, General conventions.
func (o Object) IsZero() bool { return o.text == "" }

// String gives the JSON text, or the empty text when the object is absent. Specification, General conventions.
func (o Object) String() string { return o.text }

// Get gives the text of the member with that name, and whether there is one.
// Specification, General conventions.
func (o Object) Get(name string) (json.RawMessage, bool) {
	for member, value := range o.All() {
		if member == name {
			return value, true
		}
	}
	return nil, false
}

// Len gives the number of members. Specification, General conventions.
func (o Object) Len() int {
	n := 0
	for range o.All() {
		n++
	}
	return n
}

// Decode fills v, a pointer, as encoding/json does. An absent object leaves v as it is.
// Specification, General conventions.
func (o Object) Decode(v any) error {
	if o.IsZero() {
		return nil
	}
	return json.Unmarshal([]byte(o.text), v)
}

// All gives the members in the order of the text, each as its name and the text of its value.
// Specification, General conventions.
func (o Object) All() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader([]byte(o.text)))
		if _, err := dec.Token(); err != nil {
			return
		}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return
			}
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil || !yield(name.(string), value) {
				return
			}
		}
	}
}

// ParseObject reads a JSON object; anything else is ErrInvalidObject. Specification, General conventions.
func ParseObject(text string) (Object, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil || members == nil {
		return Object{}, ErrInvalidObject
	}
	return Object{text: text}, nil
}
