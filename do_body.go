package practice

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// anyBody sets the body of Do. It refuses a value that encoding/json would
// change or write as an empty object, because the service would accept that.
func (c *call) anyBody(body any) {
	if reason := mixed(reflect.ValueOf(body)); reason != "" {
		c.check("Body", reason)
		return
	}
	if isNil(body) {
		c.check("Body", "must not be a nil pointer, map or slice, because encoding/json encodes it as null")
		return
	}
	if text, ok := bytesOf(body); ok {
		c.rawBody(text)
		return
	}
	switch body := body.(type) {
	case nil:
	case io.Reader:
		c.readerBody(body)
	case url.Values:
		c.check("Body", "must not be url.Values: the service accepts only JSON")
	default:
		if record, ok := models.Wire.Record(body); ok {
			c.record(record)
			return
		}
		c.jsonBody(body)
	}
}

// bytesOf returns the JSON text in a value whose type is a []byte or pointers
// to one, and false for other types. encoding/json would write it in base64.
func bytesOf(body any) ([]byte, bool) {
	v := reflect.ValueOf(body)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Uint8 {
		return nil, false
	}
	if v.Type() != reflect.TypeFor[json.RawMessage]() && implementsAny(v.Type(), append(marshalers, readerType)...) {
		return nil, false
	}
	return v.Bytes(), true
}

func (c *call) rawBody(body []byte) {
	c.check("Body", reasonIf(!json.Valid(body), "must be valid JSON"))
	c.check("Body", reasonIf(!utf8.Valid(body), notUTF8))
	c.body = bytes.Clone(body)
}

// readerBody reads body to its end, because every attempt sends it.
func (c *call) readerBody(body io.Reader) {
	if c.err != nil {
		return // the call will not be sent, so body stays unread
	}
	most := c.client.settings.maxBody
	text, err := io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		c.check("Body", "cannot be read: "+oneLine(err.Error()))
	case int64(len(text)) > most:
		c.check("Body", "is larger than the limit set with WithMaxBody")
	default:
		c.rawBody(text)
	}
}

func (c *call) jsonBody(body any) {
	c.check("Body", reasonIf(isEmptyStruct(reflect.TypeOf(body)), "has no fields to encode: use json.RawMessage(`{}`) for an empty object"))
	data, err := json.Marshal(body)
	c.check("Body", reasonIf(err != nil, "cannot be encoded as JSON"))
	if err == nil {
		c.check("Body", unwritable(reflect.ValueOf(body)))
	}
	c.check("Body", reasonIf(!utf8.Valid(data), notUTF8))
	// The service would store the mask as the secret.
	c.check("Body", reasonIf(bytes.Contains(data, []byte(`"`+models.Secret{}.String()+`"`)), "contains a models.Secret, which can be sent only in a record type of package models"))
	c.body = data
}

var (
	readerType      = reflect.TypeFor[io.Reader]()
	marshalers      = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}
	unmarshalers    = []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()}
	emptyInterfaces = reflect.TypeFor[any]()
)

// implementsAny reports whether t, or a pointer to it, implements one of the
// interfaces.
func implementsAny(t reflect.Type, of ...reflect.Type) bool {
	for _, wanted := range of {
		if t.Implements(wanted) || reflect.PointerTo(t).Implements(wanted) {
			return true
		}
	}
	return false
}

// isEmptyStruct reports whether t is a struct, or pointers to one, without any
// field for encoding/json.
func isEmptyStruct(t reflect.Type) bool { return emptyBut(t, nil) }

// emptyBut implements isEmptyStruct. It skips the types in within, which t is
// embedded in.
func emptyBut(t reflect.Type, within []reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || implementsAny(t, marshalers...) || implementsAny(t, unmarshalers...) {
		return false
	}
	if slices.Contains(within, t) {
		return true
	}
	within = append(within, t)
	for _, field := range reflect.VisibleFields(t) {
		promoting := field.Anonymous && field.Type.Kind() != reflect.Interface && emptyBut(field.Type, within)
		if field.IsExported() && !promoting && field.Tag.Get("json") != "-" {
			return false
		}
	}
	return true
}

// unwritable returns why encoding/json changes a value, or "": it writes a
// reader as a struct, and invalid UTF-8 as U+FFFD. The value has no cycles,
// because it has been marshalled before.
func unwritable(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	switch t := v.Type(); {
	case v.Kind() == reflect.Interface:
		return unwritable(v.Elem())
	case implementsAny(t, marshalers...):
		return unwritableRecord(v)
	case implementsAny(t, readerType):
		return "contains an io.Reader, whose content would not be sent"
	}
	switch v.Kind() {
	case reflect.String:
		return reasonIf(!utf8.ValidString(v.String()), notUTF8)
	case reflect.Pointer:
		return unwritable(v.Elem())
	case reflect.Slice, reflect.Array:
		return unwritableElements(v)
	case reflect.Map:
		for key, value := range v.Seq2() {
			if reason := unwritable(key) + unwritable(value); reason != "" {
				return reason
			}
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			if !field.IsExported() && !field.Anonymous || strings.HasPrefix(field.Tag.Get("json"), "-") && field.Tag.Get("json") != "-," {
				continue
			}
			if reason := unwritable(value); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// unwritableRecord does the same as unwritable for a type that marshals itself.
// It checks records of package models and texts, and trusts other types.
func unwritableRecord(v reflect.Value) string {
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		v = v.Addr() // its pointer type may have the methods
	}
	if !v.CanInterface() {
		return ""
	}
	record, ok := models.Wire.Record(v.Interface())
	if isNil(record) {
		return ""
	}
	if !ok {
		return unwritableText(v.Interface())
	}
	_, err := codec.AppendRequest(nil, record, models.Wire)
	return reasonIf(errors.Is(err, codec.ErrNotUTF8), notUTF8)
}

// unwritableText does the same as unwritable for an encoding.TextMarshaler.
func unwritableText(v any) string {
	if _, writesJSON := v.(json.Marshaler); writesJSON || isNil(v) {
		return "" // the marshalled text has been checked
	}
	if v, ok := v.(encoding.TextMarshaler); ok {
		text, err := v.MarshalText()
		return reasonIf(err == nil && !utf8.Valid(text), notUTF8)
	}
	return ""
}

func unwritableElements(v reflect.Value) string {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return "" // written in base64
	}
	for i := range v.Len() {
		if reason := unwritable(v.Index(i)); reason != "" {
			return reason
		}
	}
	return ""
}

// anyOut refuses an out that decoding would reject after the request was
// executed.
func (c *call) anyOut(out any) {
	if out == nil {
		return
	}
	t := reflect.TypeOf(out)
	_, writer := out.(io.Writer)
	switch {
	case isNilPointer(out):
		c.check("out", "must not be a nil pointer")
	case writer:
	case t.Kind() != reflect.Pointer:
		c.check("out", "must be nil, a pointer or an io.Writer")
	default:
		c.check("out", mixed(reflect.ValueOf(out)))
		c.check("out", unfillable(t.Elem()))
	}
}

// unfillable returns why encoding/json cannot fill a value of type t, or "".
func unfillable(t reflect.Type) string {
	for t.Kind() == reflect.Pointer && !implementsAny(t, unmarshalers...) {
		t = t.Elem()
	}
	if implementsAny(t, unmarshalers...) {
		return ""
	}
	switch t.Kind() {
	case reflect.Interface:
		return reasonIf(t != emptyInterfaces && t.NumMethod() > 0, "must not point to an interface that has methods")
	case reflect.Struct:
		if _, record := models.Wire.Record(reflect.New(t).Interface()); record {
			return ""
		}
		if isEmptyStruct(t) {
			return "must not point to a struct without fields"
		}
	}
	return reasonIf(!fillable(t, nil), "must point to a value that JSON can be decoded into")
}

// fillable reports whether encoding/json can fill a value of type t. It skips
// the types in within, which t is part of. An interface in a struct counts as
// fillable, because it may hold a pointer.
func fillable(t reflect.Type, within []reflect.Type) bool {
	if implementsAny(t, unmarshalers...) || slices.Contains(within, t) {
		return true
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Map:
		return fillableKey(t.Key()) && fillable(t.Elem(), within)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return fillable(t.Elem(), within)
	case reflect.Struct:
		within = append(within, t)
		for field := range t.Fields() {
			left := !field.IsExported() || field.Tag.Get("json") == "-" || field.Type.Kind() == reflect.Interface
			if !left && !fillable(field.Type, within) {
				return false
			}
		}
	}
	return true
}

// fillableKey reports whether a member name can become a map key of type t.
func fillableKey(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(unmarshalers[1]) {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

func isNilPointer(v any) bool {
	value := reflect.ValueOf(v)
	return value.Kind() == reflect.Pointer && value.IsNil()
}

// isNil reports whether v is a nil pointer, map or slice, or points to one, so
// that encoding/json writes null. Types with a marshaler of their own do not
// count.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Pointer:
		return value.IsNil() || value.Elem().CanInterface() && isNil(value.Elem().Interface())
	case reflect.Map, reflect.Slice:
		return value.IsNil() && !implementsAny(value.Type(), marshalers...)
	}
	return false
}
