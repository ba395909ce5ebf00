package practicetest

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// partOf returns the members of an encoded record that belong to the schema of
// an event payload.
func (v view) partOf(record []byte, payload string) []byte {
	described := answers[payload].members
	return v.keep(record, func(name string) (*value, bool) {
		i := slices.IndexFunc(described, func(m value) bool { return v.literal(m.name) == name })
		return &described[max(i, 0)], i >= 0
	})
}

// keep copies the members for which known returns true. It reduces links to
// their id and rel, as event payloads have them.
func (v view) keep(object json.RawMessage, known func(name string) (*value, bool)) []byte {
	var b bytes.Buffer
	w := writer{view: v, b: &b}
	w.open()
	for name, value := range codec.Each(string(object)) {
		if m, kept := known(name); kept {
			w.plainName(name)
			b.Write(v.bareLinks(json.RawMessage(value), m))
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (v view) bareLinks(text json.RawMessage, as *value) json.RawMessage {
	switch {
	case text[0] == '[' && as.elem != nil:
		return bareList(mapped(elements(text), func(one any) []byte { return v.bareLinks(one.(json.RawMessage), as.elem) }))
	case text[0] == '{' && as.object == linkObject:
		return v.keep(text, func(name string) (*value, bool) { return &value{}, name == "id" || name == "rel" })
	default:
		return text
	}
}
