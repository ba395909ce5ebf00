package models

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
)

// tabled is a record without generated code for reading and writing: it returns
// its fields by number, and the code in this file reads and writes them. That
// takes a fraction of the compile time. Records that programs read in large
// numbers have generated code instead.
type tabled interface {
	// field returns a pointer to the field of the member with that number in
	// the table, to Extra for extraField, or the table for tableField. It is a
	// single method, because each method costs compile time.
	field(number int) any
}

// Numbers of fields that are not members:
const (
	extraField = -1 // the field Extra of records that have it
	tableField = -2
)

func tableOf(x tabled) *table { return x.field(tableField).(*table) }

// table describes the members of a tabled record. It must not be modified.
type table struct {
	names  []string // names in the order of the fields, followed by rel if relation is one of them
	always []int    // members that a body contains even if they are zero
	rules  []rule   // rules of a body
	bodies []int    // members of a body that have rules of their own
	closed bool     // for a body: there is no Extra
	after  bool     // there is an afterUnmarshal method
}

// Links and records have a member that the service writes under one of two
// names.
const (
	relationName = "relation"
	relationTwin = "rel"
)

// twin returns the index of the other name of relation, or -1.
func (t *table) twin() int {
	if last := len(t.names) - 1; last >= 0 && t.names[last] == relationTwin {
		return last
	}
	return len(t.names)
}

// readTabled reads into a zero record.
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

func writeTabled(x tabled, b []byte, w *codec.Writer) []byte {
	t := tableOf(x)
	names := t.names[:t.twin()]
	start := len(b)
	for i, name := range names {
		b = writeField(x.field(i), name, slices.Contains(t.always, i), b, w)
	}
	if !t.closed {
		b = w.Extra(b, x.field(extraField).(*Extra).text, names)
	}
	return codec.EndObject(b, start)
}

// writeField writes a member, unless it is zero. Whether a record is empty is
// known only after writing it.
func writeField(field any, name string, always bool, b []byte, w *codec.Writer) []byte {
	switch v := field.(type) {
	case *string:
		if always || *v != "" {
			b = w.Text(codec.Name(b, name), *v)
		}
		return b
	case *bool:
		if always || *v {
			b = strconv.AppendBool(codec.Name(b, name), *v)
		}
		return b
	case *int:
		if always || *v != 0 {
			b = strconv.AppendInt(codec.Name(b, name), int64(*v), 10)
		}
		return b
	case value:
		if always || !v.IsZero() {
			b = v.write(codec.Name(b, name), w)
		}
		return b
	case optional:
		if state, _ := v.parts(); always || *state != optOmitted {
			b = writeOptional(v, codec.Name(b, name), w)
		}
		return b
	}
	if list, ok := elementsOf(field); ok {
		if always || !list.IsNil() {
			b = writeElements(list, codec.Name(b, name), w)
		}
		return b
	}
	member := len(b)
	b = codec.Name(b, name)
	start := len(b)
	b = writeValue(field, b, w)
	if always {
		return b
	}
	return codec.DropEmpty(b, member, start)
}

// optional is an Opt of any type.
type optional interface {
	parts() (state *optState, value any)
}

func (o *Opt[T]) parts() (*optState, any) { return &o.state, &o.value }

// readOptional reads null as null, and any other JSON as a value.
func readOptional(o optional, r *codec.Reader) error {
	state, v := o.parts()
	if r.Null() {
		*state = optNull
		return r.Err()
	}
	*state = optSome
	return readValue(v, r)
}

func writeOptional(o optional, b []byte, w *codec.Writer) []byte {
	state, v := o.parts()
	if *state == optSome {
		return writeValue(v, b, w)
	}
	return append(b, "null"...)
}

// elementsOf returns the list that v points to, and false if v points to none.
// It uses reflection, because a generic list type would be compiled for every
// record type.
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

// writeElements writes a list. A nil required list is written as an empty one.
func writeElements(list reflect.Value, b []byte, w *codec.Writer) []byte {
	start := len(b)
	for i := range list.Len() {
		b = writeValue(list.Index(i).Addr().Interface(), append(b, ','), w)
	}
	return codec.EndList(b, start)
}
