package command

import (
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/models"
)

// printSkeleton prints a body with all members of the operation. Each member
// has a comment, which --body ignores; with -o json there are none.
func (k *call) printSkeleton() error {
	s := skeleton{plain: k.format == formatJSON || k.format == formatLines}
	s.value(reflect.TypeOf(k.operation.NewBody()).Elem(), nil)
	_, err := io.WriteString(k.Out, s.String()+"\n")
	return err
}

// skeleton writes a body with all its possible members.
type skeleton struct {
	strings.Builder
	plain bool // without comments
}

// value writes a value of a type. within lists the enclosing types; an object
// inside one of its own type is written empty.
func (s *skeleton) value(kind reflect.Type, within []reflect.Type) {
	kind = shape.Plain(kind)
	line := "\n" + strings.Repeat("  ", len(within))
	switch example, known := sampleValues()[kind]; {
	case slices.Contains(within, kind):
		s.WriteString("{}")
	case known:
		s.WriteString(example)
	case kind.Kind() == reflect.Slice:
		s.WriteString("[" + line + "  ")
		s.value(kind.Elem(), append(slices.Clone(within), kind))
		s.WriteString(line + "]")
	case kind.Kind() == reflect.Map:
		s.WriteString("{" + line + `  "name": `)
		s.value(kind.Elem(), append(slices.Clone(within), kind))
		s.WriteString(line + "}")
	case kind.Kind() == reflect.Struct:
		s.WriteByte('{')
		s.object(kind, append(slices.Clone(within), kind))
		s.WriteString(line + "}")
	default:
		zero, _ := json.Marshal(reflect.Zero(kind).Interface()) // strings, numbers and booleans can be marshalled
		s.Write(zero)
	}
}

// sampleValues returns JSON values for types whose zero value has no JSON form.
func sampleValues() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[models.Decimal]():       "0.00",
		reflect.TypeFor[models.Ticks]():         "0",
		reflect.TypeFor[models.DateTime]():      `"2026-11-01T09:30:00Z"`,
		reflect.TypeFor[models.LocalDateTime](): `"2026-11-01T09:30:00"`,
		reflect.TypeFor[models.Date]():          `"2026-11-01"`,
		reflect.TypeFor[models.Secret]():        `""`,
		reflect.TypeFor[models.Object]():        "{}",
	}
}

// object writes the members of an object.
func (s *skeleton) object(kind reflect.Type, within []reflect.Type) {
	line, comma := "\n"+strings.Repeat("  ", len(within)), ""
	described := members.Of(kind.Name())
	for _, field := range reflect.VisibleFields(kind) {
		name := shape.NameOf(field)
		if name == "" {
			continue
		}
		s.WriteString(comma)
		comma = ","
		i := slices.IndexFunc(described, func(m members.Member) bool { return m.Name == name })
		if i >= 0 && !s.plain {
			for _, text := range fold(sentenceOf(described[i]), helpWidth-3-2*len(within)) {
				s.WriteString(line + "// " + text)
			}
		}
		s.WriteString(line + strconv.Quote(name) + ": ")
		if i >= 0 && len(described[i].Values) > 0 && shape.Plain(field.Type).Kind() != reflect.Slice {
			s.WriteString(firstValue(described[i].Values[0], shape.Plain(field.Type)))
			continue
		}
		s.value(field.Type, within)
	}
}

// sentenceOf returns the description of a member, with its published values.
func sentenceOf(m members.Member) string {
	text := m.Doc
	if m.Required {
		text += " Required."
	}
	if len(m.Values) > 0 {
		text += " One of " + strings.Join(m.Values, ", ") + "."
	}
	return text
}

// firstValue returns the first published value as JSON. For a number it omits
// the name.
func firstValue(text string, kind reflect.Type) string {
	if kind.Kind() == reflect.String {
		return string(encode(text))
	}
	number, _, _ := strings.Cut(text, " ")
	return number
}
