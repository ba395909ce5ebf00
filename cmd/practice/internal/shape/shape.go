// Package shape reads the Go types of records and bodies by their JSON.
package shape

import (
	"reflect"
	"strings"
)

// Plain returns the type inside of an Opt or behind a pointer, and other types
// as they are.
func Plain(kind reflect.Type) reflect.Type {
	if kind == nil {
		return nil
	}
	if get, ok := kind.MethodByName("Get"); ok && kind.Kind() == reflect.Struct && get.Type.NumOut() == 2 && get.Type.NumIn() == 1 {
		return Plain(get.Type.Out(0))
	}
	if kind.Kind() == reflect.Pointer {
		return Plain(kind.Elem())
	}
	return kind
}

// NameOf returns the JSON name of a field, or "".
func NameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return strings.TrimPrefix(name, "-")
}
