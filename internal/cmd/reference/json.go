package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// columns is the maximum width of a line in a sample.
const columns = 120

// value is a JSON value. Members of an object keep their order.
type value struct {
	literal     string // anything except an object or a list
	open, close string
	names       []string // names of the members of an object
	values      []value
}

func nextValue(decoder *json.Decoder) (value, error) {
	token, err := decoder.Token()
	if err != nil {
		return value{}, err
	}
	delimiter, composite := token.(json.Delim)
	if !composite {
		return value{literal: encoded(token)}, nil
	}
	v := value{open: delimiter.String(), close: "]"}
	if v.open == "{" {
		v.close = "}"
	}
	for decoder.More() {
		if v.open == "{" {
			name, err := decoder.Token()
			if err != nil {
				return value{}, err
			}
			v.names = append(v.names, encoded(name)+": ")
		}
		inner, err := nextValue(decoder)
		if err != nil {
			return value{}, err
		}
		v.values = append(v.values, inner)
	}
	_, err = decoder.Token() // the closing bracket
	return v, err
}

// encoded returns a token as JSON, without HTML escapes.
func encoded(token json.Token) string {
	if token == nil {
		return "null"
	}
	text, ok := token.(string)
	if !ok {
		return fmt.Sprint(token)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// name returns the name of a member, or "" for an element of a list.
func (v value) name(i int) string {
	if v.names == nil {
		return ""
	}
	return v.names[i]
}

// short returns the value with only one record of a list or page.
func (v value) short() value {
	if v.open == "[" && len(v.values) > 1 && v.values[0].open != "" {
		v.values = v.values[:1]
	}
	for i, name := range v.names {
		if name == `"value": ` {
			v.values[i] = v.values[i].short()
		}
	}
	return v
}

// line returns the value on one line.
func (v value) line() string {
	if v.open == "" {
		return v.literal
	}
	var parts []string
	for i, inner := range v.values {
		parts = append(parts, v.name(i)+inner.line())
	}
	return v.open + strings.Join(parts, ", ") + v.close
}

// lines returns the value on lines that fit the width, the first of which
// begins at a column. Short members share a line.
func (v value) lines(indent string, column int) string {
	line := v.line()
	if v.open == "" || len(v.values) == 0 || column+len(line) < columns {
		return line
	}
	inside := indent + "  "
	var b strings.Builder
	b.WriteString(v.open)
	width := columns // nothing follows the opening bracket on its line
	for i, inner := range v.values {
		part, end := v.name(i)+inner.line(), ","
		if i == len(v.values)-1 {
			end = ""
		}
		if width > len(inside) && width+1+len(part)+len(end) <= columns {
			b.WriteString(" " + part + end)
			width += 1 + len(part) + len(end)
			continue
		}
		b.WriteString("\n" + inside)
		part = v.name(i) + inner.lines(inside, len(inside)+len(v.name(i)))
		b.WriteString(part + end)
		width = len(inside) + len(part) + len(end)
		if strings.Contains(part, "\n") {
			width = columns
		}
	}
	b.WriteString("\n" + indent + v.close)
	return b.String()
}
