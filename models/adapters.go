package models

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// This file holds the types through which the codec reads and writes fields of
// types without codec methods.

// dayOrInstant is a DateTime that is also read from a date alone, as midnight
// UTC.
type dayOrInstant DateTime

func (d *dayOrInstant) read(r *codec.Reader) error {
	text, present := r.Bytes()
	if !present {
		return r.Err()
	}
	if day, ok := parseDay(text); ok {
		d.at = stamp{date: day, zone: zoneDay}
		return nil
	}
	at, err := parseDateTime(text)
	if err != nil {
		return r.Reject("neither a day nor a date-time")
	}
	*d = dayOrInstant(at)
	return nil
}

func (d *dayOrInstant) write(b []byte, w *codec.Writer) []byte { return DateTime(*d).write(b, w) }

// IsZero reports whether it is absent.
func (d *dayOrInstant) IsZero() bool { return DateTime(*d).IsZero() }

// anyValue is any JSON value, stored as compact JSON text.
type anyValue json.RawMessage

func (v *anyValue) read(r *codec.Reader) error {
	*v = nil
	if !r.Null() {
		*v = slices.Clone(r.Raw())
	}
	return r.Err()
}

// write writes the text as encoding/json would. Invalid JSON is an error.
func (v *anyValue) write(b []byte, w *codec.Writer) []byte {
	return writeAny(json.RawMessage(*v), b, w)
}

// IsZero reports whether the value is absent.
func (v *anyValue) IsZero() bool { return len(*v) == 0 }

// textMap is an object with arbitrary members, whose values are strings.
type textMap map[string]string

func (m *textMap) read(r *codec.Reader) error {
	return readMap((*map[string]string)(m), r, func(text *string) error { return codec.Text(text, r) })
}

func (m *textMap) write(b []byte, w *codec.Writer) []byte {
	return writeMap(*m, b, w, func(text string, b []byte) []byte { return w.Text(b, text) })
}

// IsZero reports whether there is no object.
func (m *textMap) IsZero() bool { return *m == nil }

// freeMap is an object with arbitrary members and values.
type freeMap map[string]FreeValue

func (m *freeMap) read(r *codec.Reader) error {
	return readMap((*map[string]FreeValue)(m), r, func(v *FreeValue) error { return v.read(r) })
}

func (m *freeMap) write(b []byte, w *codec.Writer) []byte {
	return writeMap(*m, b, w, func(v FreeValue, b []byte) []byte { return v.write(b, w) })
}

// IsZero reports whether there is no object.
func (m *freeMap) IsZero() bool { return *m == nil }

// listMap is an object with arbitrary members, whose values are lists.
type listMap[T any] map[string][]T

func (m *listMap[T]) read(r *codec.Reader) error {
	return readMap((*map[string][]T)(m), r, func(l *[]T) error { return readValue(l, r) })
}

func (m *listMap[T]) write(b []byte, w *codec.Writer) []byte {
	return writeMap(*m, b, w, func(l []T, b []byte) []byte { return writeValue(&l, b, w) })
}

// IsZero reports whether there is no object.
func (m *listMap[T]) IsZero() bool { return *m == nil }

// readMap reads an object. null becomes a nil map.
func readMap[V any](m *map[string]V, r *codec.Reader, read func(*V) error) error {
	*m = nil
	members := r.Names()
	for members.Next() {
		if *m == nil {
			*m = make(map[string]V)
		}
		var v V
		name := members.Name()
		if err := read(&v); err != nil {
			return err
		}
		(*m)[name] = v
	}
	return members.End()
}

// writeMap writes the members sorted by name, so that equal maps have the same
// text.
func writeMap[V any](m map[string]V, b []byte, w *codec.Writer, write func(V, []byte) []byte) []byte {
	start := len(b)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		b = write(m[name], w.AnyName(b, name))
	}
	return codec.EndObject(b, start)
}
