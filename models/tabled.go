package models

import (
	"reflect"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// tabled is a record without code of its own: it returns its fields by number,
// and the code below reads and writes them. That compiles in a fraction of the
// time. Records that programs read by the thousand have code of their own
// instead.
type tabled interface {
	// field returns a pointer to the field of the member with that number in
	// the table, or to Extra for extraField, or the table for tableField. It is
	// one method because each method costs compile time.
	field(number int) any
}

// Numbers of fields that are not members.
const (
	extraField = -1 // the field Extra of records that have it
	tableField = -2
)

func tableOf(x tabled) *table { return x.field(tableField).(*table) }

// table describes the members of a tabled record. It must not be modified.
type table struct {
	names  []string // names in the order of the fields; behind them rel, when relation is one of them
	always []int    // the members that a body has also when they are zero
	rules  []rule   // rules of a body
	bodies []int    // the members of a body in which there are further rules
	closed bool     // a body: there is no Extra
	after  bool     // there is an afterUnmarshal method
}

// Links and records have a member that the service writes under either of two
// names.
const (
	relationName = "relation"
	relationTwin = "rel"
)

// twin returns the number of the other name of relation, or none.
func (t *table) twin() int {
	if last := len(t.names) - 1; last >= 0 && t.names[last] == relationTwin {
		return last
	}
	return len(t.names)
}

// readTabled reads a record that is zero.
func readTabled(x tabled, r *codec.Reader) error {
	t := tableOf(x)
	twin, rel := t.twin(), ""
	var err error
	m := r.Members(t.names)
	for err == nil && m.Next() {
		if m.Index == twin {
			err = codec.Text(&rel, r)
		} else {
			err = readValue(x.field(m.Index), r)
		}
	}
	if rel != "" {
		relation := x.field(slices.Index(t.names, relationName)).(*string)
		*relation = m.Alias(*relation, relationTwin, rel)
	}
	extra, err := m.End(err)
	if !t.closed {
		x.field(extraField).(*Extra).text = extra
	}
	if t.after && err == nil {
		x.(interface{ afterUnmarshal() }).afterUnmarshal()
	}
	return err
}

func writeTabled(x tabled, w *codec.Writer) error {
	t := tableOf(x)
	names := t.names[:t.twin()]
	w.BeginObject()
	for i, name := range names {
		writeField(x.field(i), name, slices.Contains(t.always, i), w)
	}
	if !t.closed {
		w.Extra(x.field(extraField).(*Extra).text, names)
	}
	w.EndObject()
	return w.Err()
}

// writeField writes a member, unless it is zero. A record is only known to be
// empty once it was written.
func writeField(field any, name string, always bool, w *codec.Writer) {
	switch v := field.(type) {
	case *string:
		if always || *v != "" {
			w.Member(name)
			_ = codec.WriteText(*v, w)
		}
		return
	case *bool:
		if always || *v {
			w.Member(name)
			_ = codec.WriteBool(*v, w)
		}
		return
	case *int:
		if always || *v != 0 {
			w.Member(name)
			_ = codec.WriteInt(*v, w)
		}
		return
	case value:
		if always || !v.IsZero() {
			w.Member(name)
			w.Check(v.write(w))
		}
		return
	case optional:
		if state, _ := v.parts(); always || *state != optOmitted {
			w.Member(name)
			w.Check(writeOptional(v, w))
		}
		return
	}
	if list, ok := elementsOf(field); ok {
		if always || !list.IsNil() {
			w.Member(name)
			w.Check(writeElements(list, w))
		}
		return
	}
	member := w.Len()
	w.Member(name)
	start := w.Len()
	w.Check(writeValue(field, w))
	if !always {
		w.DropEmpty(member, start)
	}
}

// optional is an Opt of any type.
type optional interface {
	parts() (state *optState, value any)
}

func (o *Opt[T]) parts() (*optState, any) { return &o.state, &o.value }

// readOptional reads null as null, and anything else as a value.
func readOptional(o optional, r *codec.Reader) error {
	state, v := o.parts()
	if r.Null() {
		*state = optNull
		return r.Err()
	}
	*state = optSome
	return readValue(v, r)
}

func writeOptional(o optional, w *codec.Writer) error {
	state, v := o.parts()
	if *state == optSome {
		return writeValue(v, w)
	}
	w.Null()
	return nil
}

// elementsOf returns the list that v points to. Its elements are reached by
// reflection: a type of our own for the list of every record would be compiled
// for every record.
func elementsOf(v any) (list reflect.Value, ok bool) {
	pointer := reflect.ValueOf(v)
	if pointer.Kind() != reflect.Pointer {
		return reflect.Value{}, false
	}
	list = pointer.Elem()
	return list, list.Kind() == reflect.Slice
}

func readElements(list reflect.Value, r *codec.Reader) error {
	items := r.Items()
	for items.Next() {
		n := list.Len()
		list.Grow(1)
		list.SetLen(n + 1)
		if err := readValue(list.Index(n).Addr().Interface(), r); err != nil {
			return err
		}
	}
	if items.Present && list.IsNil() {
		list.Set(reflect.MakeSlice(list.Type(), 0, 0))
	}
	return r.Err()
}

// writeElements writes a list; a missing required list is written as empty.
func writeElements(list reflect.Value, w *codec.Writer) error {
	w.BeginList()
	for i := range list.Len() {
		w.Element()
		w.Check(writeValue(list.Index(i).Addr().Interface(), w))
	}
	w.EndList()
	return w.Err()
}
