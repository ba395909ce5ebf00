package models_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// loggedAs returns a value as a JSON log shows it.
func loggedAs(t *testing.T, value any) map[string]any {
	t.Helper()
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("read", "record", value)
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	record, _ := line["record"].(map[string]any) // absent if the group has no members
	return record
}

// TestRecordsLogThemselvesWithoutPersonalData checks that a logged record has
// no member that is described as personal, at any depth, and that it has all
// other members.
func TestRecordsLogThemselvesWithoutPersonalData(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		record := reflect.New(reflect.TypeOf(zero).Elem())
		require.NoError(t, json.Unmarshal([]byte(object(fullSample(s))), record.Interface()))
		for _, value := range []any{record.Interface(), record.Elem().Interface()} {
			if _, knows := value.(slog.LogValuer); knows {
				checkLogged(t, s, loggedAs(t, value))
			} else {
				assert.False(t, holdsPersonal(s, map[*description.Schema]bool{}), "%s needs a LogValue", s.GoName)
			}
		}
	})
}

// checkLogged checks the log output for a record.
func checkLogged(t *testing.T, s *description.Schema, logged map[string]any) {
	t.Helper()
	for _, m := range s.Members {
		value, there := logged[m.Name]
		switch below := m.Type.Ref; {
		case m.Personal || m.FreeText:
			assert.False(t, there, "%s.%s is in the log", s.Name, m.Name)
		case below != nil && there:
			if group, ok := value.(map[string]any); ok {
				checkLogged(t, below, group)
			}
		case m.Type.Elem != nil && m.Type.Elem.Ref != nil && there:
			group, _ := value.(map[string]any)
			for _, element := range group {
				checkLogged(t, m.Type.Elem.Ref, element.(map[string]any))
			}
		case m.Type.Kind == description.Text && !m.LiteralPrefix && m.Name != "rel": // it is logged as relation
			assert.True(t, there, "%s.%s is not in the log", s.Name, m.Name)
		}
	}
}

// holdsPersonal reports whether a record has personal data, directly or nested.
func holdsPersonal(s *description.Schema, seen map[*description.Schema]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	for _, m := range s.Members {
		of := m.Type
		for of.Elem != nil {
			of = of.Elem
		}
		if m.Personal || m.FreeText || of.Ref != nil && holdsPersonal(of.Ref, seen) {
			return true
		}
	}
	return s.Elem != nil && holdsPersonal(s.Elem, seen)
}

func TestACollectionLogsItsSizeAndNoRecord(t *testing.T) {
	t.Parallel()
	page := models.Collection[models.Contact]{Items: []models.Contact{{Person: models.Person{LastName: "Marked"}}}}
	page.Size = models.Some(7)
	assert.Equal(t, map[string]any{"items": 1.0, "size": 7.0, "offset": nil, "limit": nil}, loggedAs(t, page))
}

// TestAnOptLogsItsValue checks that an Opt is logged like its value.
func TestAnOptLogsItsValue(t *testing.T) {
	t.Parallel()
	person := models.PersonWrite{FirstName: "Marked"}
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("read", "some", models.Some(7), "null", models.Null[int](), "none", models.Opt[int]{},
		"person", models.Some(person), "contact", models.Contact{ID: "c-1", Person: models.Person{LastName: "Marked"}})
	assert.Contains(t, out.String(), "some=7 null=<nil> none=<nil>")
	assert.Contains(t, out.String(), "contact.id=c-1")
	assert.NotContains(t, out.String(), "Marked")
}
