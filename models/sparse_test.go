package models_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

func TestMissingNullAndEmptyAreTheSame(t *testing.T) {
	t.Parallel()
	for _, zero := range recordTypes() {
		if _, ok := zero.(*models.Problem); ok {
			continue // it reads any object, see TestProblemKeepsMembersOfTheWrongKind
		}
		t.Run(bareName(zero), func(t *testing.T) {
			t.Parallel()
			v := sameKind(zero)
			require.NoError(t, codec.Unmarshal([]byte(`{}`), v, models.Wire))
			assert.Equal(t, zero, v)
			for name, member := range membersOf(reflect.TypeOf(zero).Elem()) {
				for _, text := range nothings(member) {
					v := sameKind(zero)
					require.NoError(t, codec.Unmarshal(fmt.Appendf(nil, `{%q:%s}`, name, text), v, models.Wire), "%s %s", name, text)
					assert.Equal(t, zero, v, "%s %s", name, text)
				}
			}
		})
	}
}

func TestMembersOfTheWrongKindAreRefused(t *testing.T) {
	t.Parallel()
	for _, zero := range recordTypes() {
		if _, ok := zero.(*models.Problem); ok {
			continue
		}
		t.Run(bareName(zero), func(t *testing.T) {
			t.Parallel()
			for name, member := range membersOf(reflect.TypeOf(zero).Elem()) {
				for _, text := range wrongKinds(member) {
					err := codec.Unmarshal(fmt.Appendf(nil, `{%q:%s}`, name, text), sameKind(zero), models.Wire)
					assert.Error(t, err, "%s %s", name, text)
				}
			}
		})
	}
}

// membersOf returns the types of the JSON members of a record, including those
// of embedded structs.
func membersOf(t reflect.Type) map[string]reflect.Type {
	members := make(map[string]reflect.Type)
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			members[name] = field.Type
		}
	}
	return members
}

// nothings returns the JSON texts that mean "absent" for a member of that type.
func nothings(t reflect.Type) []string {
	switch {
	case isOpt(t), holdsAny(t):
		return nil // null is a separate state
	case t.Kind() == reflect.String:
		return []string{`null`, `{}`, `""`}
	case t.Kind() == reflect.Slice:
		return []string{`null`, `{}`}
	case t.Kind() == reflect.Bool, t.Kind() == reflect.Int, t == reflect.TypeFor[models.Ticks](), t == reflect.TypeFor[models.Decimal](), t == reflect.TypeFor[models.Cents]():
		return []string{`null`}
	default:
		return []string{`null`, `{}`}
	}
}

// holdsAny reports whether a member keeps any JSON unchanged.
func holdsAny(t reflect.Type) bool { return t == reflect.TypeFor[json.RawMessage]() }

// wrongKinds returns JSON texts of the wrong type for a member.
func wrongKinds(t reflect.Type) []string {
	switch {
	case holdsAny(t):
		return nil
	case isOpt(t):
		var wrong []string
		for _, text := range wrongKinds(optValue(t)) {
			if text != `null` {
				wrong = append(wrong, text)
			}
		}
		return wrong
	case t == reflect.TypeFor[models.CalendarEventCode]():
		return []string{`true`, `[1]`, `1.5`, `{"a":1}`}
	case t.Kind() == reflect.String, t == reflect.TypeFor[models.Secret]():
		return []string{`1`, `true`, `["a"]`}
	case t.Kind() == reflect.Slice:
		return []string{`1`, `"a"`, `true`}
	case t.Kind() == reflect.Bool:
		return []string{`1`, `"true"`, `[]`}
	case t == reflect.TypeFor[models.Decimal](), t == reflect.TypeFor[models.Cents]():
		return []string{`"1"`, `true`, `[]`, `1e400`}
	case t == reflect.TypeFor[models.Ticks]():
		return []string{`"soon"`, `true`, `[]`, `1.5`, `99999999999999999999`}
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return []string{`"1"`, `true`, `[]`, `1.5`, `99999999999999999999`}
	case t == reflect.TypeFor[models.Date](), t == reflect.TypeFor[models.DateTime](), t == reflect.TypeFor[models.LocalDateTime]():
		return []string{`1`, `true`, `"soon"`, `"2026-13-01"`, `"2026-02-30T00:00:00Z"`}
	default:
		return []string{`1`, `"a"`, `true`, `[1]`}
	}
}

func isOpt(t reflect.Type) bool { return strings.HasPrefix(t.Name(), "Opt[") }

func optValue(t reflect.Type) reflect.Type {
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0)
}

func TestARecordIsClearedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	link := models.Link{ID: "1", Href: "/1"}
	require.NoError(t, json.Unmarshal([]byte(`{"id":"2"}`), &link))
	assert.Equal(t, models.Link{ID: "2"}, link, "with code of its own")

	event := models.CalendarEvent{Subject: "a", Matter: link, Attendees: []models.Link{link}}
	require.NoError(t, json.Unmarshal([]byte(`{"matter":{"href":"/m"},"attendees":[{"href":"/a"}]}`), &event))
	assert.Equal(t, models.CalendarEvent{Matter: models.Link{Href: "/m"}, Attendees: []models.Link{{Href: "/a"}}}, event)

	task := models.Task{Subject: "a"}
	require.NoError(t, json.Unmarshal([]byte(`{}`), &task))
	assert.Equal(t, models.Task{}, task, "with a table")

	page := models.Collection[models.Link]{Items: []models.Link{{ID: "1", Href: "/1"}, {ID: "2"}}}
	faults, err := codec.Decode([]byte(`{"value":[{"id":"a","href":[]},{"relation":"b"}]}`), &page, models.Wire)
	require.NoError(t, err)
	assert.Len(t, faults, 1)
	assert.Equal(t, []models.Link{{Relation: "b"}}, page.Items, "in the place of an element at fault")
}
