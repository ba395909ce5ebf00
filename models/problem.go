package models

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
)

// Problem is an error body of the service. A member of an unexpected type is
// kept in Extra and does not prevent reading the others.
type Problem struct {
	// Type identifies the type of problem, often as a URL. Empty when absent.
	Type string
	// Title names the type of problem. Empty when absent.
	Title string
	// Status repeats the HTTP status. May be absent.
	Status Opt[int]
	// Detail describes this occurrence of the problem. Empty when absent.
	Detail string
	// Instance identifies this occurrence. Empty when absent.
	Instance string
	// Errors holds the entries of errors, which the service writes as an object
	// or as a list. Empty when absent. It is read-only: MarshalJSON writes
	// RawErrors.
	Errors []FieldError
	// RawErrors is the JSON text of errors. Nil when absent.
	RawErrors json.RawMessage
	// Extra holds the other members, such as those of a gateway or of a token
	// endpoint.
	Extra Extra
}

// Message returns the most informative text of the body: the detail, otherwise
// the message of a gateway or a token endpoint, otherwise the title, otherwise
// the first entry of the errors. It returns "" if there is none.
func (p Problem) Message() string {
	for _, text := range []string{p.Detail, p.extraText("message"), p.tokenMessage(), p.Title} {
		if text != "" {
			return text
		}
	}
	if len(p.Errors) > 0 {
		return p.Errors[0].String()
	}
	return ""
}

// extraText returns an unknown member that is a string, by its case-insensitive
// name.
func (p Problem) extraText(name string) string {
	for member, value := range p.Extra.All() {
		if text, ok := textOf(value); ok && strings.EqualFold(member, name) {
			return text
		}
	}
	return ""
}

// tokenMessage returns the message of an OAuth error body, or of a gateway that
// uses the member error for an object.
func (p Problem) tokenMessage() string {
	code, description := p.extraText("error"), p.extraText("error_description")
	if code != "" && description != "" {
		return code + ": " + description
	}
	if raw, ok := p.Extra.Get("error"); ok && code == "" {
		if object, err := ParseObject(string(raw)); err == nil {
			return Problem{Extra: object}.extraText("message")
		}
	}
	return code + description
}

// read reads any object; null is the zero Problem.
func (p *Problem) read(r *codec.Reader) error {
	*p = Problem{}
	text := r.Object()
	if r.Err() != nil {
		return r.Err()
	}
	var rest strings.Builder
	for name, value := range codec.Each(text) {
		if !p.take(name, json.RawMessage(value)) {
			writePair(&rest, name, value)
		}
	}
	if rest.Len() > 0 {
		p.Extra = Object{text: rest.String() + "}"}
	}
	return nil
}

// take sets the field of a member, and reports whether there is one for a value
// of this type.
func (p *Problem) take(name string, value json.RawMessage) bool {
	null := string(value) == "null"
	switch name {
	case "errors":
		p.RawErrors, p.Errors = value, readFieldErrors(value)
		return true
	case "status":
		n, whole := codec.ParseInt(value)
		if whole && int64(int32(n)) == n {
			p.Status = Some(int(n))
		}
		return p.Status.state == optSome || null
	}
	field := map[string]*string{"type": &p.Type, "title": &p.Title, "detail": &p.Detail, "instance": &p.Instance}[name]
	if field == nil {
		return false
	}
	text, ok := textOf(value)
	*field = text
	return ok || null
}

func writePair(b *strings.Builder, name, value string) {
	separator := byte(',')
	if b.Len() == 0 {
		separator = '{'
	}
	quoted, _ := json.Marshal(name) // a string can always be marshalled
	b.WriteByte(separator)
	b.Write(quoted)
	b.WriteByte(':')
	b.WriteString(value)
}

// write writes the members that are present.
func (p Problem) write(b []byte, w *codec.Writer) []byte {
	start := len(b)
	if p.Type != "" {
		b = w.Text(append(b, `,"type":`...), p.Type)
	}
	if p.Title != "" {
		b = w.Text(append(b, `,"title":`...), p.Title)
	}
	switch p.Status.state {
	case optSome:
		b = strconv.AppendInt(append(b, `,"status":`...), int64(p.Status.value), 10)
	case optNull:
		b = append(b, `,"status":null`...)
	}
	if p.Detail != "" {
		b = w.Text(append(b, `,"detail":`...), p.Detail)
	}
	if p.Instance != "" {
		b = w.Text(append(b, `,"instance":`...), p.Instance)
	}
	if p.RawErrors != nil {
		b = w.Raw(append(b, `,"errors":`...), string(p.RawErrors))
	}
	return codec.EndObject(w.Extra(b, p.Extra.text, nil), start)
}

// UnmarshalJSON reads any object; null is the zero Problem.
func (p *Problem) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, p, Wire) }

// MarshalJSON writes the members that are present.
func (p Problem) MarshalJSON() ([]byte, error) { return codec.Marshal(&p, Wire) }
