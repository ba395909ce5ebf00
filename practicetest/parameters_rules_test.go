package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAStrictServiceReportsValuesThatAreNotPublished(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	for rule, tt := range map[string]struct {
		path  string
		about string // expected violation; empty means none
	}{
		"a published value":                     {"/matters?Status=Open&Status=Closed", ""},
		"a value that nobody has published":     {"/matters?Status=Dormant", `Status: "Dormant" is not one of Open,`},
		"a published value in another case":     {"/matters?Status=Open&Status=closed", `Status: "closed" is not one of Open,`},
		"members that lists have":               {"/matters?Fields=items,tags", ""},
		"a member that no list has":             {"/matters?Fields=items,notes", `Fields: "notes" is not one of items, tags`},
		"a member that is written in many ways": {"/staff?Fields=Rate", `Fields: "Rate" is not one of rate`},
		"a member with another ending":          {"/staff?Fields=rates", `Fields: "rates" is not one of rate`},
		"nothing":                               {"/staff", ""},
	} {
		var got answer
		found := s.Tolerate(func() { got = call(t, s).get(tt.path) })
		assert.Equal(t, 200, got.Status, "%s: it is open: %s", rule, got.Body)
		if tt.about == "" {
			assert.Empty(t, found, rule)
		} else if assert.Len(t, found, 1, rule) {
			assert.Contains(t, found[0], tt.about, rule)
		}
	}
}

func TestParametersThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	const both, cursor = "LastUpdated=2026-01-01T00:00:00Z&UpdatedSince=638000000000000000", "Cursor=ZmlsZXMgc2luY2UgMA"
	for rule, tt := range map[string]struct {
		path    string
		lenient bool
		status  int
	}{
		"one change filter":                       {"/tasks?LastUpdated=2026-01-01T00:00:00Z", false, 200},
		"two change filters of tasks":             {"/tasks?" + both, false, 400},
		"two change filters of matters":           {"/matters?" + both, false, 400},
		"two change filters of a lenient service": {"/tasks?" + both, true, 200},
		"a cursor":                       {"/matters/{matter}/documents/files?Limit=5&" + cursor, false, 200},
		"a cursor and a search":          {"/matters/{matter}/documents/files?Search=x&" + cursor, false, 400},
		"a cursor and an order":          {"/matters/{matter}/documents/files?Sort=dateCreated&" + cursor, false, 400},
		"a cursor and a search, lenient": {"/matters/{matter}/documents/files?Search=x&" + cursor, true, 200},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			options := []practicetest.Option{}
			if tt.lenient {
				options = append(options, practicetest.WithStrict(false))
			}
			s := practicetest.New(t, options...)
			found := s.Tolerate(func() { call(t, s).get(identifiers(s.Firm()).Replace(tt.path)).want(tt.status) })
			assert.Len(t, found, map[int]int{200: 0, 400: 1}[tt.status])
		})
	}
}
