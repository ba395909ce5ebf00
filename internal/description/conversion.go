package description

import (
	"fmt"
	"slices"
	"strings"
)

// Conversion describes how a record is converted to the body of the operation
// that replaces it.
type Conversion struct {
	Operation *Operation // operation that replaces the record; nil for a nested object
	Record    *Schema
	Body      *Schema
	Members   []Converted // members of the body, in order
}

// Beside returns the names of the members that the conversion does not copy:
// members of the record without a counterpart in the body, and members of the
// body that it drops.
func (c *Conversion) Beside() (names []string) {
	if c.Record.Kind == Record {
		names = append(names, "href", "relation", "rel", "method", "self")
	}
	for _, m := range c.Record.Members {
		used := func(to Converted) bool { return to.From == m || to.With == m }
		if !slices.ContainsFunc(c.Members, used) {
			names = append(names, m.Name)
		}
	}
	for _, to := range c.Members {
		if to.Fate != Kept && to.Fate != Unreadable && !slices.Contains(names, to.Name) {
			names = append(names, to.Name)
		}
	}
	return names
}

// Converted is a member of the body.
type Converted struct {
	*Member
	Fate Fate
	From *Member     // member of the record; nil unless the fate is Kept
	With *Member     // member whose text is appended to that of From, if the form is Behind
	Form Form        // form in which the value is copied
	Of   *Conversion // conversion of nested objects, if the form is one of objects
}

// Fate determines how a conversion treats a member of the body.
type Fate string

// Values of Fate.
const (
	Kept        Fate = "kept"
	Instruction Fate = "instruction" // an instruction for the change, not a part of the state
	Unreadable  Fate = "unreadable"  // state that cannot be read back
	Superseded  Fate = "superseded"  // an older form of another member
)

// Form determines how a value is copied.
type Form string

// Values of Form.
const (
	AsItIs    Form = "="
	Time      Form = "time"    // copied, unless it is the date that the service uses for "none"
	IDOf      Form = "id"      // the id of a link
	IDsOf     Form = "ids"     // the ids of several links
	InObject  Form = "object"  // member by member
	InObjects Form = "objects" // each element of a list
	ByName    Form = "name"    // the value of another enumeration with the same name
	TextsOf   Form = "texts"   // the texts of an object that may hold other values
	Behind    Form = "joined"  // a text with another one behind it
)

// Conversions returns the conversions of all operations that replace a
// readable record, and the members without a counterpart in the record.
func (d *Document) Conversions() (all []*Conversion, problems []string) {
	for o := range d.Operations() {
		record := d.readAt(o.Path)
		if !o.Replaces || record == nil || o.Body == nil || o.Body.Type.Ref == nil {
			continue
		}
		c := &Conversion{Operation: o, Record: record, Body: o.Body.Type.Ref}
		problems = append(problems, c.match(0)...)
		all = append(all, c)
	}
	return all, problems
}

// readAt returns the record that a GET of the path returns. If it returns a
// page, as for a folder, readAt returns the page. It returns nil if there is
// neither.
func (d *Document) readAt(path string) *Schema {
	o := d.At("GET", path)
	if o == nil || o.Answer == nil || o.Answer.Ref == nil {
		return nil
	}
	if kind := o.Answer.Ref.Kind; kind == Page || kind == Record && o.Paging == nil {
		return o.Answer.Ref
	}
	return nil
}

// match finds the counterpart in the record of each member of the body.
func (c *Conversion) match(depth int) (problems []string) {
	for _, m := range c.Body.Members {
		one := Converted{Member: m}
		switch {
		case m.Fate != "":
			one.Fate = m.Fate
		case m.Deprecated:
			one.Fate = Superseded
		case !one.find(c.Record):
			problems = append(problems, fmt.Sprintf("%s.%s: %s does not have this member: add instruction, unreadable or from", c.Body.Name, m.Name, c.Record.Name))
		case depth < 8:
			problems = append(problems, one.inside(depth)...)
		}
		c.Members = append(c.Members, one)
	}
	return problems
}

// find looks for the member of the record with the same name, or for the links
// whose ids the body contains, and reports whether there is one.
func (one *Converted) find(record *Schema) bool {
	m := one.Member
	if first, second, joined := strings.Cut(m.From, "+"); joined {
		one.Fate, one.Form, one.From, one.With = Kept, Behind, record.Member(first), record.Member(second)
		return isText(one.From) && isText(one.With)
	}
	names := []string{m.Name}
	if m.From != "" {
		names = []string{m.From}
	}
	for _, name := range names {
		for _, base := range append([]string{name}, linkNames(name)...) {
			from := record.Member(base)
			if form := formOf(from, m); form != "" {
				one.Fate, one.From, one.Form = Kept, from, form
				return true
			}
		}
	}
	return false
}

// linkNames returns the names of the links whose ids a member contains: matter
// for matterId, clients for clientIds, supervisor for supervisorStaffId.
func linkNames(name string) (names []string) {
	if one, is := strings.CutSuffix(name, "Id"); is {
		names = append(names, one, strings.TrimSuffix(one, "Staff"))
	}
	if several, is := strings.CutSuffix(name, "Ids"); is {
		short := strings.TrimSuffix(several, "Staff")
		names = append(names, several+"s", short+"s", several, short)
	}
	return names
}

// formOf returns the form in which a value is copied to a member, or "" if it
// cannot be copied.
func formOf(from, to *Member) Form {
	if from == nil {
		return ""
	}
	a, b := from.Type, to.Type
	link := func(t *Type) bool { return t != nil && t.Kind == Ref && t.Ref.Name == "Link" }
	texts := []Kind{Text, UUID, EnumText}
	is := func(t *Type) bool { return t != nil && slices.Contains(texts, t.Kind) }
	switch {
	case isTime(a.Kind) && isTime(b.Kind):
		return Time
	case link(a) && is(b):
		return IDOf
	case a.Kind == List && link(a.Elem) && b.Kind == List && is(b.Elem):
		return IDsOf
	case a.Kind == Ref && b.Kind == Ref:
		return InObject
	case a.Kind == List && b.Kind == List && a.Elem.Kind == Ref && b.Elem.Kind == Ref:
		return InObjects
	case a.Kind == EnumText && b.Kind == EnumNumber:
		return ByName
	case (a.Kind == Object || a.Kind == Map && a.Elem.Kind == Any) && b.Kind == Map && is(b.Elem):
		return TextsOf
	case a.Kind == b.Kind && (a.Kind != List || a.Elem.Kind == b.Elem.Kind), is(a) && is(b), a.Kind == List && b.Kind == List && is(a.Elem) && is(b.Elem):
		return AsItIs
	case isFree(a.Kind) && isFree(b.Kind):
		return AsItIs
	}
	return ""
}

func isText(m *Member) bool { return m != nil && m.Type.Kind == Text }

func isTime(k Kind) bool { return k == Instant || k == Day || k == DayOrInstant || k == LocalTime }

func isFree(k Kind) bool { return k == Object || k == Map || k == Any }

// inside matches the members of nested objects and returns the problems.
func (one *Converted) inside(depth int) []string {
	from, to := one.From.Type, one.Type
	switch one.Form {
	case InObjects:
		from, to = from.Elem, to.Elem
	case InObject:
	default:
		return nil
	}
	one.Of = &Conversion{Record: from.Ref, Body: to.Ref}
	return one.Of.match(depth + 1)
}
