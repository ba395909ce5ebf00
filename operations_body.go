package practice

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/conversion"
	"github.com/practicesdk/practice-go/models"
)

// namedBody sets the body of an operation. body is the record that the
// operation takes or JSON text.
func (c *call) namedBody(o *Operation, body any) {
	given := body != nil && !isNil(body)
	switch {
	case o.newBody == nil:
		c.check("body", reasonIf(given, "is not accepted by "+o.ID))
	case !given:
		c.check("body", reasonIf(o.BodyRequired, "is required: pass a value of type "+o.Body))
	default:
		record := o.NewBody()
		if text, ok := bytesOf(body); ok {
			c.check(readBody(text, record))
		} else if !assign(record, body) {
			c.check("body", "must be a value of type "+o.Body+" or its JSON encoding")
			return
		}
		c.with(record)
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
	faults, err := codec.DecodeMarked(text, record, models.Wire)
	switch {
	case err != nil:
		if unfit, ok := errors.AsType[*codec.ValueError](err); ok && unfit.Path != "" {
			return unfit.Path, "is " + unfit.Reason
		}
		return "body", err.Error()
	case len(faults) > 0:
		return "body[" + strconv.Itoa(faults[0].Index) + "]", faults[0].Err.Error()
	}
	written, err := codec.AppendRequest(nil, record, models.Wire)
	if err != nil {
		return "body", err.Error()
	}
	member, reason = changedMember(conversion.Parse(text), conversion.Parse(written), "")
	return cmp.Or(member, "body"), reason
}

// changedMember returns the path of the first value in before that is missing
// or different in after, and why, or empty strings.
func changedMember(before, after any, path string) (member, reason string) {
	switch before := before.(type) {
	case map[string]any:
		object, _ := after.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(before)) {
			at := joinPath(path, name)
			kept, there := object[name]
			if inner, _ := before[name].(map[string]any); !there && len(inner) > 0 {
				return changedMember(inner, nil, at) // the name of a member in it may be the wrong one
			}
			if !there {
				return at, "is not a member that can be sent, or its value would be omitted"
			}
			if member, reason = changedMember(before[name], kept, at); reason != "" {
				return member, reason
			}
		}
		return path, reasonIf(object == nil, changedValue)
	case []any:
		list, isList := after.([]any)
		if !isList || len(list) != len(before) {
			return path, changedValue
		}
		for i, value := range before {
			if member, reason = changedMember(value, list[i], path+"["+strconv.Itoa(i)+"]"); reason != "" {
				return member, reason
			}
		}
		return "", ""
	case nil:
		return path, reasonIf(after != nil, "must not be null")
	}
	return path, reasonIf(!sameValue(before, after), changedValue)
}

const changedValue = "has a value that would be sent as a different value"

// sameValue reports whether two texts, numbers or booleans are equal: texts by
// their characters, numbers by their value. Midnight in UTC or without a zone
// equals its day, as in the records of the service.
func sameValue(before, after any) bool {
	if before == after {
		return true
	}
	given, sent := fmt.Sprint(before), fmt.Sprint(after)
	if _, isNumber := after.(json.Number); isNumber {
		one, err := models.ParseDecimal(given)
		other, unreadable := models.ParseDecimal(sent)
		return err == nil && unreadable == nil && one.Equal(other)
	}
	_, isText := before.(string)
	clock, of := strings.CutPrefix(given, sent+"T00:00:00")
	zone := strings.TrimLeft(clock, ".0")
	return isText && of && (zone == "" || zone == "Z")
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
