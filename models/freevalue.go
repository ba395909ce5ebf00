package models

import (
	"encoding/json"

	"github.com/practicesdk/practice-go/internal/codec"
)

// FreeValue is the value of a free-form member: a string, or the exact JSON
// text of any other value. The zero value is the empty string. Two values are
// equal if their strings or JSON texts are equal.
type FreeValue struct {
	text  string
	other bool // text holds JSON
}

// FreeText returns a value that is a string.
func FreeText(text string) FreeValue { return FreeValue{text: text} }

// Text returns the value if it is a string. ok reports whether it is.
func (v FreeValue) Text() (text string, ok bool) {
	if v.other {
		return "", false
	}
	return v.text, true
}

// String returns the content of a string, and the JSON text of any other value.
func (v FreeValue) String() string { return v.text }

// UnmarshalJSON reads any value, including null.
func (v *FreeValue) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v, Wire) }

// MarshalJSON writes a string, or the JSON text as read.
func (v FreeValue) MarshalJSON() ([]byte, error) { return codec.Marshal(&v, Wire) }

func (v *FreeValue) read(r *codec.Reader) error {
	raw := r.Raw()
	if r.Err() != nil {
		return r.Err()
	}
	*v = FreeValue{other: raw[0] != '"'}
	if v.other {
		v.text = string(raw)
		return nil
	}
	return json.Unmarshal(raw, &v.text)
}

func (v *FreeValue) write(b []byte, w *codec.Writer) []byte {
	if v.other {
		return w.Raw(b, v.text)
	}
	return w.Text(b, v.text)
}
