package practice

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
)

// conversion describes how to convert a record to the body that replaces it.
type conversion []convertedMember

// takenOver collects the members that were not converted.
type takenOver struct {
	unreadable []memberAt // members of the body that the service never returns
	unknown    []memberAt // members of the record that are not in the description
}

// memberAt identifies a member of a body. An unknown name may contain a dot.
type memberAt struct {
	in      string // path of the object that has the member, such as "person."; empty: the body itself
	name    string
	unknown bool // not in the description
}

func (m memberAt) String() string { return m.in + m.name }

func (m memberAt) path() []string {
	steps := strings.Split(m.in, ".")
	steps[len(steps)-1] = m.name
	return steps
}

// convertedMember is a member of the body with its source in the record.
type convertedMember struct {
	to, from string
	form     string // form of the conversion, as named in package description
	values   string // depends on the form. "name": pairs such as Members=0; "joined": the second member; "id": the kind of record; "beside": names; "unreadable": null, if null is sent to clear it
	of       *conversion
}

// object converts the members of an object and records those that it cannot
// convert. A required member that may be lost becomes null.
func (c *conversion) object(text json.RawMessage, path string, loss []string, to *takenOver) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil
	}
	body := bytes.NewBufferString("{")
	for _, m := range *c {
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
			to.unreadable = append(to.unreadable, memberAt{in: path, name: m.to})
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
		if value != "null" && !c.knows(name) {
			to.unknown = append(to.unknown, memberAt{path, name, true})
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

// value returns the converted value, or nil if it cannot be converted.
func (m *convertedMember) value(text json.RawMessage, path string, loss []string, to *takenOver) json.RawMessage {
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
func (m *convertedMember) named(text json.RawMessage) json.RawMessage {
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

// bodies holds the two bodies that Modify compares to find the changes of the
// caller.
type bodies struct {
	from   *conversion
	before any // body that keeps the record, without objects in which no member is known
	after  any // body after the changes of the caller
}

// parsed decodes JSON and keeps numbers as json.Number.
func parsed(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&value) // package codec wrote the text, so it is valid
	return value
}

// cleared returns the names of members that the body would clear without a
// decision of the caller. It includes unknown members, which may be state or
// only for display: an error can be corrected, lost data cannot.
func (b bodies) cleared(members []memberAt, allowed []string) (lost []string) {
	told, given := map[string]bool{}, map[memberAt]bool{}
	for _, name := range allowed {
		told[name] = true
	}
	for _, member := range members {
		name := member.String()
		if told[name] {
			continue
		}
		told[name] = true
		if member.unknown { // an unknown member counts as part of its object
			member.name = ""
		}
		decision, known := given[member]
		if !known {
			decision = decided([]any{b.before}, b.after, member.path())
			given[member] = decision
		}
		if !decision {
			lost = append(lost, name)
		}
	}
	return lost
}

// decided reports whether the caller decided about a member: the member is set,
// or its parent was in the body before and was removed. In a list, this must
// hold for every element, compared with every element before, because elements
// may have moved.
func decided(before []any, after any, path []string) bool {
	switch after := after.(type) {
	case []any:
		within := valuesOf(before)
		return !slices.ContainsFunc(after, func(element any) bool { return !decided(within, element, path) })
	case map[string]any:
		value, there := after[path[0]]
		within, all := membersOf(before, path[0])
		if !there {
			return len(path) > 1 && all
		}
		return len(path) == 1 || decided(within, value, path[1:])
	}
	return true // the caller cleared the whole object
}

// valuesOf flattens lists into their elements and returns all other values
// unchanged.
func valuesOf(values []any) (all []any) {
	for _, value := range values {
		if list, is := value.([]any); is {
			all = append(all, list...)
		} else {
			all = append(all, value)
		}
	}
	return all
}

// membersOf returns the members with a name, and whether every object has one.
func membersOf(objects []any, name string) (members []any, all bool) {
	for _, object := range objects {
		of, _ := object.(map[string]any)
		if value, there := of[name]; there {
			members = append(members, value)
		}
	}
	return members, len(members) == len(objects)
}

// tookOver reports whether a member of the body is unchanged from the record.
func (b bodies) tookOver(member string) bool {
	return b.from.converts(member) && sameJSON(at(b.before, member), at(b.after, member))
}

// explained adds a hint to the refusal of a member that no record contains.
func (b bodies) explained(err error) error {
	if refused, is := errors.AsType[*ArgumentError](err); is && !b.from.converts(refused.Argument) {
		refused.Reason += "; records do not have this member: set it in the function that changes the body"
	}
	return err
}

// converts reports whether a member of the body, given by its path, can be
// converted from the record.
func (c *conversion) converts(path string) bool {
	for _, step := range steps(path) {
		i := slices.IndexFunc(*c, func(m convertedMember) bool { return m.to == step && m.form != "unreadable" })
		if i < 0 {
			return false
		}
		if c = (*c)[i].of; c == nil {
			return true
		}
	}
	return true
}

// steps splits a path such as "items[2].name" into names, without the indexes.
func steps(path string) (names []string) {
	for name := range strings.SplitSeq(path, ".") {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	return names
}

// at returns the part of a value at a path such as "items[2].name", or nil if
// there is none.
func at(value any, path string) any {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch of := value.(type) {
		case map[string]any:
			value = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(of) {
				return nil
			}
			value = of[i]
		default:
			return nil
		}
	}
	return value
}

func sameJSON(a, b any) bool {
	one, err := json.Marshal(a)
	other, unwritable := json.Marshal(b)
	return err == nil && unwritable == nil && bytes.Equal(one, other)
}
