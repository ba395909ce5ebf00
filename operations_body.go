package practice

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// namedBody sets the body of an operation. body is the record that the
// operation takes or JSON text.
func (c *call) namedBody(o *Operation, body any) {
	given := body != nil && !isNil(body)
	switch {
	case o.newBody == nil:
		c.check("body", reasonIf(given, "is not taken by "+o.ID))
	case !given:
		c.check("body", reasonIf(o.BodyRequired, "is required: a "+o.Body))
	default:
		record := o.NewBody()
		if text, ok := bytesOf(body); ok {
			c.check(readBody(text, record))
		} else if !assign(record, body) {
			c.check("body", "must be a "+o.Body+" or its JSON text")
			return
		}
		c.json(record)
	}
}

// assign sets *record to value, which is of the record's type or a pointer to
// it, and reports whether it could.
func assign(record, value any) bool {
	v, to := reflect.ValueOf(value), reflect.ValueOf(record).Elem()
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Type() != to.Type() {
		return false
	}
	to.Set(v)
	return true
}

// readBody decodes JSON text into a record. It returns the first member that
// would be sent differently, and why, or empty strings.
func readBody(text []byte, record any) (member, reason string) {
	if texts, ok := record.(*[]string); ok {
		return "body", reasonIf(json.Unmarshal(text, texts) != nil, "must be a list of texts")
	}
	faults, err := codec.Decode(text, record, models.Wire)
	switch {
	case err != nil:
		return "body", err.Error()
	case len(faults) > 0:
		return "body[" + strconv.Itoa(faults[0].Index) + "]", faults[0].Err.Error()
	}
	written, err := codec.AppendRequest(nil, record, models.Wire)
	if err != nil {
		return "body", err.Error()
	}
	var before, after any
	if json.Unmarshal(text, &before) != nil || json.Unmarshal(written, &after) != nil {
		return "body", "must be JSON"
	}
	lost := lostMember(before, after, "")
	return lost, reasonIf(lost != "", "is no member that can be sent, or has a value that is left out")
}

// lostMember returns the path of a member in before that is missing in after,
// or "".
func lostMember(before, after any, path string) string {
	switch before := before.(type) {
	case map[string]any:
		object, _ := after.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(before)) {
			at := joinPath(path, name)
			kept, there := object[name]
			if !there {
				return at
			}
			if lost := lostMember(before[name], kept, at); lost != "" {
				return lost
			}
		}
	case []any:
		list, _ := after.([]any)
		for i, value := range before {
			at := path + "[" + strconv.Itoa(i) + "]"
			if i >= len(list) {
				return at
			}
			if lost := lostMember(value, list[i], at); lost != "" {
				return lost
			}
		}
	}
	return ""
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
