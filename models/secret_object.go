package models

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/practicesdk/practice-go/internal/codec"
)

// SecretObject holds a free-form JSON object that must not be disclosed by
// accident, such as the data of a card. Every way of formatting, logging or
// encoding it shows [redacted], also as a field of another value; only Reveal
// returns the object, and only request bodies contain it. The zero value is
// absent.
type SecretObject struct{ text Secret }

// NewSecretObject returns a SecretObject with the object. For the absent Object
// it returns the absent SecretObject.
func NewSecretObject(o Object) SecretObject { return SecretObject{NewSecret(o.text)} }

// Reveal returns the object, or the absent Object if the secret is absent.
func (s SecretObject) Reveal() Object { return Object{s.text.Reveal()} }

// IsZero reports whether the object is absent.
func (s SecretObject) IsZero() bool { return s.text.IsZero() }

// String returns [redacted].
func (s SecretObject) String() string { return redacted }

// GoString returns [redacted].
func (s SecretObject) GoString() string { return redacted }

// Format writes [redacted] for every verb.
func (s SecretObject) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// LogValue returns [redacted].
func (s SecretObject) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns [redacted]; the error is always nil.
func (s SecretObject) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON returns the text [redacted]; the error is always nil.
func (s SecretObject) MarshalJSON() ([]byte, error) { return s.text.MarshalJSON() }

// write writes the object into a request body, and [redacted] anywhere else.
func (s SecretObject) write(b []byte, w *codec.Writer) []byte {
	if w.Reveals() {
		for _, value := range s.Reveal().All() {
			text, ok := textOf(value)
			if !ok {
				text = string(value)
			}
			w.Revealed(text)
		}
		return s.Reveal().write(b, w)
	}
	return w.Text(b, redacted)
}

// read reads an object; null and {} are absent.
func (s *SecretObject) read(r *codec.Reader) error {
	var o Object
	err := o.read(r)
	*s = NewSecretObject(o)
	return err
}

// UnmarshalJSON reads an object; null and {} are absent.
func (s *SecretObject) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, s, Wire) }
