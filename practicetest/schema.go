package practicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// schema describes the body of an operation.
type schema struct {
	required bool    // a body must be there
	list     bool    // the body is an array of texts instead of an object
	members  []field // of an object
}

// field describes one member of a body.
type field struct {
	name     string
	required bool
	nullable bool
	check    func(json.RawMessage) string // says what is wrong, nothing when all is right
}

var errTrailing = errors.New("there is something after the JSON value")

// parseObject reads the members of a JSON object and refuses a name that occurs twice.
func parseObject(raw []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("the body is not a JSON object")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("broken JSON: %w", err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("broken JSON: %w", err)
		}
		if _, again := members[name.(string)]; again {
			return nil, fmt.Errorf("the member %q occurs twice", name)
		}
		members[name.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("broken JSON: %w", err)
	}
	return members, atEnd(d)
}

func parseTexts(raw []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var list []*string
	if err := d.Decode(&list); err != nil {
		return nil, errors.New("the body is not an array of texts")
	}
	if list == nil {
		return nil, errors.New("the body is not an array of texts")
	}
	texts := make([]string, len(list))
	for i, t := range list {
		if t == nil {
			return nil, errors.New("the body is not an array of texts")
		}
		texts[i] = *t
	}
	return texts, atEnd(d)
}

func atEnd(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// faults checks the members of a body against the schema. Unknown members are
// returned apart, because a lenient service passes over them.
func (s *schema) faults(body map[string]json.RawMessage) (found []fieldFault, unknown []string) {
	known := map[string]bool{}
	for _, m := range s.members {
		known[m.name] = true
		raw, there := body[m.name]
		switch {
		case !there && m.required:
			found = append(found, fieldFault{m.name, "NotNull", "required"})
		case !there:
		case string(raw) == "null":
			if !m.nullable {
				found = append(found, fieldFault{m.name, "NotNull", "must not be null"})
			}
		default:
			if wrong := m.check(raw); wrong != "" {
				found = append(found, fieldFault{m.name, "Invalid", wrong})
			}
		}
	}
	for name := range body {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	return found, unknown
}

func sentence(faults []fieldFault) string {
	parts := make([]string, len(faults))
	for i, f := range faults {
		parts[i] = f.Field + ": " + f.Message
	}
	return strings.Join(parts, "; ")
}
