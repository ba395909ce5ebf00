package models

import (
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// logged returns the non-zero members of a record by their JSON names. It omits
// fields with personal data, and Extra, whose content is unknown.
func logged(record any, personal ...string) slog.Value {
	return slog.GroupValue(loggedFields(reflect.ValueOf(record), personal)...)
}

// Logged returns the members of a record for a log, without personal data and
// unknown members. record is a pointer.
func (wire) Logged(record any) slog.Value {
	if valuer, ok := record.(slog.LogValuer); ok {
		return valuer.LogValue()
	}
	value := reflect.Indirect(reflect.ValueOf(record))
	if value.Kind() != reflect.Struct {
		return slog.IntValue(value.Len())
	}
	return slog.GroupValue(loggedFields(value, nil)...)
}

func loggedFields(record reflect.Value, personal []string) []slog.Attr {
	var attrs []slog.Attr
	for field, value := range record.Fields() {
		switch {
		case field.Name == "Extra" || value.IsZero() || slices.Contains(personal, field.Name):
		case field.Anonymous:
			attrs = append(attrs, loggedFields(value, nil)...)
		default:
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" {
				name = field.Name
			}
			attrs = append(attrs, slog.Attr{Key: name, Value: loggedValue(value)})
		}
	}
	return attrs
}

var logValuer = reflect.TypeFor[slog.LogValuer]()

// loggedValue returns a group for a list whose elements implement
// slog.LogValuer, because slog does not resolve elements of a list.
func loggedValue(value reflect.Value) slog.Value {
	if value.Kind() != reflect.Slice || !value.Type().Elem().Implements(logValuer) {
		return slog.AnyValue(value.Interface())
	}
	elements := make([]slog.Attr, value.Len())
	for i := range elements {
		elements[i] = slog.Any(strconv.Itoa(i), value.Index(i).Interface())
	}
	return slog.GroupValue(elements...)
}
