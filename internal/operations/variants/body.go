package variants

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// text is the JSON text of a member, and the reason for testing it.
type text struct{ why, json string }

// members changes the members of the body one after another.
func (c *changer) members(i int, schema *description.Schema, texts func(*description.Member) []text) {
	for _, member := range schema.Members {
		for _, wrong := range texts(member) {
			if body, ok := withMember(c.good[i], member.Name, wrong.json); ok {
				c.add(member.Name, wrong.why, i, body)
			}
		}
	}
}

// wrongTexts returns invalid texts for a member.
func wrongTexts(member *description.Member) []text {
	var wrong []text
	least, empty := 0, quoted(0)
	if member.MinLength != nil {
		least = *member.MinLength
	}
	switch member.Type.Kind {
	case description.Text, description.UUID:
		if member.Required || least > 0 {
			wrong = append(wrong, text{"is empty", empty})
		}
		if member.MaxLength != nil {
			wrong = append(wrong, text{"is too long", quoted(*member.MaxLength + 1)})
		}
		if member.Format == "uri" {
			wrong = append(wrong, text{"is no address", `"hooks.example.test/in"`})
		}
	case description.List:
		if member.Required {
			wrong = append(wrong, text{"is left out", "null"})
		}
		if member.Pattern != "" && !regexp.MustCompile(member.Pattern).MatchString("") {
			wrong = append(wrong, text{"has an empty text", "[" + empty + "]"})
		}
	}
	return wrong
}

// edgeTexts returns the shortest and the longest valid text of a member, and a
// value outside its enumeration, which the client sends.
func edgeTexts(member *description.Member) []text {
	if unpublished, enum := unpublishedOf(member.Type); enum != nil {
		return []text{{"is no published value of " + enum.Name, unpublished}}
	}
	if member.Type.Kind != description.Text || member.Format != "" || member.Pattern != "" {
		return nil
	}
	var right []text
	if member.MinLength != nil {
		right = append(right, text{"is as short as it may be", quoted(*member.MinLength)})
	}
	if member.MaxLength != nil {
		right = append(right, text{"is as long as it may be", quoted(*member.MaxLength)})
	}
	return right
}

// unpublishedOf returns the JSON text of a value outside the enumeration of a
// type. The enumeration is nil if the type has none.
func unpublishedOf(t *description.Type) (string, *description.Enum) {
	switch t.Kind {
	case description.List:
		value, enum := unpublishedOf(t.Elem)
		return "[" + value + "]", enum
	case description.EnumNumber:
		return "77", t.Enum
	case description.EnumText:
		return `"OfALaterService"`, t.Enum
	default:
		return "", nil
	}
}

// quoted returns a JSON string with the given number of multi-byte characters.
func quoted(characters int) string { return `"` + strings.Repeat("ä", characters) + `"` }

// withMember sets the field of a body for a member. It reports whether the
// field can hold the value.
func withMember(body any, name, value string) (any, bool) {
	changed := reflect.New(reflect.TypeOf(body)).Elem()
	changed.Set(reflect.ValueOf(body))
	field, found := fieldOf(changed, name)
	if !found {
		return nil, false
	}
	field.SetZero()
	err := json.Unmarshal([]byte(value), field.Addr().Interface())
	return changed.Interface(), err == nil
}

// fieldOf returns the field for a member, and reports whether there is one.
func fieldOf(body reflect.Value, name string) (reflect.Value, bool) {
	for field, value := range body.Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return value, true
		}
	}
	return reflect.Value{}, false
}
