package practicetest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// layoutField is a field definition of a layout design.
type layoutField struct {
	Name           string   `json:"name"`
	Type           string   `json:"type"`
	PossibleValues []string `json:"possibleValues"`
}

// layoutValue is the value of a field, as it is sent in a body.
type layoutValue struct {
	Key, Value string
	State      json.RawMessage
}

func designFields(design *record) []layoutField {
	return decoded[[]layoutField](design.fields.raw("fields"))
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// fieldOf returns the field that a key such as Lots[0]/Number refers to, or nil
// if there is none.
func fieldOf(design *record, key string) *layoutField {
	all := designFields(design)
	name := listIndex.ReplaceAllString(key, "[]")
	if i := slices.IndexFunc(all, func(f layoutField) bool { return f.Name == name || f.Name == key }); i >= 0 {
		return &all[i]
	}
	return nil
}

// lastPart returns the part of a key after the last slash: Agent for
// Lots[0]/Agent.
func lastPart(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// judging returns a function that checks the values in the body against the
// design, or nil if the query turns the check off. The function runs when the
// write is accepted and when it is due, because an item that a pending write
// creates has no design before.
func (g graph) judging(c *call) func(*tx) error {
	if c.query["skipFieldValidation"] == "true" {
		return nil
	}
	values := member[[]layoutValue](c, "values")
	return func(t *tx) error {
		item, err := t.find(g.item, c.written, nil)
		if err != nil {
			return nil //nolint:nilerr // the write takes it away
		}
		design, err := t.find(g.design, item.fields.str("layoutDesignId"), nil)
		if err != nil {
			return nil //nolint:nilerr // a new item is refused for it, and an old one may outlive it
		}
		return judgeValues(design, values)
	}
}

// judgeValues refuses values that do not belong to a field of the design or are
// invalid for it.
func judgeValues(design *record, values []layoutValue) error {
	for i, v := range values {
		at := "values[" + strconv.Itoa(i) + "]."
		field := fieldOf(design, v.Key)
		if field == nil {
			return conflict(at+"key", "must be a field of the layout")
		}
		if wrong := field.fault(v.Value); wrong != "" && v.Value != "" {
			return conflict(at+"value", "%s", wrong)
		}
	}
	return nil
}

// fault returns why text is invalid in the field, or "" if it is valid.
func (f *layoutField) fault(text string) string {
	switch f.Type {
	case "Combobox":
		return unless(len(f.PossibleValues) == 0 || slices.Contains(f.PossibleValues, text), "must be one of "+strings.Join(f.PossibleValues, ", "))
	case "Number":
		_, valid := amount(text)
		return unless(valid, "must be a number")
	case "Date":
		_, valid := dateTime(text)
		return unless(valid || isDay(text), "must be a date")
	case "Role":
		return "must be set with the operation for contacts of layout items"
	default:
		return ""
	}
}

// mergeValues returns the values after a patch. A given value replaces the one
// with the same key.
func mergeValues(before, given any) any {
	all := elements(before)
	for _, one := range elements(given) {
		at := slices.IndexFunc(all, func(old any) bool { return keyOf(old) == keyOf(one) })
		if at < 0 {
			all = append(all, one)
		} else {
			all[at] = one
		}
	}
	return all
}

func keyOf(value any) string { return decoded[layoutValue](fields{"": value}.raw("")).Key }

// narrowed returns the design without the possible values that are reserved for
// other states.
func narrowed(design *record, states []string) *record {
	only, _ := design.data.(map[string]string) // state that a value is reserved for, by value
	r := design.next()
	all := designFields(design)
	for i, f := range all {
		all[i].PossibleValues = slices.DeleteFunc(f.PossibleValues, func(value string) bool {
			return slices.ContainsFunc(states, func(state string) bool { return only[value] != "" && only[value] != state })
		})
	}
	r.fields["fields"] = rawText(encode(all))
	return r
}
