package records

import (
	"reflect"
	"slices"

	"github.com/practicesdk/practice-go/internal/description"
)

// link is a reference to another record.
type link struct {
	ID       string `json:"id"`
	Href     string `json:"href"`
	Relation string `json:"relation"`
	Method   string `json:"method"`
}

// plainOf returns the struct that a program without the library would write for
// a schema: the same members for encoding/json, and no methods. A nested record
// is a pointer, because it may be null; money is float64; times are strings,
// because time.Time refuses a time without a zone. A recursive record is nested
// only once, since reflection cannot create recursive types.
func plainOf(s *description.Schema, within ...*description.Schema) reflect.Type {
	if outer := slices.Index(within, s); outer >= 0 && slices.Contains(within[outer+1:], s) {
		return reflect.TypeFor[struct{}]()
	}
	within = append(slices.Clone(within), s)
	var m members
	if s.Kind == description.Record || s.Kind == description.Page {
		m.add(reflect.TypeFor[string](), "href", "relation", "method")
		m.add(reflect.TypeFor[*link](), "self")
	}
	if s.Kind == description.Page {
		m.addPage(plainOf(s.Elem, within...))
	}
	for _, member := range s.Members {
		m.add(plainType(member.Type, within), member.Name)
	}
	return reflect.StructOf(m)
}

// PlainPage returns the struct that a program without the library would write
// for a page.
func PlainPage(record reflect.Type) reflect.Type {
	var m members
	m.addPage(record)
	return reflect.StructOf(m)
}

// members holds the fields of a struct for encoding/json.
type members []reflect.StructField

func (m *members) add(t reflect.Type, names ...string) {
	for _, name := range names {
		*m = append(*m, reflect.StructField{Name: description.GoName(name), Type: t, Tag: reflect.StructTag(`json:"` + name + `"`)})
	}
}

func (m *members) addPage(record reflect.Type) {
	m.add(reflect.TypeFor[string](), "id")
	m.add(reflect.SliceOf(record), "value")
	m.add(reflect.TypeFor[int](), "offset", "limit", "size")
	m.add(reflect.TypeFor[*link](), "first", "previous", "next", "last")
}

func plainType(t *description.Type, within []*description.Schema) reflect.Type {
	switch t.Kind {
	case description.List:
		if t.Elem.Kind == description.Ref {
			return reflect.SliceOf(plainOf(t.Elem.Ref, within...))
		}
		return reflect.SliceOf(plainType(t.Elem, within))
	case description.Map:
		return reflect.MapOf(reflect.TypeFor[string](), plainType(t.Elem, within))
	case description.Ref:
		return reflect.PointerTo(plainOf(t.Ref, within...))
	case description.Integer, description.Ticks, description.EnumNumber:
		return reflect.TypeFor[int64]()
	case description.Decimal:
		return reflect.TypeFor[float64]()
	case description.Boolean:
		return reflect.TypeFor[bool]()
	case description.Object:
		return reflect.TypeFor[map[string]any]()
	case description.Any, description.ObjectOrList, description.TextOrInteger:
		return reflect.TypeFor[any]()
	default:
		return reflect.TypeFor[string]()
	}
}
