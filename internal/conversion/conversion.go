// Package conversion converts records to the bodies that replace them, and
// finds out what such a body would lose. The tables in it are generated.
package conversion

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
)

// Table describes how to convert a record to the body that replaces it.
type Table []member

// Left collects the members that were not converted.
type Left struct {
	Unreadable []Member // members of the body that the service never returns
	Unknown    []Member // members of the record that are not in the description
}

// Member identifies a member of a body. An unknown name may contain a dot.
type Member struct {
	in      string // path of the object that has the member, such as "person."; empty: the body itself
	name    string
	unknown bool // not in the description
}

// String returns the path of the member, such as "person.email".
func (m Member) String() string { return m.in + m.name }

func (m Member) path() []string {
	steps := strings.Split(m.in, ".")
	steps[len(steps)-1] = m.name
	return steps
}

// member is a member of the body with its source in the record.
type member struct {
	to, from string
	form     string // form of the conversion, as named in package description
	values   string // depends on the form. "name": pairs such as Members=0; "joined": the second member; "id": the kind of record; "beside": names; "unreadable": null, if null is sent to clear it
	of       *Table
}

// Body converts a record. It leaves out what it cannot convert, but sends null
// for a required member that the caller allows to be lost.
func (t *Table) Body(record []byte, allowed []string) (body []byte, left Left) {
	return t.object(record, "", allowed, &left), left
}

// object converts the members of an object and records those that it cannot
// convert. A required member that may be lost becomes null.
func (t *Table) object(text json.RawMessage, path string, loss []string, to *Left) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil
	}
	body := bytes.NewBufferString("{")
	for _, m := range *t {
		value := members[m.from]
		if m.form == "beside" || m.form != "unreadable" && isAbsent(value) && (m.form != "joined" || isAbsent(members[m.values])) {
			continue
		}
		if m.form == "joined" {
			value = joinedTexts(value, members[m.values])
		} else {
			value = m.value(value, path, loss, to)
		}
		if bytes.ContainsRune(value, codec.Inexact) { // the text that was read is not what the service has
			value = nil
		}
		if value == nil && m.form == "unreadable" && m.values != "" && slices.Contains(loss, path+m.to) {
			value = json.RawMessage(m.values)
		}
		if value == nil {
			to.Unreadable = append(to.Unreadable, Member{in: path, name: m.to})
			continue
		}
		if m.form == "time" && isUnsetTime(value) {
			continue
		}
		if body.Len() > 1 {
			body.WriteByte(',')
		}
		body.WriteString(`"` + m.to + `":`)
		body.Write(value)
	}
	body.WriteByte('}')
	for name, value := range codec.Each(string(text)) {
		if value != "null" && !t.knows(name) {
			to.Unknown = append(to.Unknown, Member{path, name, true})
		}
	}
	return body.Bytes()
}

func isAbsent(value json.RawMessage) bool { return value == nil || string(value) == "null" }

// isUnsetTime reports whether a time is midnight of the first day of year 1,
// which the service sends for "no date".
func isUnsetTime(text json.RawMessage) bool {
	clock, first := strings.CutPrefix(strings.Trim(string(text), `"`), "0001-01-01")
	zone, midnight := strings.CutPrefix(clock, "T00:00:00")
	zone = strings.TrimLeft(zone, ".0")
	return first && (clock == "" || midnight && (zone == "" || strings.ContainsAny(zone[:1], "Z+-")))
}

// knows reports whether the description contains the name. A conversion without
// a list of further names knows all names.
func (t *Table) knows(name string) bool {
	closed := false
	for _, m := range *t {
		named := m.form == "beside" || m.form == "joined"
		if name == m.to || name == m.from || named && slices.Contains(strings.Fields(m.values), name) {
			return true
		}
		closed = closed || m.form == "beside"
	}
	return !closed
}

// value returns the converted value, or nil if it cannot be converted.
func (m *member) value(text json.RawMessage, path string, loss []string, to *Left) json.RawMessage {
	switch m.form {
	case "id":
		return idOfLink(text, m.values)
	case "ids":
		return eachOf(text, func(one json.RawMessage) json.RawMessage { return idOfLink(one, "") })
	case "object":
		return m.of.object(text, path+m.to+".", loss, to)
	case "objects":
		return eachOf(text, func(one json.RawMessage) json.RawMessage { return m.of.object(one, path+m.to+".", loss, to) })
	case "name":
		return m.named(text)
	case "texts":
		return textsOf(text)
	case "unreadable":
		return nil
	}
	return text
}

// named converts an enumeration value to the value with the same name in
// another enumeration.
func (m *member) named(text json.RawMessage) json.RawMessage {
	var name string
	_ = json.Unmarshal(text, &name) // other JSON types leave name empty
	for pair := range strings.FieldsSeq(m.values) {
		if from, to, _ := strings.Cut(pair, "="); from == name {
			return json.RawMessage(to)
		}
	}
	return nil
}

// textsOf returns an object of strings without its null members, or nil if a
// value is not a string.
func textsOf(text json.RawMessage) json.RawMessage {
	var texts map[string]*string
	if json.Unmarshal(text, &texts) != nil {
		return nil
	}
	for name, value := range texts {
		if value == nil {
			delete(texts, name)
		}
	}
	object, err := json.Marshal(texts)
	if err != nil {
		return nil
	}
	return object
}

// eachOf converts the elements of a list, or returns nil if one of them cannot
// be converted.
func eachOf(text json.RawMessage, convert func(json.RawMessage) json.RawMessage) json.RawMessage {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil {
		return nil
	}
	all := make([][]byte, len(elements))
	for i, element := range elements {
		if all[i] = convert(element); all[i] == nil {
			return nil
		}
	}
	return append(append([]byte("["), bytes.Join(all, []byte(","))...), ']')
}

// joinedTexts joins two texts; either may be missing.
func joinedTexts(text, more json.RawMessage) json.RawMessage {
	var first, second string
	_ = json.Unmarshal(text, &first) // both values come from a record, or are missing
	_ = json.Unmarshal(more, &second)
	return quotedText(first + second)
}

func quotedText(text string) json.RawMessage {
	quoted, _ := json.Marshal(text) // a string can always be marshalled
	return quoted
}

// idOfLink returns the id in a link. The address in a link without an id may
// end in something else, so idOfLink returns nil unless the address has the
// form …/kind/{id}, such as …/folders/{id}.
func idOfLink(text json.RawMessage, kind string) json.RawMessage {
	var link struct {
		ID   json.RawMessage `json:"id"`
		Href string          `json:"href"`
	}
	if json.Unmarshal(text, &link) != nil {
		return nil
	}
	address, err := url.Parse(link.Href)
	if link.ID != nil || err != nil || kind == "" {
		return link.ID
	}
	steps := strings.Split(address.Path, "/")
	if n := len(steps); n > 1 && steps[n-2] == kind && steps[n-1] != "" {
		return quotedText(steps[n-1])
	}
	return nil
}

// Has reports whether a member of the body, given by its path, can be
// converted from the record.
func (t *Table) Has(path string) bool {
	for _, step := range steps(path) {
		i := slices.IndexFunc(*t, func(m member) bool { return m.to == step && m.form != "unreadable" })
		if i < 0 {
			return false
		}
		if t = (*t)[i].of; t == nil {
			return true
		}
	}
	return true
}
