package models

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"

	"github.com/practicesdk/practice-go/internal/codec"
)

const redacted = "[redacted]"

// Secret holds a text that must not be disclosed by accident: a key, a token or
// a pre-signed URL. Every way of formatting, logging or encoding it shows
// [redacted], also as a field of another value; only Reveal returns the text,
// and only request bodies contain it. The zero value is absent.
type Secret struct {
	// A pointer, because fmt prints unexported fields of other structs without
	// calling their methods.
	text *string
}

// NewSecret returns a Secret with the text. For the empty text it returns the
// absent Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the text, or "" if the secret is absent.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether the secret is absent.
func (s Secret) IsZero() bool { return s.text == nil }

// Equal reports whether both hold the same text, in constant time. The operator
// == compares identities and not texts.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// String returns [redacted].
func (s Secret) String() string { return redacted }

// GoString returns [redacted].
func (s Secret) GoString() string { return redacted }

// Format writes [redacted] for every verb.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// LogValue returns [redacted].
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns [redacted]; the error is always nil.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON returns the text [redacted]; the error is always nil.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// write writes the text into a request body, and [redacted] anywhere else.
func (s Secret) write(b []byte, w *codec.Writer) []byte {
	if w.Reveals() {
		w.Revealed(s.Reveal())
		return w.Text(b, s.Reveal())
	}
	return w.Text(b, redacted)
}

// read reads a string; null and {} are absent. It refuses [redacted], because
// the secret is lost and the mask must not be used in its place.
func (s *Secret) read(r *codec.Reader) error {
	*s = Secret{}
	text, present := r.Bytes()
	if string(text) == redacted {
		return r.Reject("the mask of a secret: store the result of Reveal")
	}
	if present {
		*s = NewSecret(string(text))
	}
	return r.Err()
}

// UnmarshalJSON reads a string; null and {} are absent. It refuses [redacted],
// because JSON does not preserve secrets.
func (s *Secret) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, s, Wire) }
