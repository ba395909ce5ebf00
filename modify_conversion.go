package practice

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
)

// conversion describes how a record becomes the body that replaces it.
type conversion []convertedMember

// takenOver holds the members that a conversion met and did not convert.
type takenOver struct {
	unreadable []memberAt // that the body lacks
	unknown    []memberAt // of the record, that the description does not know
}

// memberAt is a member of a body. A name that is unknown may hold a dot.
type memberAt struct {
	in   string // empty, or the way to it, as "person."
	name string
}

func (m memberAt) String() string { return m.in + m.name }

func (m memberAt) path() []string {
	steps := strings.Split(m.in, ".")
	steps[len(steps)-1] = m.name
	return steps
}

// convertedMember is a member of the body and what it is in the record.
type convertedMember struct {
	to, from string
	form     string // as package description names it
	values   string // of form "name": pairs, as Members=0; of "joined": the second member; of "id": the kind of record; of "beside": names
	of       *conversion
}

// object converts the members of an object, and notes those that it cannot
// hold.
func (c *conversion) object(text json.RawMessage, path string, to *takenOver) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil
	}
	body := bytes.NewBufferString("{")
	for _, m := range *c {
		value, there := members[m.from]
		if m.form == "beside" || m.form != "unreadable" && (!there || string(value) == "null") {
			continue
		}
		if m.form == "joined" {
			value = joinedTexts(value, members[m.values])
		} else {
			value = m.value(value, path, to)
		}
		if value == nil {
			to.unreadable = append(to.unreadable, memberAt{path, m.to})
			continue
		}
		if bytes.HasPrefix(value, []byte(`"0001-01-01`)) {
			continue // a time that is not set
		}
		if body.Len() > 1 {
			body.WriteByte(',')
		}
		body.WriteString(`"` + m.to + `":`)
		body.Write(value)
	}
	body.WriteByte('}')
	for name, value := range codec.Each(string(text)) {
		if value != "null" && !c.knows(name) {
			to.unknown = append(to.unknown, memberAt{path, name})
		}
	}
	return body.Bytes()
}

// knows reports whether a name is one of the description. A conversion without
// a list of the names that it leaves beside knows all.
func (c *conversion) knows(name string) bool {
	closed := false
	for _, m := range *c {
		named := m.form == "beside" || m.form == "joined"
		if name == m.to || name == m.from || named && slices.Contains(strings.Fields(m.values), name) {
			return true
		}
		closed = closed || m.form == "beside"
	}
	return !closed
}

// value converts a value; nil means that it cannot be told.
func (m *convertedMember) value(text json.RawMessage, path string, to *takenOver) json.RawMessage {
	switch m.form {
	case "id":
		return idOfLink(text, m.values)
	case "ids":
		return eachOf(text, func(one json.RawMessage) json.RawMessage { return idOfLink(one, "") })
	case "object":
		return m.of.object(text, path+m.to+".", to)
	case "objects":
		return eachOf(text, func(one json.RawMessage) json.RawMessage { return m.of.object(one, path+m.to+".", to) })
	case "name":
		return m.named(text)
	case "texts":
		return textsOf(text)
	case "unreadable":
		return nil
	}
	return text
}

// named is the value of another enumeration with the same name.
func (m *convertedMember) named(text json.RawMessage) json.RawMessage {
	var name string
	_ = json.Unmarshal(text, &name) // anything else has no name
	for pair := range strings.FieldsSeq(m.values) {
		if from, to, _ := strings.Cut(pair, "="); from == name {
			return json.RawMessage(to)
		}
	}
	return nil
}

// textsOf is an object of texts; nil when one of its values is something else.
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

// eachOf converts the elements of a list; one that cannot be told makes the
// list so.
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

// joinedTexts is a text with another one, which may be missing, behind it.
func joinedTexts(text, more json.RawMessage) json.RawMessage {
	var first, second string
	_ = json.Unmarshal(text, &first)  // it is that of a record
	_ = json.Unmarshal(more, &second) // without one nothing is put behind
	return quotedText(first + second)
}

func quotedText(text string) json.RawMessage {
	quoted, _ := json.Marshal(text) // a text can be written always
	return quoted
}

// idOfLink is the id in a link. A link that has only an address need not end
// with one: nil, unless the address is that of a record of the kind, as
// …/folders/{id}.
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
