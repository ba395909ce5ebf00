package models

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"
)

// rule says which values of a member of a request body the service accepts.
type rule struct {
	member      int // its number in the table
	required    bool
	given       bool // is not null, when it is not left out
	uuid        bool
	least, most int      // characters of a text, or elements of a list; a most of 0 is no bound
	low, high   string   // bounds of a number; empty for none
	oneOf       []string // the only values; empty for any
}

// Fault finds a member of a request body that the service would refuse. The
// path names it, as in "items[2].name".
func (wire) Fault(body any) (path, reason string) {
	if pointer := reflect.ValueOf(body); pointer.Kind() != reflect.Pointer || pointer.IsNil() {
		return "", ""
	}
	return faultIn(body)
}

// faultIn looks into a record, a list of records or an Opt of either.
func faultIn(v any) (path, reason string) {
	switch v := v.(type) {
	case tabled:
		return faultInRecord(v)
	case optional:
		if state, value := v.parts(); *state == optSome {
			return faultIn(value)
		}
		return "", ""
	}
	list, ok := elementsOf(v)
	if !ok {
		return "", ""
	}
	for i := range list.Len() {
		if path, reason = faultIn(list.Index(i).Addr().Interface()); reason != "" {
			return joined("["+strconv.Itoa(i)+"]", path), reason
		}
	}
	return "", ""
}

func faultInRecord(x tabled) (path, reason string) {
	t := tableOf(x)
	for i := range t.rules {
		if reason = t.rules[i].judge(x.field(t.rules[i].member)); reason != "" {
			return t.names[t.rules[i].member], reason
		}
	}
	for _, member := range t.bodies {
		field := x.field(member)
		if !slices.Contains(t.always, member) && reflect.ValueOf(field).Elem().IsZero() {
			continue // it is left out
		}
		if path, reason = faultIn(field); reason != "" {
			return joined(t.names[member], path), reason
		}
	}
	return "", ""
}

func joined(member, path string) string {
	if path == "" || path[0] == '[' {
		return member + path
	}
	return member + "." + path
}

// judge returns why the service would refuse the value of a field, or nothing.
func (r *rule) judge(field any) string {
	o, ok := field.(optional)
	if !ok {
		if v := reflect.ValueOf(field).Elem(); !v.IsZero() {
			return r.judgeValue(v)
		}
		return reasonIf(r.required, "must not be empty")
	}
	state, held := o.parts()
	switch *state {
	case optSome:
		if v, ok := held.(value); ok && v.IsZero() {
			return "must have a value" + reasonIf(!r.given, "; Null clears it")
		}
		return r.judgeValue(reflect.ValueOf(held).Elem())
	case optNull:
		return reasonIf(r.given || r.least > 0, "must not be null")
	default:
		return ""
	}
}

func (r *rule) judgeValue(v reflect.Value) string {
	switch d, decimal := v.Interface().(Decimal); {
	case decimal:
		return r.judgeNumber(d, d.String())
	case v.CanInt():
		text := strconv.FormatInt(v.Int(), 10)
		number, _ := ParseDecimal(text) // every integer is a decimal
		return r.judgeNumber(number, text)
	case v.Kind() == reflect.String:
		return r.judgeText(v.String())
	case v.Kind() == reflect.Slice:
		return r.judgeList(v)
	}
	return ""
}

func (r *rule) judgeText(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case n < r.least || r.most > 0 && n > r.most:
		return r.bounds("character")
	case r.uuid && (len(text) != len(uuid.UUID{}.String()) || uuid.Validate(text) != nil):
		return "must be a UUID"
	}
	return r.judgeChoice(text)
}

func (r *rule) judgeNumber(number Decimal, text string) string {
	low, errLow := ParseDecimal(r.low)
	high, errHigh := ParseDecimal(r.high)
	switch {
	case errLow == nil && number.Cmp(low) < 0:
		return "must be at least " + r.low
	case errHigh == nil && number.Cmp(high) > 0:
		return "must be at most " + r.high
	}
	return r.judgeChoice(text)
}

func (r *rule) judgeList(list reflect.Value) string {
	if n := list.Len(); n < r.least || r.most > 0 && n > r.most {
		return r.bounds("element")
	}
	element := rule{uuid: r.uuid, oneOf: r.oneOf}
	for i := range list.Len() {
		if reason := element.judgeValue(list.Index(i)); reason != "" {
			return "has element " + strconv.Itoa(i) + ", which " + reason
		}
	}
	return ""
}

func (r *rule) judgeChoice(text string) string {
	return reasonIf(len(r.oneOf) > 0 && !slices.Contains(r.oneOf, text), fmt.Sprintf("must be one of %v", r.oneOf))
}

// bounds returns how many there must be.
func (r *rule) bounds(unit string) string {
	switch {
	case r.most > 0:
		return fmt.Sprintf("must have %d to %d %ss", r.least, r.most, unit)
	case r.least == 1:
		return "must have at least one " + unit
	default:
		return fmt.Sprintf("must have at least %d %ss", r.least, unit)
	}
}

func reasonIf(bad bool, reason string) string {
	if bad {
		return reason
	}
	return ""
}
