package description

import "fmt"

// Kind is the kind of a type.
type Kind string

// Kinds of types, by their words in the files.
const (
	Text          Kind = "text"
	UUID          Kind = "uuid"
	Integer       Kind = "integer" // int32, int64
	Decimal       Kind = "decimal"
	Boolean       Kind = "bool"
	Instant       Kind = "instant"
	Day           Kind = "day"
	DayOrInstant  Kind = "dayOrInstant" // a date or an instant; the API does not document which
	LocalTime     Kind = "localTime"    // a clock time without a zone
	Ticks         Kind = "ticks"        // units of 100 nanoseconds since the year 1
	Object        Kind = "object"       // an object with arbitrary members
	ObjectOrList  Kind = "objectOrList"
	TextOrInteger Kind = "textOrInteger"
	Any           Kind = "any"
	Binary        Kind = "binary"
	List          Kind = "list"
	Map           Kind = "map" // an object with data as keys
	Ref           Kind = "ref"
	EnumText      Kind = "enumText"
	EnumNumber    Kind = "enumNumber"
)

// Type is the type of a value.
type Type struct {
	Kind Kind
	Bits int     // size of an Integer: 32 or 64
	Elem *Type   // element type of a List or Map
	Ref  *Schema // schema of a Ref
	Enum *Enum   // enumeration of an EnumText or EnumNumber
}

// String returns the type as the files write it.
func (t *Type) String() string {
	switch t.Kind {
	case Integer:
		return fmt.Sprintf("int%d", t.Bits)
	case List, Map:
		return fmt.Sprintf("%s of %s", t.Kind, t.Elem)
	case Ref:
		return t.Ref.Name
	case EnumText, EnumNumber:
		return t.Enum.Name
	default:
		return string(t.Kind)
	}
}

// Inner returns the type of the elements of nested lists and maps, and any
// other type itself.
func (t *Type) Inner() *Type {
	for t.Elem != nil {
		t = t.Elem
	}
	return t
}

// Reach returns the objects that values of the types consist of, each once and
// before those inside it.
func Reach(types ...*Type) (objects []*Schema) {
	found := map[*Schema]bool{}
	add := func(s *Schema) {
		if s != nil && !found[s] {
			found[s] = true
			objects = append(objects, s)
		}
	}
	for _, t := range types {
		add(t.Inner().Ref)
	}
	for next := 0; next < len(objects); { // the list grows
		s := objects[next]
		next++
		add(s.Elem)
		for _, m := range s.Members {
			add(m.Type.Inner().Ref)
		}
	}
	return objects
}

// Enum is an enumeration. Readers accept any value; Values lists the known
// ones.
type Enum struct {
	Name   string
	Prefix string // prefix of its Go constants: Name, unless the file sets another one
	Doc    string // predicate of a sentence whose subject is the name
	Area   *Area
	Number bool
	Open   bool // requests may contain other values, too
	Free   bool // the client sends any other string without an option
	Values []EnumValue
	Pos    Pos
}

// EnumValue is a known value of an enumeration.
type EnumValue struct {
	Name  string // suffix of its Go constant; empty if its meaning is not published
	Value string // value in JSON, without quotes
	Doc   string // a few words; empty if the name explains itself
}
