package operations

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/internal/idfield"
)

// Fact is an id of a firm with its name for programs, such as MATTER_ID.
type Fact struct{ Name, Value string }

// Facts returns the ids of a firm, without those of other firms.
func Facts(firm Firm) []Fact {
	var facts []Fact
	for field, value := range reflect.ValueOf(firm).Fields() {
		if value.Kind() == reflect.String && !strings.HasPrefix(field.Name, "Other") {
			facts = append(facts, Fact{factName(field.Name), value.String()})
		}
	}
	return facts
}

// FirmOf returns a firm with the ids that value returns by name; value returns
// "" for an unknown one.
func FirmOf(value func(name string) string) Firm {
	var firm Firm
	for field, into := range reflect.ValueOf(&firm).Elem().Fields() {
		if into.Kind() == reflect.String && !strings.HasPrefix(field.Name, "Other") {
			into.SetString(value(factName(field.Name)))
		}
	}
	return firm
}

// factName returns the name of a fact: MATTER_ID for MatterID.
func factName(field string) string {
	var b strings.Builder
	letters := []rune(field)
	for i, letter := range letters {
		if i > 0 && unicode.IsUpper(letter) && unicode.IsLower(letters[i-1]) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(letter))
	}
	return b.String()
}

// fields returns the names of the ids of Firm.
func fields() (names []string) {
	for field := range reflect.TypeFor[Firm]().Fields() {
		if field.Type.Kind() == reflect.String {
			names = append(names, field.Name)
		}
	}
	return names
}

// IDFor returns the id of a firm for a name such as updatedByUserId, or "".
func IDFor(firm Firm, name string) string {
	field := idfield.LongestEnd(fields(), name)
	if field == "" {
		return ""
	}
	return reflect.ValueOf(firm).FieldByName(field).String()
}
