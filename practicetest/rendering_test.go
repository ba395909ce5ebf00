package practicetest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestWhatARecordIsIsAlwaysThere reads all records and lists in each rendering.
// The id, address and version of a record and the ids of its parents must have
// values, and so must the paging members of a list.
func TestWhatARecordIsIsAlwaysThere(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	for _, empty := range []practicetest.EmptyMembers{practicetest.EmptyNull, practicetest.EmptyAbsent, practicetest.EmptyFull} {
		for _, other := range []bool{false, true} {
			form := practicetest.Rendering{Empty: empty, Rel: other, Unknown: other}
			s, judged := practicetest.New(t, practicetest.WithRendering(form)), 0
			for _, op := range operations.All() {
				o := document.Operation(op.ID)
				if o.HTTPMethod != "GET" || o.Media != "" || o.Answer == nil {
					continue
				}
				at := goodCall(t, s, op).path
				got := call(t, s).get(at).want(200).json()
				where := fmt.Sprintf("%+v: %s", form, at)
				for _, one := range recordsIn(t, o, got, where) {
					judged++
					judgeIdentity(t, o, one, where)
				}
			}
			assert.GreaterOrEqual(t, judged, 100)
		}
	}
}

// TestAMemberWithoutAValueHasTheFormOfTheRendering reads an amount that a
// seeded expense lacks.
func TestAMemberWithoutAValueHasTheFormOfTheRendering(t *testing.T) {
	t.Parallel()
	for form, want := range map[practicetest.EmptyMembers]map[string]any{
		practicetest.EmptyNull: {"outputTax": nil}, practicetest.EmptyAbsent: {}, practicetest.EmptyFull: {"outputTax": json.Number("0")},
	} {
		s := practicetest.New(t, practicetest.WithRendering(practicetest.Rendering{Empty: form}))
		got := call(t, s).get("/matters/" + s.Firm().MatterID + "/expenses/" + s.Firm().ExpenseID).want(200).json().(map[string]any)
		maps.DeleteFunc(got, func(name string, _ any) bool { return name != "outputTax" })
		assert.Equal(t, want, got)
	}
}

// TestEveryAnswerMayHaveUnknownMembers sends a valid request of each operation
// to a service with undescribed members, with and without the client. Each
// response must have such a member, and the client must ignore it.
func TestEveryAnswerMayHaveUnknownMembers(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	s := practicetest.New(t, practicetest.WithRendering(practicetest.Rendering{Empty: practicetest.EmptyAbsent, Rel: true, Unknown: true}))
	objects := 0
	for _, op := range operations.All() {
		sent := goodCall(t, s, op)
		got := callFor(t, s, op).do(sent.method, sent.path, sent.body)
		require.Less(t, got.Status, 300, "%s: %s", op.ID, got.Body)
		if strings.HasPrefix(got.Body, "{") {
			objects++
			assert.True(t, strings.HasSuffix(got.Body, `,"two",null]}}`), "%s: %s", op.ID, got.Body)
			got.json()
		}
		s.Reset()
		assert.NoError(t, op.Call(t.Context(), s.Client(t, op.ClientOptions(s)...), s.Firm()), op.ID)
		s.Reset()
	}
	assert.GreaterOrEqual(t, objects, 180)
}

// recordsIn returns the records in a response, which may be a page, a
// collection, an array or a record.
func recordsIn(t *testing.T, o *description.Operation, answer any, where string) []any {
	t.Helper()
	if o.Paging == nil || o.Paging.Shape == "record" {
		return []any{answer}
	}
	if list, bare := answer.([]any); bare {
		return list
	}
	members := answer.(map[string]any)
	names := []string{"href", "method", "value"}
	if o.Paging.Shape == "page" {
		names = append(names, "offset", "limit", "size", "first", "last")
	}
	for _, name := range names {
		assert.NotNil(t, members[name], "%s: %s", where, name)
	}
	list, _ := members["value"].([]any)
	return list
}

// judgeIdentity checks the members that identify a record: its address, the ids
// that the API description marks, and those in the path of the operation.
func judgeIdentity(t *testing.T, o *description.Operation, one any, where string) {
	t.Helper()
	kind := o.Answer
	for kind.Elem != nil {
		kind = kind.Elem
	}
	members, isObject := one.(map[string]any)
	if !isObject || kind.Ref == nil {
		return
	}
	if kind.Ref.Kind == description.Record {
		assert.NotNil(t, members["href"], "%s: href of %v", where, members)
		assert.NotNil(t, members["method"], "%s: method of %v", where, members)
	}
	segments := strings.Split(o.Path, "/")
	for _, m := range kind.Ref.Members {
		above := slices.ContainsFunc(segments, func(s string) bool { return s == m.Target && strings.EqualFold(s, m.Name+"s") })
		if m.Always || above {
			assert.NotNil(t, members[m.Name], "%s: %s of %v", where, m.Name, members)
		}
	}
}
