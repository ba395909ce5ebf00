package models

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"

	"github.com/practicesdk/practice-go/internal/codec"
)

const redacted = "[redacted]"

// Secret holds a text that must not be seen by accident: a key, a token or a
// pre-signed address. Every way of formatting, logging or encoding it shows
// [redacted], also when it stands in a field of another value; only Reveal
// returns the text, and only the bodies of requests carry it. The zero value is
// absent.
type Secret struct {
	// A pointer, because fmt prints the unexported fields of other structs
	// without asking their methods.
	text *string
}

// NewSecret hides text. The empty text returns the absent Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the text, empty when the secret is absent.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether the secret is absent.
func (s Secret) IsZero() bool { return s.text == nil }

// Equal reports whether both hold the same text, in a time that does not depend
// on it. The operator == compares identities, not texts.
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

// write writes the text into the body of a request, and [redacted] everywhere
// else.
func (s Secret) write(b []byte, w *codec.Writer) []byte {
	if w.Reveals() {
		w.Revealed(s.Reveal())
		return w.Text(b, s.Reveal())
	}
	return w.Text(b, redacted)
}

// read reads a text; null and {} are absent. It refuses [redacted]: a secret
// that was written so is lost, and nobody should use the mask in its place.
func (s *Secret) read(r *codec.Reader) error {
	*s = Secret{}
	text, present := r.Bytes()
	if string(text) == redacted {
		return r.Reject("is the mask of a secret: keep the text of Reveal")
	}
	if present {
		*s = NewSecret(string(text))
	}
	return r.Err()
}

// UnmarshalJSON reads a text; null and {} are absent. [redacted] is refused:
// JSON does not keep a secret.
func (s *Secret) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, s, Wire) }
