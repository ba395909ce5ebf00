package main

import (
	"fmt"

	"github.com/practicesdk/practice-go/internal/description"
)

// shape is the way the codec reads and writes values of a Go type.
type shape int

const (
	shapeText    shape = iota // string
	shapeInteger              // int or int64
	shapeBoolean              // bool
	shapeEnum                 // enumeration with methods
	shapeValue                // hand-written type with methods
	shapeRecord               // a record
	shapeList                 // a slice of elem
	shapeOption               // an Opt of elem
	shapeAdapted              // type that is read through another type, named by the conversion
)

// goType is the Go type of a field.
type goType struct {
	name    string // as written in Go
	shape   shape
	elem    *goType             // element of a list or option
	schema  *description.Schema // schema of a nested record
	enum    *description.Enum
	adapter string // pointer type of the conversion of an adapted type
}

// plainTypes returns the Go types of scalars.
func plainTypes() map[description.Kind]goType {
	return map[description.Kind]goType{
		description.Text:          {name: "string", shape: shapeText},
		description.UUID:          {name: "string", shape: shapeText}, // the service also has ids that are not UUIDs
		description.Integer:       {name: "int", shape: shapeInteger},
		description.Decimal:       {name: "Decimal", shape: shapeValue},
		description.Boolean:       {name: "bool", shape: shapeBoolean},
		description.Instant:       {name: "DateTime", shape: shapeValue},
		description.Day:           {name: "Date", shape: shapeValue},
		description.DayOrInstant:  {name: "DateTime", shape: shapeAdapted, adapter: "dayOrInstant"},
		description.LocalTime:     {name: "LocalDateTime", shape: shapeValue},
		description.Ticks:         {name: "Ticks", shape: shapeValue},
		description.Object:        {name: "Object", shape: shapeValue},
		description.Any:           {name: "json.RawMessage", shape: shapeAdapted, adapter: "anyValue"},
		description.TextOrInteger: {name: "CalendarEventCode", shape: shapeValue},
	}
}

// typeOf returns the Go type of a present value. It fails for an unknown type.
func typeOf(t *description.Type) (goType, error) {
	switch t.Kind {
	case description.List:
		elem, err := typeOf(t.Elem)
		if err == nil && (elem.shape == shapeList || elem.shape == shapeAdapted) {
			err = fmt.Errorf("a field cannot have the type %s", t)
		}
		return goType{name: "[]" + elem.name, shape: shapeList, elem: &elem}, err
	case description.Map:
		return mapType(t)
	case description.Ref:
		return goType{name: t.Ref.GoName, shape: shapeRecord, schema: t.Ref}, nil
	case description.EnumText, description.EnumNumber:
		return goType{name: t.Enum.Name, shape: shapeEnum, enum: t.Enum}, nil
	}
	found, ok := plainTypes()[t.Kind]
	if !ok {
		return goType{}, fmt.Errorf("a field cannot have the type %s", t)
	}
	return found, nil
}

// mapType returns the type of one of the three kinds of maps: of texts, of free
// values, and of lists of records.
func mapType(t *description.Type) (goType, error) {
	elem, err := typeOf(t.Elem)
	switch {
	case err != nil:
		return goType{}, err
	case elem.shape == shapeText:
		return goType{name: "map[string]string", shape: shapeAdapted, adapter: "textMap"}, nil
	case t.Elem.Kind == description.Any:
		return goType{name: "map[string]FreeValue", shape: shapeAdapted, adapter: "freeMap"}, nil
	case elem.shape == shapeList && elem.elem.shape == shapeRecord:
		return goType{name: "map[string]" + elem.name, shape: shapeAdapted, adapter: "listMap[" + elem.elem.name + "]"}, nil
	default:
		return goType{}, fmt.Errorf("a field cannot have the type %s", t)
	}
}

// typeOfMember returns the type of a present member. Independent of the
// declared type, money is exact, cents differ from dollars, and secrets are
// hidden. Sizes of contents, and numbers that serve as names, need 64 bits.
func typeOfMember(m *description.Member) (goType, error) {
	t := m.Type
	switch {
	case m.Unit == "cents" && (t.Kind == description.Integer || t.Kind == description.Decimal):
		return goType{name: "Cents", shape: shapeValue}, nil
	case m.Unit == "dollars" && t.Kind == description.Integer:
		return plainTypes()[description.Decimal], nil
	case t.Kind == description.Integer && (m.Unit == "bytes" || m.Unit == "digits"):
		return goType{name: "int64", shape: shapeInteger}, nil
	case m.Secret && (t.Kind == description.Text || t.Kind == description.UUID):
		return goType{name: "Secret", shape: shapeValue}, nil
	case m.Secret && t.Kind == description.Object:
		return goType{name: "SecretObject", shape: shapeValue}, nil
	case m.Secret:
		return goType{}, fmt.Errorf("a secret cannot have the type %s", t)
	default:
		return typeOf(t)
	}
}

// optional reports whether a type cannot represent absence, so that it needs an
// Opt to distinguish it from zero.
func (t goType) optional() bool {
	return t.shape == shapeInteger || t.shape == shapeBoolean || t.shape == shapeEnum && t.enum.Number
}

// opt returns an Opt of the type.
func (t goType) opt() goType {
	return goType{name: "Opt[" + t.name + "]", shape: shapeOption, elem: &t}
}
