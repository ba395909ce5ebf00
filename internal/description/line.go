package description

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// line is a parsed "TYPE ATTRIBUTE..., SENTENCE", the form of a member and of a
// parameter.
type line struct {
	typeWords  []string // words of the type without marks
	mark       byte     // mark of the outermost type, ? or !; 0 if there is none
	attributes []string
	doc        string
}

// parseLine parses a line. The type ends with the first word that does not
// begin a longer type.
func parseLine(text string) line {
	head, doc, _ := strings.Cut(text, ", ")
	words := strings.Fields(head)
	l := line{doc: strings.TrimSpace(doc)}
	for len(words) > 0 {
		word := words[0]
		if last := len(word) - 1; last > 0 && len(l.typeWords) == 0 && (word[last] == '?' || word[last] == '!') {
			l.mark, word = word[last], word[:last]
		}
		words = words[1:]
		l.typeWords = append(l.typeWords, word)
		if (word == "list" || word == "map") && len(words) > 0 && words[0] == "of" {
			words = words[1:]
			continue
		}
		break
	}
	l.attributes = words
	return l
}

// simpleType returns the type of a word, or nil.
func simpleType(word string) *Type {
	switch word {
	case "int32":
		return &Type{Kind: Integer, Bits: 32}
	case "int64":
		return &Type{Kind: Integer, Bits: 64}
	}
	for _, kind := range []Kind{
		Text, UUID, Decimal, Boolean, Instant, Day, DayOrInstant, LocalTime, Ticks,
		Object, ObjectOrList, TextOrInteger, Any, Binary,
	} {
		if word == string(kind) {
			return &Type{Kind: kind}
		}
	}
	return nil
}

// typeOf returns the type of the words. It looks up names of schemas and
// enumerations, so all files must have been read.
func (l *loader) typeOf(words []string, at Pos) *Type {
	if len(words) == 0 {
		l.add(at, "the type is missing: begin the line with a type, as in \"text, is the name of the contact.\"")
		return &Type{Kind: Any}
	}
	word := words[0]
	if len(words) > 1 {
		return &Type{Kind: Kind(word), Elem: l.typeOf(words[1:], at)}
	}
	if simple := simpleType(word); simple != nil {
		return simple
	}
	if schema := l.document.Schemas[word]; schema != nil {
		return &Type{Kind: Ref, Ref: schema}
	}
	if enum := l.document.Enums[word]; enum != nil {
		kind := EnumText
		if enum.Number {
			kind = EnumNumber
		}
		return &Type{Kind: kind, Enum: enum}
	}
	l.add(at, "unknown type %q: use a type from README.md, or define a schema or an enumeration with this name", word)
	return &Type{Kind: Any}
}

// units lists the units of numbers.
var units = []string{"dollars", "cents", "percent", "minutes", "units", "bytes", "digits"}

var bounds = regexp.MustCompile(`^(-?[0-9.]*?)\.\.(-?[0-9.]*)$`)

// attribute parses one attribute with its value, and returns the number of
// words consumed.
func (m *Member) attribute(words []string) (int, error) {
	switch word := words[0]; {
	case word == "required":
		m.Required = true
	case word == "always":
		m.Always = true
	case word == "readonly":
		m.ReadOnly = true
	case word == "deprecated":
		m.Deprecated = true
	case word == "secret":
		m.Secret = true
	case word == "personal":
		m.Personal = true
	case word == "freetext":
		m.FreeText = true
	case word == "prefixed":
		m.LiteralPrefix = true
	case word == "clears":
		m.Clears = true
	case word == string(Instruction), word == string(Unreadable):
		m.Fate = Fate(word)
	case word == "closed":
		m.Closed = true
	case word == "anyzone":
		m.AnyZone = true
	case word == "uri":
		m.Format = word
	case slices.Contains(units, word):
		m.Unit = word
	case bounds.MatchString(word):
		return 1, m.bound(bounds.FindStringSubmatch(word))
	case len(words) > 1:
		return 2, m.valued(word, words[1])
	default:
		return 1, fmt.Errorf("unknown attribute %q; README.md lists them", word)
	}
	return 1, nil
}

func (m *Member) valued(name, value string) error {
	switch name {
	case "as":
		m.GoName = value
	case "in":
		m.Regions = strings.Split(value, "/")
	case "to":
		m.Target = value
	case "deletes":
		m.Deletes = value
	case "from":
		m.From = value
	case "only":
		m.Only = strings.Split(value, "/")
	case "default":
		m.Default = value
	case "matching":
		if _, err := regexp.Compile(value); err != nil {
			return fmt.Errorf("cannot parse the pattern: %w", err)
		}
		m.Pattern = value
	default:
		return fmt.Errorf("unknown attribute %q; README.md lists them", name)
	}
	return nil
}

// bound parses MIN..MAX: the length of a string, the number of elements of a
// list, or the range of a number. Either limit may be omitted.
func (m *Member) bound(ends []string) error {
	low, high := ends[1], ends[2]
	switch m.Type.Kind {
	case Text, UUID:
		return errorsOf(length(low, &m.MinLength), length(high, &m.MaxLength))
	case List:
		if low != "" {
			return fmt.Errorf("a list cannot have a minimum number of entries: use %q", ".."+high)
		}
		return length(high, &m.MaxItems)
	case Integer, Decimal:
		return errorsOf(number(low, &m.Minimum), number(high, &m.Maximum))
	default:
		return fmt.Errorf("a value of type %s cannot have bounds", m.Type)
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func length(text string, into **int) error {
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a valid length", text)
	}
	*into = &n
	return nil
}

func number(text string, into **string) error {
	if text == "" {
		return nil
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	*into = &text
	return nil
}
