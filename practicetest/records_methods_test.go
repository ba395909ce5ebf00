package practicetest_test

import (
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/practicetest"
)

// recordMethods returns the methods of Server that add or read a record, by the
// name of the record's type.
func recordMethods() (adds, reads map[string]reflect.Method) {
	adds, reads = map[string]reflect.Method{}, map[string]reflect.Method{}
	of := reflect.TypeFor[*practicetest.Server]()
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

func isModel(of reflect.Type) bool { return strings.HasSuffix(of.PkgPath(), "practice-go/models") }

// kindOfRecord holds what the control interface returns for a declared resource:
// the path of its list, or of the single record.
type kindOfRecord struct {
	Path   string
	Single bool
}

func kindsOfRecords(t *testing.T, s *practicetest.Server) []kindOfRecord {
	t.Helper()
	var lists struct{ Value []kindOfRecord }
	command(t, s, "GET", "/records/lists", "").want(200).into(&lists)
	return lists.Value
}

// schema returns the schema of the records of a kind, or nil if no operation
// reads them.
func (k kindOfRecord) schema(t *testing.T) (found *description.Schema) {
	t.Helper()
	for o := range describedAPI(t).Operations() {
		one := o.Path == k.Path
		if !k.Single {
			one = path.Dir(o.Path) == k.Path && strings.HasPrefix(path.Base(o.Path), "{")
		}
		switch {
		case o.HTTPMethod != "GET" || o.Answer == nil:
		case one && o.Paging == nil:
			return o.Answer.Ref
		case o.Path == k.Path && !k.Single:
			found = o.Answer.Ref
		}
	}
	return found
}

// paths returns the paths of the firm's records of a kind.
func (k kindOfRecord) paths(t *testing.T, s *practicetest.Server) []string {
	t.Helper()
	all, template := []string{""}, k.Path
	if !k.Single {
		template += "/{id}"
	}
	for segment := range strings.SplitSeq(template[1:], "/") {
		var longer []string
		for _, at := range all {
			for _, id := range idsBelow(t, s, at, segment) {
				longer = append(longer, at+"/"+id)
			}
		}
		all = longer
	}
	return all
}

// idsBelow returns the segments below a path that a segment of a template
// stands for.
func idsBelow(t *testing.T, s *practicetest.Server, at, segment string) (ids []string) {
	t.Helper()
	if !strings.HasPrefix(segment, "{") {
		return []string{segment}
	}
	var list struct{ Value []map[string]any }
	if told := command(t, s, "GET", "/records/list?path="+at, ""); told.Status == 200 {
		told.into(&list)
	}
	for _, one := range list.Value {
		if href, isText := one["href"].(string); isText {
			ids = append(ids, path.Base(href))
		}
	}
	return ids
}

// withoutMethod lists the schemas that have no method of their own for reading.
var withoutMethod = map[string]string{
	"FolderListingPage":   "is what a folder contains",
	"MatterRelationships": "are read back with their role",
	"SubscriptionChange":  "has no id, and is listed with its subscription",
}

// TestEveryKindOfRecordIsReadBackInOneLine reads a record of each declared
// resource with the method for its type.
func TestEveryKindOfRecordIsReadBackInOneLine(t *testing.T) {
	t.Parallel()
	s, tried := controlled(t, practicetest.WithMatters(1), practicetest.WithEvents(1)), 0
	_, reads := recordMethods()
	for _, k := range kindsOfRecords(t, s) {
		schema := k.schema(t)
		if schema == nil || withoutMethod[schema.Name] != "" {
			continue
		}
		method, there := reads[schema.GoName]
		if !assert.True(t, there, "%s: Server has no method that returns (models.%s, bool): see CONTRIBUTING, How to add an area to the embedded service", k.Path, schema.GoName) {
			continue
		}
		all := k.paths(t, s)
		if len(all) == 0 {
			continue
		}
		tried++
		id := path.Base(all[0])
		switch {
		case k.Single && strings.Contains(k.Path, "{"):
			id = path.Base(path.Dir(all[0]))
		case k.Single:
			id = s.Firm().AccountID
		}
		results := method.Func.Call([]reflect.Value{reflect.ValueOf(s), reflect.ValueOf(id)})
		if assert.True(t, results[1].Bool(), "%s of %s", method.Name, id) {
			assert.False(t, results[0].IsZero(), "%s of %s is empty", method.Name, id)
		}
	}
	assert.Greater(t, tried, 40)
}

// TestEveryKindOfRecordIsAddedInOneLine requires a method for each operation
// that creates a record of a resource.
func TestEveryKindOfRecordIsAddedInOneLine(t *testing.T) {
	t.Parallel()
	lists := map[string]bool{}
	for _, k := range kindsOfRecords(t, controlled(t)) {
		lists[k.Path] = lists[k.Path] || !k.Single
	}
	adds, _ := recordMethods()
	for o := range describedAPI(t).Operations() {
		if o.HTTPMethod != "POST" || !lists[o.Path] || o.Body == nil || o.Body.Type.Ref == nil {
			continue
		}
		_, there := adds[o.Body.Type.Ref.GoName]
		assert.True(t, there, "%s: Server has no method Add… that takes models.%s last: see CONTRIBUTING, How to add an area to the embedded service", o.ID, o.Body.Type.Ref.GoName)
	}
}
