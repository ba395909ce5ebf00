package description

import "fmt"

// Kind is the kind of a type.
type Kind string

// The kinds. The text in front of each is the word in the files.
const (
	Text          Kind = "text"
	UUID          Kind = "uuid"
	Integer       Kind = "integer" // int32, int64
	Decimal       Kind = "decimal"
	Boolean       Kind = "bool"
	Instant       Kind = "instant"
	Day           Kind = "day"
	DayOrInstant  Kind = "dayOrInstant" // the interface does not document which
	LocalTime     Kind = "localTime"    // a clock time without a zone
	Ticks         Kind = "ticks"        // of 100 nanoseconds since the year 1
	Object        Kind = "object"       // with any members
	ObjectOrList  Kind = "objectOrList"
	TextOrInteger Kind = "textOrInteger"
	Any           Kind = "any"
	Binary        Kind = "binary"
	List          Kind = "list"
	Map           Kind = "map" // keys are texts
	Ref           Kind = "ref"
	EnumText      Kind = "enumText"
	EnumNumber    Kind = "enumNumber"
)

// Type is the type of a value.
type Type struct {
	Kind Kind
	Bits int     // 32 or 64 of an Integer
	Elem *Type   // of a List or Map
	Ref  *Schema // of a Ref
	Enum *Enum   // of an EnumText or EnumNumber
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

// Enum is an enumeration. Readers take every value; Values are the known ones.
type Enum struct {
	Name    string
	Prefix  string // of its constants in Go: Name, unless the file sets another
	Doc     string // the predicate of a sentence whose subject is the name
	Area    *Area
	Number  bool
	Open    bool // writers may send other values too
	Free    bool // any other text has leave to be sent
	Planned bool // reached only by planned operations
	Values  []EnumValue
	Pos     Pos
}

// EnumValue is a known value of an enumeration.
type EnumValue struct {
	Name  string // the suffix of its Go constant; empty when its meaning is not published
	Value string // as in JSON, without quotes
	Doc   string // a few words; empty if the name explains itself
}
