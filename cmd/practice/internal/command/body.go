package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/internal/spelling"
	"github.com/practicesdk/practice-go/internal/textfile"
	"github.com/practicesdk/practice-go/models"
)

// bodyText returns the body of the command line as JSON, or nil for none.
func (k *call) bodyText(given bool) (any, error) {
	if !given && len(k.set) == 0 && len(k.null) == 0 {
		return nil, nil //nolint:nilnil // no body is no error
	}
	kind := reflect.TypeOf(k.operation.NewBody()).Elem()
	value, err := k.givenBody(given)
	if err != nil {
		return nil, misuse{fmt.Errorf("--body: %w", err)}
	}
	all, err := k.assignments()
	if err != nil {
		return nil, err
	}
	var set []string
	for _, a := range all {
		if slices.ContainsFunc(set, func(earlier string) bool { return within(earlier, a.path) }) {
			err = errors.New("the member is set more than once")
		} else {
			value, err = k.assign(value, kind, a.path, a.text, a.raw)
		}
		if err != nil {
			return nil, misuse{fmt.Errorf("%s %s: %w", a.flag, a.given, err)}
		}
		set = append(set, a.path)
	}
	text, err := json.Marshal(value)
	return text, err
}

// comments matches the comments of a skeleton. They are whole lines, and a JSON
// string cannot contain a line break.
var comments = regexp.MustCompile(`(?m)^[ \t]*//.*$`)

// read returns the text itself, that of the file for @FILE, or that of stdin
// for -.
func (a *app) read(body string) (string, error) {
	text, err := []byte(body), error(nil)
	switch {
	case body == "-":
		text, err = io.ReadAll(a.In)
	case strings.HasPrefix(body, "@"):
		text, err = os.ReadFile(body[1:])
	}
	if err != nil {
		return "", err
	}
	return textfile.Decode(text)
}

// givenBody reads --body. Numbers keep all their digits.
func (k *call) givenBody(given bool) (value any, err error) {
	if !given {
		return nil, nil //nolint:nilnil // members make an object or a list of it
	}
	text, err := k.read(k.body)
	if err != nil {
		return nil, err
	}
	body := []byte(comments.ReplaceAllString(text, ""))
	if err := json.Unmarshal(body, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	if value, err = rows.Decode(body); value == nil {
		err = cmp.Or(err, errors.New("the body must not be null"))
	}
	return value, err
}

// assignment is a value of --set, or a member of --null.
type assignment struct {
	flag, given, path, text string
	raw                     bool // the text is JSON
}

// assignments returns the values of --set, which are path=text or path:=JSON,
// and then the members of --null.
func (k *call) assignments() (all []assignment, err error) {
	for _, given := range k.set {
		path, text, found := strings.Cut(given, "=")
		path, raw := strings.CutSuffix(path, ":")
		if !found || path == "" {
			return all, misuse{fmt.Errorf("--set %s: the value must have the form member=value", given)}
		}
		all = append(all, assignment{"--set", given, path, text, raw})
	}
	for _, path := range k.null {
		all = append(all, assignment{"--null", path, path, "null", true})
	}
	return all, nil
}

var step = regexp.MustCompile(`^(?:\.?([^.\[\]]+)|\[(\d{1,4})\])`)

// assign sets the member at a path. It creates the objects and lists along the
// path.
func (k *call) assign(value any, kind reflect.Type, path, text string, raw bool) (any, error) {
	if path == "" {
		return valueOf(kind, text, raw, k.zone)
	}
	match := step.FindStringSubmatch(path)
	if match == nil {
		return nil, fmt.Errorf("%q is not a valid path", path)
	}
	rest := path[len(match[0]):]
	kind = shape.Plain(kind)
	if match[2] != "" {
		return k.assignElement(value, kind, match[2], rest, text, raw)
	}
	object, ok := value.(map[string]any)
	switch {
	case kind != nil && kind.Kind() == reflect.Slice:
		return nil, fmt.Errorf("a list has no member %s: use [0].%s for the first element", match[1], match[1])
	case value != nil && !ok:
		return nil, fmt.Errorf("the value that contains %s is not an object", match[1])
	}
	if object == nil {
		object = map[string]any{}
	}
	member, err := memberType(kind, match[1], "--skeleton")
	if err == nil && rest == "" && !raw {
		err = documented(kind, match[1], member, text)
	}
	if err != nil {
		return nil, err
	}
	object[match[1]], err = k.assign(object[match[1]], member, rest, text, raw)
	return object, err
}

// documented returns an error for a text that is none of the published values
// of a member, or of its elements.
func documented(kind reflect.Type, name string, member reflect.Type, text string) error {
	if kind == nil {
		return nil
	}
	all := members.Of(kind.Name())
	i := slices.IndexFunc(all, func(m members.Member) bool { return m.Name == name })
	if i < 0 || all[i].Values == nil || all[i].Free || text == "" {
		return nil
	}
	given := []string{text}
	if shape.Plain(member).Kind() == reflect.Slice {
		given, _ = elementsOf(text) // valueOf returns the error
	}
	return published(given, all[i].Values, ":=")
}

// published returns an error if a text is none of the published values. way is
// what sends other values.
func published(given, values []string, way string) error {
	for _, text := range given {
		if err := oneOf(text, values); err != nil {
			return fmt.Errorf("%w; use %s to send a different value", err, way)
		}
	}
	return nil
}

// oneOf returns an error with all values for a text that is none of them. A
// number may have a name behind it.
func oneOf(text string, values []string) error {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = value
		if number, name, named := strings.Cut(value, " ("); named && strings.Trim(number, "0123456789") == "" {
			words[i] = number
			if strings.EqualFold(text, strings.TrimSuffix(name, ")")) {
				return fmt.Errorf("%q must be written as %s", text, number)
			}
		}
	}
	if slices.Contains(words, text) {
		return nil
	}
	return fmt.Errorf("%q is not one of %s%s", text, strings.Join(values, ", "), spelling.DidYouMean(text, words))
}

func (k *call) assignElement(value any, kind reflect.Type, index, rest, text string, raw bool) (any, error) {
	elements, ok := value.([]any)
	if value != nil && !ok {
		return nil, fmt.Errorf("the value that contains [%s] is not a list", index)
	}
	i, err := strconv.Atoi(index)
	if err != nil || i > len(elements) {
		return nil, fmt.Errorf("index [%s] is out of sequence: indexes must be consecutive", index)
	}
	if i == len(elements) {
		elements = append(elements, nil)
	}
	var element reflect.Type
	if kind != nil && kind.Kind() == reflect.Slice {
		element = kind.Elem()
	}
	elements[i], err = k.assign(elements[i], element, rest, text, raw)
	return elements, err
}

// memberType returns the type of a member by its JSON name. It returns nil
// inside objects with arbitrary members. The error names the flag that lists
// all members.
func memberType(kind reflect.Type, name, shows string) (reflect.Type, error) {
	if kind == nil || kind.Kind() != reflect.Struct || kind == reflect.TypeFor[models.Object]() {
		if kind != nil && kind.Kind() == reflect.Map {
			return kind.Elem(), nil
		}
		return nil, nil //nolint:nilnil // any type
	}
	var names []string
	for _, field := range reflect.VisibleFields(kind) {
		switch tag := shape.NameOf(field); tag {
		case name:
			return field.Type, nil
		case "":
		default:
			names = append(names, tag)
		}
	}
	if len(names) == 0 { // a value with its own JSON form
		return nil, nil //nolint:nilnil // any type
	}
	return nil, fmt.Errorf("unknown member %s%s", name, cmp.Or(spelling.DidYouMean(name, names), "; use "+shows+" to see all members"))
}

// along follows a path, such as staff.id, through the types of members. It
// returns nil inside objects with arbitrary members. shows is the flag that
// lists all members.
func along(kind reflect.Type, path, shows string) (reflect.Type, error) {
	for name := range strings.SplitSeq(path, ".") {
		var err error
		switch kind = shape.Plain(kind); {
		case kind == nil || path == "":
			return nil, nil //nolint:nilnil // any type
		case kind.Kind() == reflect.Slice:
			kind = kind.Elem()
		case kind.Kind() != reflect.Struct && kind.Kind() != reflect.Map && kind.Kind() != reflect.Interface:
			return nil, fmt.Errorf("a %s has no member %s", kind.Kind(), name)
		default:
			if kind, err = memberType(kind, name, shows); err != nil {
				return nil, err
			}
		}
	}
	return kind, nil
}

// valueOf returns a text as a JSON value of its type.
func valueOf(kind reflect.Type, text string, raw bool, in zone) (any, error) {
	kind = shape.Plain(kind)
	if raw || kind == nil && json.Valid([]byte(text)) {
		if !json.Valid([]byte(text)) {
			return nil, errors.New("not valid JSON")
		}
		return json.RawMessage(text), nil
	}
	switch {
	case kind == nil, kind.Kind() == reflect.String:
		return text, nil
	case kind == reflect.TypeFor[models.DateTime]():
		at, err := parseTime(text, in)
		return at.UTC().Format(time.RFC3339Nano), err
	case kind == reflect.TypeFor[models.LocalDateTime]():
		at, err := clockTime(text, in)
		return at.Format("2006-01-02T15:04:05"), err
	case kind == reflect.TypeFor[models.Date]():
		at, err := clockTime(text, in)
		return at.Format(time.DateOnly), err
	case kind.Kind() == reflect.Slice && text == "":
		return []any{}, nil
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.String:
		return elementsOf(text)
	}
	return scalarOf(kind, strings.TrimSpace(text))
}

// elementsOf returns the texts of a list that is written with commas.
func elementsOf(text string) (all []string, err error) {
	for element := range strings.SplitSeq(text, ",") {
		if element = strings.TrimSpace(element); element == "" {
			return nil, errors.New("the list contains an empty element; use := to set the list as JSON")
		}
		all = append(all, element)
	}
	return all, nil
}

// literal matches a JSON number or boolean.
var literal = regexp.MustCompile(`^(-?\d.*|true|false)$`)

// scalarOf returns a text as the number, boolean or string that its type can
// decode.
func scalarOf(kind reflect.Type, text string) (any, error) {
	switch {
	case literal.MatchString(text) && reads(kind, text):
		return json.RawMessage(text), nil
	case reads(kind, string(encode(text))):
		return text, nil
	case reads(kind, "1"):
		return nil, errors.New("must be a number")
	case reads(kind, "true"):
		return nil, errors.New("must be true or false")
	}
	return nil, errors.New("the value is an object or a list: set its members or elements, or use := to set the whole value as JSON")
}

// reads reports whether a type can decode a JSON text.
func reads(kind reflect.Type, text string) bool {
	return json.Unmarshal([]byte(text), reflect.New(kind).Interface()) == nil
}
