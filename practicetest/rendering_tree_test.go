package practicetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// open lists the members whose content the API description leaves open: clients
// may send any value, and later releases may add members.
var open = map[string]bool{
	"additionalData": true, "metadata": true, "state": true, "document": true, "addedInALaterRelease": true,
}

// eachObject visits the objects in a response, except those that a client has
// sent.
func eachObject(at string, v any, visit func(at string, members map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(at, v)
		for name, one := range v {
			if !open[name] {
				eachObject(at+"."+name, one, visit)
			}
		}
	case []any:
		for _, one := range v {
			eachObject(at+"[]", one, visit)
		}
	}
}

// everyAnswer sends a valid request of each operation to a service with the
// rendering.
func everyAnswer(t *testing.T, form practicetest.Rendering, judge func(op operations.Operation, o *description.Operation, body any)) {
	t.Helper()
	document := describedAPI(t)
	s := practicetest.New(t, practicetest.WithRendering(form))
	for _, op := range operations.All() {
		sent := goodCall(t, s, op)
		got := callFor(t, s, op).do(sent.method, sent.path, sent.body)
		require.Less(t, got.Status, 300, "%s: %s", op.ID, got.Body)
		if strings.HasPrefix(got.Body, "{") || strings.HasPrefix(got.Body, "[") {
			judge(op, document.Operation(op.ID), got.json())
		}
		if sent.method != "GET" {
			s.Reset()
		}
	}
}

func TestNoAnswerHasAMemberWithoutAValueInTheFormWithoutThem(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	everyAnswer(t, practicetest.Rendering{Empty: practicetest.EmptyAbsent}, func(op operations.Operation, o *description.Operation, body any) {
		required := demandedOf(o)
		eachObject(op.ID, body, func(at string, members map[string]any) {
			for name, value := range members {
				assert.True(t, value != nil || required[name], "%s.%s", at, name)
			}
		})
	})
}

// demandedOf returns the members that a response must have, even if they are
// null.
func demandedOf(o *description.Operation) map[string]bool {
	all, seen := map[string]bool{}, map[*description.Schema]bool{}
	var collect func(kind *description.Type)
	collect = func(kind *description.Type) {
		for kind != nil && kind.Elem != nil {
			kind = kind.Elem
		}
		if kind == nil || kind.Ref == nil || seen[kind.Ref] {
			return
		}
		seen[kind.Ref] = true
		for _, m := range kind.Ref.Members {
			all[m.Name] = all[m.Name] || !m.Nullable
			collect(m.Type)
		}
	}
	collect(o.Answer)
	return all
}

func TestEveryRelationHasItsOlderNameInTheOlderForm(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	older := 0
	everyAnswer(t, practicetest.Rendering{Empty: practicetest.EmptyAbsent, Rel: true}, func(op operations.Operation, _ *description.Operation, body any) {
		eachObject(op.ID, body, func(at string, members map[string]any) {
			assert.NotContains(t, members, "relation", at)
			if members["rel"] != nil {
				older++
			}
		})
	})
	assert.Greater(t, older, 700)
}

// TestEveryObjectHasAnUnknownMemberInTheLaterForm checks that records and the
// objects in them have an undescribed member, and that links have none.
func TestEveryObjectHasAnUnknownMemberInTheLaterForm(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	later := 0
	everyAnswer(t, practicetest.Rendering{Unknown: true}, func(op operations.Operation, o *description.Operation, body any) {
		if o.Answer == nil || op.ID == "getSearchMapping" {
			return
		}
		eachObject(op.ID, body, func(at string, members map[string]any) {
			if grows(at, members) {
				later++
				assert.Contains(t, members, "addedInALaterRelease", at)
			}
		})
	})
	assert.Greater(t, later, 500)
}

// grows reports whether an object gets an undescribed member. This excludes
// open values, links, and maps from kinds to lists.
func grows(at string, members map[string]any) bool {
	return !open[at[strings.LastIndexByte(at, '.')+1:]] && !isLinkObject(members) && !isMapOfLists(members)
}

// isLinkObject reports whether an object has only the members of a link.
func isLinkObject(members map[string]any) bool {
	for name := range members {
		if !strings.Contains(" id href relation method rel ", " "+name+" ") {
			return false
		}
	}
	return true
}

// isMapOfLists reports whether an object is a map from kinds to lists.
func isMapOfLists(members map[string]any) bool {
	for _, value := range members {
		if list, is := value.([]any); !is || len(list) == 0 {
			return false
		}
	}
	return true
}

// TestNotificationsHaveTheFormOfTheService checks that webhooks, their payloads
// and error events have the rendering too.
func TestNotificationsHaveTheFormOfTheService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		form  practicetest.Rendering
		judge func(t *testing.T, at string, members map[string]any)
	}{
		"later": {practicetest.Rendering{Unknown: true}, func(t *testing.T, at string, members map[string]any) {
			if grows(at, members) {
				assert.Contains(t, members, "addedInALaterRelease", at)
			}
		}},
		"older": {practicetest.Rendering{Empty: practicetest.EmptyAbsent, Rel: true}, func(t *testing.T, at string, members map[string]any) {
			assert.NotContains(t, members, "relation", at)
			for member, value := range members {
				assert.NotNil(t, value, "%s.%s", at, member)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithRendering(test.form), practicetest.WithWriteDelay(0))
			f, inbox := s.Firm(), subscribe(t, s, "staff.updated", "matter.updated", "files.updated", "layoutmatter.updated", "error")
			c := call(t, s)
			c.do("DELETE", "/staff/"+f.StaffIDs[1], "").want(202)
			c.do("PATCH", "/matters/"+f.MatterID, `{"description":"D"}`).want(202)
			c.do("POST", "/matters/"+f.MatterID+"/documents/folders", `{"name":"n"}`).want(202)
			c.do("PATCH", "/matters/"+f.MatterID+"/layouts/"+f.LayoutItemID, `{"itemId":"`+f.LayoutItemID+`","values":[]}`).want(202)
			s.FailWrite("deleteStaff", "")
			c.do("DELETE", "/staff/"+f.StaffIDs[2], "").want(202)
			seen := map[string]bool{}
			for _, got := range inbox.wait(5) {
				seen[got.text("type")] = true
				eachObject(fmt.Sprint(got.text("type")), got.json(), func(at string, members map[string]any) { test.judge(t, at, members) })
			}
			assert.Len(t, seen, 5, "%v", seen)
		})
	}
}
