// Package finders finds the record of a create whose outcome is unknown, by the
// operation.
package finders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
)

// Finder finds records of one kind.
type Finder struct {
	// Alone lists members of the body of which the first that is given is compared
	// alone.
	Alone []string
	// Compares lists members that decide, if they are given, whether a record may
	// be the one. Others may decide, too.
	Compares []string

	operation practice.Operation
	kind      string // at the end of the name of the method
}

// compares holds the members that finders compare, by operation id. It must not
// be modified. Left out are lists, times and texts, which are compared by more
// than one form.
var compares = map[string]Finder{
	"addMatterRole":     {Compares: []string{"name", "contactId"}},
	"createContact":     {Alone: []string{"externalSystemId"}, Compares: []string{"person.firstName", "person.lastName", "company.name", "trust.name"}},
	"createEvent":       {Compares: []string{"subject", "matterId"}},
	"createExpense":     {Compares: []string{"expenseDate", "subject", "staffId", "activityCode", "description", "quantity", "price"}},
	"createFee":         {Compares: []string{"feeDate", "subject", "staffId", "activityCode", "description", "rate"}},
	"createFile":        {Compares: []string{"fileName"}},
	"createMatter":      {Alone: []string{"externalSystemId", "number"}, Compares: []string{"matterTypeId", "description"}},
	"createMemo":        {Compares: []string{"title"}},
	"createTask":        {Compares: []string{"subject", "matterId", "note", "dueDateOnly"}},
	"createTransaction": {Compares: []string{"matterId", "amount", "type", "reference"}},
}

// Of returns the finder of an operation, or nil if its records cannot be found.
// It is the method FindCreated for Create, and FindCreatedFile for CreateFile.
func Of(operation practice.Operation) *Finder {
	area, method, _ := strings.Cut(operation.GoMethod, ".")
	kind, creates := strings.CutPrefix(method, "Create")
	field, known := reflect.TypeFor[practice.Client]().FieldByName(area)
	if !creates || !known {
		return nil
	}
	f := compares[operation.ID]
	f.operation, f.kind = operation, kind
	if !f.methodOf(reflect.Zero(field.Type)).IsValid() {
		return nil
	}
	return &f
}

// methodOf returns the method of a service that finds the records. The names are
// constants: with any other, the linker keeps every method of every type, which
// is 4.5 MB.
func (f *Finder) methodOf(service reflect.Value) reflect.Value {
	switch f.kind {
	case "":
		return service.MethodByName("FindCreated")
	case "File":
		return service.MethodByName("FindCreatedFile")
	case "Transaction":
		return service.MethodByName("FindCreatedTransaction")
	}
	return reflect.Value{}
}

// ErrNone reports a create whose record no operation can find.
var ErrNone = errors.New("the outcome is unknown, and the record cannot be searched for")

// clockSkew is the maximum difference between the service's clock and ours.
const clockSkew = 5 * time.Minute

// Find returns the ids of the records that may be the one that a call of the
// operation has made since a time of our clock. A kind of record without a time
// ignores since. A nil finder returns ErrNone.
func (f *Finder) Find(ctx context.Context, client *practice.Client, arguments map[string]any, body []byte, since time.Time) (ids []string, err error) {
	if f == nil {
		return nil, ErrNone
	}
	find := f.methodOf(reflect.ValueOf(client).Elem().FieldByName(f.operation.Area()))
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for _, p := range f.operation.Parameters {
		if p.In == practice.InPath {
			in = append(in, reflect.ValueOf(fmt.Sprint(arguments[p.Name])))
		}
	}
	record := f.operation.NewBody()
	if err := json.Unmarshal(body, record); err != nil {
		return nil, err
	}
	in = append(in, reflect.ValueOf(record).Elem())
	if find.Type().NumIn() > len(in)+1 { // the options are last
		in = append(in, reflect.ValueOf(since.Add(-clockSkew)))
	}
	out := find.Call(in)
	for i := range out[0].Len() {
		ids = append(ids, out[0].Index(i).FieldByName("ID").String())
	}
	err, _ = out[1].Interface().(error)
	return ids, err
}
