package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
)

// goCall is a call as Go source.
type goCall struct {
	variables []string // ids that it needs, in order
	writes    bool     // it needs a writer w
	result    string   // variable of its result besides the error; "" for none
	text      string   // statements of a function that returns an error
}

// goColumns is the length from which a composite literal has one line for each
// field.
const goColumns = 80

// callSource writes values as Go source.
type callSource struct {
	constants map[string]string // names by type and value
	variables map[string]string // variables by the id that they replace
	call      goCall
	before    string // statements
	fault     error  // value without a Go source
}

// goCallOf returns the source of the valid call of an operation. constants is
// the result of constantsOf.
func goCallOf(op operations.Operation, constants map[string]string) (goCall, error) {
	s := &callSource{constants: constants, variables: map[string]string{}}
	firm := operations.FirmOf(func(name string) string {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(s.variables)+1)
		s.variables[id] = variable(name)
		return id
	})
	arguments := []string{"ctx"}
	for _, argument := range op.Arguments(firm) {
		if _, writer := argument.(io.Writer); writer {
			s.call.writes = true
			arguments = append(arguments, "w")
			continue
		}
		arguments = append(arguments, s.value(reflect.ValueOf(argument), false))
	}
	results := "err"
	if method := op.Method(); method.NumOut() > 1 {
		s.call.result = resultName(method.Out(0))
		results = s.call.result + ", err"
	}
	source, err := format.Source([]byte(s.before + results + " := client." + op.Name + "(" + strings.Join(arguments, ", ") + ")"))
	if err != nil {
		return goCall{}, fmt.Errorf("%s: %w", op.Name, err)
	}
	s.call.text = string(source)
	return s.call, s.fault
}

// variable returns a variable name, such as matterID for MATTER_ID.
func variable(fact string) string {
	var b strings.Builder
	for i, word := range strings.Split(fact, "_") {
		switch {
		case i == 0:
			b.WriteString(strings.ToLower(word))
		case word == "ID":
			b.WriteString(word)
		default:
			b.WriteString(word[:1] + strings.ToLower(word[1:]))
		}
	}
	return b.String()
}

// resultName returns a name for the result of a method.
func resultName(kind reflect.Type) string {
	many := ""
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice && kind.Elem().Kind() != reflect.Uint8 {
		if kind.Kind() == reflect.Slice {
			many = "s"
		}
		kind = kind.Elem()
	}
	name, _, _ := strings.Cut(kind.Name(), "[")
	switch {
	case strings.HasSuffix(name, "Page"):
		return "page"
	case kind.Kind() == reflect.Slice:
		return "data"
	case name == "string":
		return "text" + many
	case name == "int64":
		return "n"
	default:
		return strings.ToLower(name[:1]) + name[1:] + many
	}
}

// value returns the source of a value. If typed is set, the source has the type
// of the value.
func (s *callSource) value(v reflect.Value, typed bool) string {
	if text, ok := s.special(v); ok {
		return text
	}
	switch v.Kind() {
	case reflect.String:
		return s.basic(v, s.quoted(v.String()), typed && v.Type() != reflect.TypeFor[string]())
	case reflect.Bool:
		return s.basic(v, strconv.FormatBool(v.Bool()), false)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return s.basic(v, strconv.FormatInt(v.Int(), 10), typed && v.Type() != reflect.TypeFor[int]())
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, s.element(v.Index(i)))
		}
		return composite(v.Type(), items)
	case reflect.Map:
		var items []string
		for _, key := range slices.SortedFunc(maps.Keys(keysOf(v)), strings.Compare) {
			items = append(items, strconv.Quote(key)+": "+s.value(v.MapIndex(reflect.ValueOf(key)), false))
		}
		return composite(v.Type(), items)
	case reflect.Struct:
		var items []string
		for field, value := range v.Fields() {
			if field.IsExported() && !value.IsZero() {
				items = append(items, field.Name+": "+s.value(value, false))
			}
		}
		return composite(v.Type(), items)
	default:
		s.fault = fmt.Errorf("cannot write a %s as Go source", v.Type())
		return ""
	}
}

func keysOf(v reflect.Value) map[string]bool {
	keys := map[string]bool{}
	for key := range v.Seq() {
		keys[key.String()] = true
	}
	return keys
}

// element returns the source of a list element. It omits the type, which the
// list determines.
func (s *callSource) element(v reflect.Value) string {
	text := s.value(v, false)
	if fields, composite := strings.CutPrefix(text, typeName(v.Type())+"{"); composite {
		return "{" + fields
	}
	return text
}

// basic returns a constant, a literal, or a conversion of a literal.
func (s *callSource) basic(v reflect.Value, literal string, convert bool) string {
	if name := s.constants[v.Type().Name()+" "+literal]; name != "" && v.Type().PkgPath() != "" {
		return packageOf(v.Type()) + "." + name
	}
	if convert {
		return typeName(v.Type()) + "(" + literal + ")"
	}
	return literal
}

// quoted returns a string literal, or a variable for an id.
func (s *callSource) quoted(text string) string {
	for id, name := range s.variables {
		before, after, found := strings.Cut(text, id)
		if !found {
			continue
		}
		if !slices.Contains(s.call.variables, name) {
			s.call.variables = append(s.call.variables, name)
		}
		source := name
		if before != "" {
			source = strconv.Quote(before) + " + " + source
		}
		if after != "" {
			source += " + " + strconv.Quote(after)
		}
		return source
	}
	return strconv.Quote(text)
}

// special returns the source of a value whose type has no literal, and false
// for other values.
func (s *callSource) special(v reflect.Value) (source string, ok bool) {
	if strings.HasPrefix(v.Type().Name(), "Opt[") {
		return s.optional(v), true
	}
	if !v.CanInterface() {
		return "", false
	}
	switch value := v.Interface().(type) {
	case models.Decimal:
		return "models.MustDecimal(" + strconv.Quote(value.String()) + ")", true
	case models.Date:
		return "models.DateOf(" + timeSource(time.Date(value.Year(), value.Month(), value.Day(), 0, 0, 0, 0, time.UTC)) + ")", true
	case models.DateTime:
		return "models.DateTimeOf(" + timeSource(value.Time()) + ")", true
	case models.LocalDateTime:
		hour, minute, sec := value.Clock()
		day := value.Date()
		return "models.LocalDateTimeOf(" + timeSource(time.Date(day.Year(), day.Month(), day.Day(), hour, minute, sec, 0, time.UTC)) + ")", true
	case time.Time:
		return timeSource(value), true
	case models.Secret:
		return "models.NewSecret(" + strconv.Quote(value.Reveal()) + ")", true
	case models.SecretObject:
		return "models.NewSecretObject(" + s.object(value.Reveal()) + ")", true
	case models.Object:
		return s.object(value), true
	case json.RawMessage:
		return "json.RawMessage(" + strconv.Quote(string(value)) + ")", true
	default:
		return "", false
	}
}

func (s *callSource) optional(v reflect.Value) string {
	got := v.MethodByName("Get").Call(nil)
	if !got[1].Bool() {
		return "models.Null[" + typeName(got[0].Type()) + "]()"
	}
	return "models.Some(" + s.value(got[0], true) + ")"
}

// object adds a statement that parses an object, because parsing returns an
// error.
func (s *callSource) object(o models.Object) string {
	s.before += "object, err := models.ParseObject(`" + o.String() + "`)\nif err != nil {\nreturn err\n}\n"
	return "object"
}

func timeSource(t time.Time) string {
	return fmt.Sprintf("time.Date(%d, time.%s, %d, %d, %d, %d, %d, time.UTC)", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
}

// composite returns a composite literal on one line, or with one line for each
// item.
func composite(kind reflect.Type, items []string) string {
	line := typeName(kind) + "{" + strings.Join(items, ", ") + "}"
	if len(line) <= goColumns && !strings.Contains(line, "\n") {
		return line
	}
	return typeName(kind) + "{\n" + strings.Join(items, ",\n") + ",\n}"
}

func typeName(kind reflect.Type) string {
	switch {
	case kind.PkgPath() != "":
		return packageOf(kind) + "." + kind.Name()
	case kind.Kind() == reflect.Slice:
		return "[]" + typeName(kind.Elem())
	case kind.Kind() == reflect.Map:
		return "map[" + typeName(kind.Key()) + "]" + typeName(kind.Elem())
	default:
		return kind.String()
	}
}

// packageOf returns the package of a type: models for models.Fee.
func packageOf(kind reflect.Type) string {
	name, _, _ := strings.Cut(kind.String(), ".")
	return strings.TrimLeftFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}
