package practicetest

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// shaped converts an encoded response to the rendering of the view. Records
// have been converted before; pages, links and objects built by handlers have
// not. Values of unknown schema came from a request and stay unchanged.
func (v view) shaped(text []byte, as *value) []byte {
	if v.form == (Rendering{}) {
		return text
	}
	return v.shape(text, as)
}

// payload converts the payload of an event to the rendering of the service. A
// nil payload stays nil.
func (s *Server) payload(l linker, schema string, text []byte) []byte {
	if text == nil {
		return nil
	}
	v := s.view(l)
	return v.form.extended(v.shaped(text, &value{kind: kindObject, object: schema}))
}

// answered returns the schema of a response, or nil if it is unknown. For a
// page or collection it returns an envelope around the schema of the records.
func (o *operation) answered(text []byte) *value {
	elem := &value{kind: kindObject, object: o.answer}
	switch {
	case bytes.HasPrefix(text, []byte("[")):
		return &value{kind: kindList, elem: elem}
	case o.paging.shape != "" && o.paging.shape != "record": // a list operation may respond with an object instead of an array
		return &value{kind: kindObject, object: listObject, elem: elem}
	case o.answer == "":
		return nil
	default:
		return elem
	}
}

// listObject is a pseudo schema for pages and collections. linkObject is the
// schema of links.
const (
	listObject = "list"
	linkObject = "Link"
)

// shape converts a value and the values in it according to their schema.
func (v view) shape(text json.RawMessage, as *value) json.RawMessage {
	switch {
	case as == nil || len(text) == 0:
		return text
	case text[0] == '[' && as.kind == kindList:
		return v.shapeElements(text, as.elem)
	case text[0] == '{' && as.kind == kindMap:
		return v.shapeMembers(text, func(string) *value { return as.elem }, false)
	case text[0] == '{' && as.kind == kindObject && as.object != "":
		return v.shapeMembers(text, func(name string) *value { return v.memberOf(as, name) }, as.object != linkObject)
	default:
		return text
	}
}

func (v view) shapeElements(text json.RawMessage, elem *value) json.RawMessage {
	return bareList(mapped(elements(text), func(one any) []byte { return v.shape(one.(json.RawMessage), elem) }))
}

// shapeMembers converts the members of an object and keeps their order. If
// extends is set, it adds the unknown member.
func (v view) shapeMembers(text json.RawMessage, described func(string) *value, extends bool) json.RawMessage {
	var b bytes.Buffer
	w := writer{view: v, b: &b}
	w.open()
	for name, value := range codec.Each(string(text)) {
		m, raw := described(name), json.RawMessage(value)
		if value == "null" && m != nil {
			if raw = v.form.empty(m); raw == nil {
				continue
			}
		}
		if v.form.Rel && m != nil && name == "relation" && string(raw) != "null" {
			name = "rel"
		}
		extends = extends && name != laterName
		w.plainName(name)
		b.Write(v.shape(raw, m))
	}
	if extends {
		v.form.unknown(&b)
	} else {
		b.WriteByte('}')
	}
	return b.Bytes()
}

// memberOf returns the description of a member by its JSON name, or nil if it
// is not described.
func (v view) memberOf(as *value, name string) *value {
	members := answers[as.object].members
	if as.object == listObject {
		switch listed := answers[as.elem.object]; name {
		case "value":
			if listed.elem != "" { // the page has a schema of its own
				return &value{kind: kindList, elem: &value{kind: kindObject, object: listed.elem}}
			}
			return &value{kind: kindList, elem: as.elem}
		case "first", "previous", "next", "last":
			return &value{kind: kindObject, object: linkObject}
		default:
			members = nil
			if listed.elem != "" {
				members = listed.members
			}
		}
	}
	if i := slices.IndexFunc(members, func(m value) bool { return v.literal(m.name) == name }); i >= 0 {
		return &members[i]
	}
	return memberOfHead(name)
}

// memberOfHead returns the description of a member that identifies a record or
// list, or nil if it is another member.
func memberOfHead(name string) *value {
	switch name {
	case "id", "href", "relation", "method":
		return &value{kind: kindText}
	case "self":
		return &value{kind: kindObject, object: linkObject}
	default:
		return nil
	}
}
