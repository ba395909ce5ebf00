package models

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"
)

// rule restricts the values of a member of a request body to those that the
// service accepts.
type rule struct {
	member      int // index of the member in the table
	required    bool
	given       bool // must not be null if it is present
	uuid        bool
	least, most int    // characters of a string, or elements of a list; a most of 0 means no limit
	low, high   string // limits of a number; empty for none
}

// Faults yields each member of a request body that the service would refuse,
// with the reason. The path identifies the member, as in "items[2].name".
func (wire) Faults(body any) iter.Seq2[string, string] {
	return func(yield func(path, reason string) bool) {
		if pointer := reflect.ValueOf(body); pointer.Kind() == reflect.Pointer && !pointer.IsNil() {
			faultsIn(body, "", yield)
		}
	}
}

// faultsIn checks a record, a list of records or an Opt of either. It returns
// false if yield has stopped.
func faultsIn(v any, at string, yield func(path, reason string) bool) bool {
	switch v := v.(type) {
	case tabled:
		return faultsInRecord(v, at, yield)
	case optional:
		state, value := v.parts()
		return *state != optSome || faultsIn(value, at, yield)
	}
	list, ok := elementsOf(v)
	for i := 0; ok && i < list.Len(); i++ {
		if !faultsIn(list.Index(i).Addr().Interface(), at+"["+strconv.Itoa(i)+"]", yield) {
			return false
		}
	}
	return true
}

func faultsInRecord(x tabled, at string, yield func(path, reason string) bool) bool {
	t := tableOf(x)
	if at != "" {
		at += "."
	}
	for i := range t.rules {
		member := t.rules[i].member
		if reason := t.rules[i].judge(x.field(member)); reason != "" && !yield(at+t.names[member], reason) {
			return false
		}
	}
	for _, member := range t.bodies {
		field := x.field(member)
		if !slices.Contains(t.always, member) && reflect.ValueOf(field).Elem().IsZero() {
			continue // omitted
		}
		if !faultsIn(field, at+t.names[member], yield) {
			return false
		}
	}
	return true
}

// judge returns the reason for which the service would refuse the value of a
// field, or "".
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
			return "must not be empty" + reasonIf(!r.given, ": use Null to clear the member")
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
		return r.judgeNumber(d)
	case v.CanInt():
		number, _ := ParseDecimal(strconv.FormatInt(v.Int(), 10)) // never fails: every integer is a decimal
		return r.judgeNumber(number)
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
	return ""
}

func (r *rule) judgeNumber(number Decimal) string {
	low, errLow := ParseDecimal(r.low)
	high, errHigh := ParseDecimal(r.high)
	switch {
	case errLow == nil && number.Cmp(low) < 0:
		return "must be at least " + r.low
	case errHigh == nil && number.Cmp(high) > 0:
		return "must be at most " + r.high
	}
	return ""
}

func (r *rule) judgeList(list reflect.Value) string {
	if n := list.Len(); n < r.least || r.most > 0 && n > r.most {
		return r.bounds("element")
	}
	element := rule{uuid: r.uuid}
	for i := range list.Len() {
		if reason := element.judgeValue(list.Index(i)); reason != "" {
			return "has element " + strconv.Itoa(i) + ", which " + reason
		}
	}
	return ""
}

// bounds returns a text with the permitted number of units.
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
