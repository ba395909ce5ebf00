package practicetest

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// recordMethods returns the methods of Server that add or read a record, by the
// name of the record's type.
func recordMethods() (adds, reads map[string]reflect.Method) {
	adds, reads = map[string]reflect.Method{}, map[string]reflect.Method{}
	of := reflect.TypeFor[*Server]()
	for i := range of.NumMethod() {
		m := of.Method(i)
		last := m.Type.In(m.Type.NumIn() - 1)
		switch {
		case strings.HasPrefix(m.Name, "Add") && isModel(last):
			adds[last.Name()] = m
		case m.Type.NumOut() == 2 && isModel(m.Type.Out(0)) && m.Type.Out(1).Kind() == reflect.Bool:
			reads[m.Type.Out(0).Name()] = m
		}
	}
	return adds, reads
}

// AddedBodies returns the names of the types that methods of Server add.
func AddedBodies() map[string]bool {
	adds, _ := recordMethods()
	bodies := map[string]bool{}
	for name := range adds {
		bodies[name] = true
	}
	return bodies
}

func isModel(of reflect.Type) bool { return strings.HasSuffix(of.PkgPath(), "practice-go/models") }

func describedInterface(t *testing.T) *description.Document {
	t.Helper()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	return document
}

// withoutMethod lists the records that have no method of their own for reading.
var withoutMethod = map[string]string{
	"MatterRelationships": "are read back with their role",
	"SubscriptionChange":  "has no id, and is listed with its subscription",
}

// TestEveryKindOfRecordIsReadBackInOneLine reads a record of each declared
// resource with the method for its type.
func TestEveryKindOfRecordIsReadBackInOneLine(t *testing.T) {
	t.Parallel()
	s, document := New(t, WithMatters(2)), describedInterface(t)
	s.mu.Lock()
	s.state.furnishAll()
	some := map[*resource]*record{}
	for key, slot := range s.state.All() {
		if slot.Now != nil && slot.At.account.id == s.firm.AccountID {
			some[key.Of] = slot.Now
		}
	}
	s.mu.Unlock()
	_, reads := recordMethods()
	for _, res := range s.catalog.resources {
		schema := document.Schemas[res.schema]
		if schema == nil || withoutMethod[schema.Name] != "" {
			continue
		}
		method, there := reads[schema.GoName]
		if !assert.True(t, there, "%s: Server has no method that returns (models.%s, bool): see CONTRIBUTING, How to add an area to the embedded service", res.path, schema.GoName) || some[res] == nil {
			continue
		}
		id := some[res].id
		results := method.Func.Call([]reflect.Value{reflect.ValueOf(s), reflect.ValueOf(id)})
		if assert.True(t, results[1].Bool(), "%s of %s", method.Name, id) {
			assert.False(t, results[0].IsZero(), "%s of %s is empty", method.Name, id)
		}
	}
}

// TestEveryKindOfRecordIsAddedInOneLine requires a method for each operation
// that creates a record of a resource.
func TestEveryKindOfRecordIsAddedInOneLine(t *testing.T) {
	t.Parallel()
	document, all := describedInterface(t), newCatalog(areas())
	adds, _ := recordMethods()
	lists := map[string]bool{}
	for _, res := range all.resources {
		lists[res.path[:strings.LastIndexByte(res.path, '/')]] = !res.single
	}
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			performed := o.HTTPMethod == "POST" && lists[o.Path] && all.handlers[o.ID] != nil
			if !performed || o.Body == nil || o.Body.Type.Ref == nil {
				continue
			}
			_, there := adds[o.Body.Type.Ref.GoName]
			assert.True(t, there, "%s: Server has no method Add… that takes models.%s last: see CONTRIBUTING, How to add an area to the embedded service", o.ID, o.Body.Type.Ref.GoName)
		}
	}
}
