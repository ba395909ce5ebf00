package models

import (
	"encoding/json"
	"strings"
)

// FieldError is an entry of the errors of a [Problem]. The form of the entries
// is not documented, so each field is set only if it is found; Raw holds the
// whole entry.
type FieldError struct {
	// Field names the invalid member, as sent by the service. Empty when
	// unknown.
	Field string
	// Code is a machine-readable error code. Empty when unknown.
	Code string
	// Message describes the error. Empty when unknown.
	Message string
	// Raw is the JSON text of the entry.
	Raw json.RawMessage
}

// String returns the field and the message, or the JSON text of an entry
// without a message.
func (e FieldError) String() string {
	message := e.Message
	if message == "" {
		message = string(e.Raw)
	}
	if e.Field == "" {
		return message
	}
	return e.Field + ": " + message
}

// readFieldErrors decodes any value of errors: an object has the fields as
// names, a list contains entries, and any other value is a single entry. It
// ignores null, alone or as an entry.
func readFieldErrors(raw json.RawMessage) []FieldError {
	object, err := ParseObject(string(raw))
	if err != nil {
		return appendFieldErrors(nil, "", raw)
	}
	var list []FieldError
	for field, entries := range object.All() {
		list = appendFieldErrors(list, field, entries)
	}
	return list
}

func appendFieldErrors(list []FieldError, field string, raw json.RawMessage) []FieldError {
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		entries = []json.RawMessage{raw}
	}
	for _, entry := range entries {
		if string(entry) != "null" {
			list = append(list, readFieldError(field, entry))
		}
	}
	return list
}

func readFieldError(field string, raw json.RawMessage) FieldError {
	e := FieldError{Field: field, Raw: raw}
	object, err := ParseObject(string(raw))
	if err != nil {
		e.Message = literalOf(raw)
		return e
	}
	for name, value := range object.All() {
		if part := e.part(name); part != nil && *part == "" {
			*part = literalOf(value)
		}
	}
	return e
}

// part returns the field for a member of an entry. It recognises the names in
// common use.
func (e *FieldError) part(name string) *string {
	switch strings.ToLower(name) {
	case "field", "name", "property", "propertyname", "pointer":
		return &e.Field
	case "code", "errorcode":
		return &e.Code
	case "message", "errormessage", "detail", "description":
		return &e.Message
	default:
		return nil
	}
}

// literalOf returns the content of a JSON string, "" for null, and any other
// value as written.
func literalOf(raw json.RawMessage) string {
	if text, ok := textOf(raw); ok {
		return text
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// textOf returns the content of a JSON string. It returns false for any other
// value.
func textOf(raw json.RawMessage) (string, bool) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return "", false
	}
	return *text, true
}
