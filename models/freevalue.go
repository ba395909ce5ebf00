package models

import (
	"encoding/json"

	"github.com/practicesdk/practice-go/internal/codec"
)

// FreeValue is the value of a free-form member: a text, or the exact JSON of
// any other value. The zero value is the empty text. Two values are equal if
// their texts or their JSON are.
type FreeValue struct {
	text  string
	other bool // text is JSON
}

// FreeText returns the value that is a text.
func FreeText(text string) FreeValue { return FreeValue{text: text} }

// Text returns the value if it is a text, and reports whether it is one.
func (v FreeValue) Text() (text string, ok bool) {
	if v.other {
		return "", false
	}
	return v.text, true
}

// String returns a text as it is, and the JSON of any other value.
func (v FreeValue) String() string { return v.text }

// UnmarshalJSON reads any value; null is a value, too.
func (v *FreeValue) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v, Wire) }

// MarshalJSON writes a text, or the JSON as it was read.
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
