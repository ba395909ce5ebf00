package models

import (
	"bytes"
	"encoding/json"
	"log/slog"
)

// optState is the state of an Opt. The zero value means omitted, so that a new
// struct sends nothing.
type optState uint8

const (
	optOmitted optState = iota
	optNull
	optSome
)

// Opt is a member that is omitted, null or a value. The zero value is omitted.
// Request bodies that change a record consist of such members: an omitted one
// is not sent, null is sent as null. The comments of fields name those that may
// be null; the client refuses null for the others.
type Opt[T any] struct {
	value T
	state optState
}

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: optSome} }

// Null returns an Opt that is null.
func Null[T any]() Opt[T] { return Opt[T]{state: optNull} }

// Get returns the value, and whether there is one. Otherwise it returns the
// zero value of T.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == optSome }

// Or returns the value, or fallback if the member is omitted or null.
func (o Opt[T]) Or(fallback T) T {
	if o.state == optSome {
		return o.value
	}
	return fallback
}

// IsNull reports whether the member is null.
func (o Opt[T]) IsNull() bool { return o.state == optNull }

// IsZero reports whether the member is omitted; encoding/json calls it for
// omitzero.
func (o Opt[T]) IsZero() bool { return o.state == optOmitted }

// LogValue returns the value for a log, or nil if it is omitted or null.
func (o Opt[T]) LogValue() slog.Value {
	if o.state != optSome {
		return slog.AnyValue(nil)
	}
	return slog.AnyValue(o.value)
}

// MarshalJSON writes the value, or null if there is none. Use omitzero to omit
// an omitted member.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != optSome {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads null as null and any other JSON as a value.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		*o = Null[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}
