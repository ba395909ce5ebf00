// Package records derives from the description the records that programs read:
// each record that an operation returns, with its type in the library, a type
// for encoding/json, and a sample.
package records

import (
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
)

// Record is one record of the API.
type Record struct {
	Name   string
	Listed bool         // whether an operation lists it, so that programs read many of them
	Type   reflect.Type // type in this library
	Plain  reflect.Type // type for encoding/json, with the same members and without methods
	Sample []byte       // sample with every member, without white space
}

// Read returns the records that operations return, by name, from a copy of the
// repository.
func Read(repository fs.FS) ([]Record, error) {
	api, err := fs.Sub(repository, "api")
	if err != nil {
		return nil, err
	}
	document, err := description.Load(api)
	if err != nil {
		return nil, err
	}
	byName := map[string]Record{}
	for o := range document.Operations() {
		if o.Class != "read" || o.Answer == nil || o.Answer.Ref == nil {
			continue
		}
		r, err := byName[o.Answer.Ref.GoName].with(o, repository)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.ID, err)
		}
		byName[r.Name] = r
	}
	all := make([]Record, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if r := byName[name]; r.Sample == nil || r.Type == nil {
			return nil, fmt.Errorf("%s has no full sample, or no method gives it", name)
		}
		all = append(all, byName[name])
	}
	return all, nil
}

// with adds the facts of another operation that returns the record. A sample of
// the record alone is preferred to one from a list.
func (r Record) with(o *description.Operation, repository fs.FS) (Record, error) {
	schema := o.Answer.Ref
	if r.Name == "" {
		r = Record{Name: schema.GoName, Plain: plainOf(schema)}
	}
	list := o.Paging != nil
	r.Listed = r.Listed || list
	if r.Type == nil {
		r.Type = typeOf(o)
	}
	if r.Sample != nil && list {
		return r, nil
	}
	sample, err := sampleOf(repository, o.ID, !list || schema.Kind == description.Page)
	if sample != nil {
		r.Sample = sample
	}
	return r, err
}

// typeOf returns the type of the record that an operation returns, taken from
// the result of its method.
func typeOf(o *description.Operation) reflect.Type {
	service, offered := reflect.TypeFor[practice.Client]().FieldByName(o.Area.Name)
	if !offered {
		return nil
	}
	method, offered := service.Type.MethodByName(o.Method)
	if !offered {
		return nil
	}
	t := method.Type.Out(0)
	for t.Name() != o.Answer.Ref.GoName {
		if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
			continue
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		field, found := t.FieldByName(o.Answer.Ref.GoName) // the record is embedded
		if !found {
			field, found = t.FieldByName("Items")
		}
		if !found {
			return nil
		}
		t = field.Type
	}
	return t
}
