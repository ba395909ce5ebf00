package models_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// described returns the schema of every generated record and body, by its Go
// name.
func described(t *testing.T) map[string]*description.Schema {
	t.Helper()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	schemas := make(map[string]*description.Schema)
	for _, s := range document.Schemas {
		if s.Like == nil || s.Like.GoName != s.GoName {
			schemas[s.GoName] = s
		}
	}
	return schemas
}

// forEveryRecord runs a test for every generated record and body.
func forEveryRecord(t *testing.T, test func(t *testing.T, zero record, s *description.Schema)) {
	t.Helper()
	schemas := described(t)
	run := 0
	for _, zero := range recordTypes() {
		s := schemas[bareName(zero)]
		if s == nil || s.GoName == "Problem" {
			continue
		}
		run++
		t.Run(s.GoName, func(t *testing.T) {
			t.Parallel()
			test(t, zero, s)
		})
	}
	assert.Equal(t, len(recordTypes())-2, run, "all but the collection and the problem are described")
}

// pair is a member of a JSON object.
type pair struct{ name, value string }

// object returns the JSON text of an object.
func object(members []pair) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = fmt.Sprintf("%q:%s", m.name, m.value)
	}
	return "{" + strings.Join(texts, ",") + "}"
}

const link = `{"id":"an-id","href":"/things/an-id","relation":"Things","method":"GET"}`

// fullSample returns every member of a schema with a value, in the order in
// which they are written. A record within one of its own kind is empty.
func fullSample(s *description.Schema, within ...*description.Schema) []pair {
	within = append(within, s)
	var members []pair
	if s.Kind == description.Record || s.Kind == description.Page {
		members = []pair{{"href", `"/a"`}, {"relation", `"Things"`}, {"method", `"GET"`}, {"self", link}}
	}
	if s.Kind == description.Page {
		members = append(members, pair{"id", `"an-id"`}, pair{"value", "[" + object(fullSample(s.Elem, within...)) + "]"},
			pair{"offset", "0"}, pair{"limit", "5"}, pair{"size", "1"},
			pair{"first", link}, pair{"previous", link}, pair{"next", link}, pair{"last", link})
	}
	var prefixed []pair
	for _, m := range s.Members {
		switch {
		case m.Name == "rel" && s.Member("relation") != nil: // it is read together with relation
		case m.LiteralPrefix: // kept in Extra, which is written last
			prefixed = append(prefixed, pair{strings.NewReplacer("vendor", "acme", "Vendor", "Acme").Replace(m.Name), valueOf(m.Type, within)})
		default:
			members = append(members, pair{m.Name, valueOf(m.Type, within)})
		}
	}
	return append(members, prefixed...)
}

// valueOf returns a non-zero value of the type.
func valueOf(t *description.Type, within []*description.Schema) string {
	switch t.Kind {
	case description.List:
		return "[" + valueOf(t.Elem, within) + "]"
	case description.Map:
		return `{"a":` + valueOf(t.Elem, within) + "}"
	case description.Ref:
		if slices.Contains(within, t.Ref) {
			return "{}"
		}
		return object(fullSample(t.Ref, within...))
	case description.EnumText:
		return fmt.Sprintf("%q", t.Enum.Values[0].Value)
	case description.EnumNumber:
		return t.Enum.Values[len(t.Enum.Values)-1].Value
	}
	return map[description.Kind]string{
		description.Text: `"a text"`, description.UUID: `"632ed7c7-ef4f-5faf-8178-9f9febc0a4a9"`, description.Integer: "7",
		description.Decimal: "12.50", description.Boolean: "true", description.Instant: `"2026-07-01T10:20:30.1234567Z"`,
		description.Day: `"2026-07-01"`, description.DayOrInstant: `"2026-07-01"`, description.LocalTime: `"2026-07-01T10:20:30"`,
		description.Ticks: "637981232724209300", description.Object: `{"free":[1,2.50,null]}`,
		description.TextOrInteger: `"Normal"`, description.Any: `[true,{"a":1.0}]`,
	}[t.Kind]
}

func TestAFullRecordIsReadAndWrittenBack(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		sample := object(fullSample(s))
		v := sameKind(zero)
		require.NoError(t, json.Unmarshal([]byte(sample), v), sample)
		written, err := codec.AppendRequest(nil, v, models.Wire)
		require.NoError(t, err)
		assert.Equal(t, sample, string(written))
		if extra, ok := extraOf(v); ok {
			for name := range extra.All() {
				assert.Contains(t, strings.ToLower(name), "acme", "it has no field")
			}
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v).Elem()) {
			if f.Name != "Extra" || len(f.Index) > 1 {
				assert.False(t, reflect.ValueOf(v).Elem().FieldByIndex(f.Index).IsZero(), "%s is not filled", f.Name)
			}
		}
	})
}

func extraOf(v record) (models.Extra, bool) {
	extra := reflect.ValueOf(v).Elem().FieldByName("Extra")
	if !extra.IsValid() {
		return models.Extra{}, false
	}
	return extra.Interface().(models.Extra), true
}

// TestASparseRecordHasOnlyWhatCame checks that decoding into a used record
// keeps none of its old members.
func TestASparseRecordHasOnlyWhatCame(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		full := fullSample(s)
		for _, offset := range []int{0, 1} {
			var half []pair
			for i := offset; i < len(full); i += 2 {
				half = append(half, full[i])
			}
			v := sameKind(zero)
			require.NoError(t, json.Unmarshal([]byte(object(full)), v))
			require.NoError(t, json.Unmarshal([]byte(object(half)), v))
			fresh := sameKind(zero)
			require.NoError(t, json.Unmarshal([]byte(object(half)), fresh))
			assert.Equal(t, fresh, v)
			written, err := json.Marshal(v)
			require.NoError(t, err)
			for _, m := range full {
				if !slices.Contains(half, m) && s.Kind != description.BodySchema {
					assert.NotContains(t, names(t, written), m.name)
				}
			}
		}
	})
}

func names(t *testing.T, text []byte) []string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &members))
	list := make([]string, 0, len(members))
	for name := range members {
		list = append(list, name)
	}
	return list
}

// TestARecordOfNullsHoldsNothing checks that null equals a missing member,
// except in an Opt.
func TestARecordOfNullsHoldsNothing(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		members := fullSample(s)
		for i := range members {
			members[i].value = "null"
		}
		v := sameKind(zero)
		require.NoError(t, json.Unmarshal([]byte(object(members)), v))
		value := reflect.ValueOf(v).Elem()
		for _, f := range reflect.VisibleFields(value.Type()) {
			switch field := value.FieldByIndex(f.Index); {
			case isOpt(f.Type) && f.Tag.Get("json") != "-": // an Opt found in Extra stays absent
				assert.True(t, field.MethodByName("IsNull").Call(nil)[0].Bool(), f.Name)
			case f.Name != "Extra" && !f.Anonymous:
				assert.True(t, field.IsZero(), f.Name)
			}
		}
	})
}

func TestAMemberOfTheWrongKindIsNamed(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, _ *description.Schema) {
		for name, member := range membersOf(reflect.TypeOf(zero).Elem()) {
			for _, wrong := range wrongKinds(member) {
				_, err := codec.Decode(fmt.Appendf(nil, `{%q:%s}`, name, wrong), sameKind(zero), models.Wire)
				var fault *codec.ValueError
				require.ErrorAs(t, err, &fault, "%s %s", name, wrong)
				assert.True(t, strings.HasPrefix(fault.Path, name), "%s is not %s", fault.Path, name)
			}
		}
	})
}

// TestUnknownMembersAreKept checks that records keep unknown members. Bodies
// refuse them.
func TestUnknownMembersAreKept(t *testing.T) {
	t.Parallel()
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		v := sameKind(zero)
		require.NoError(t, json.Unmarshal([]byte(`{"fromTomorrow":{"a":[1.50]},"another":null}`), v))
		written, err := json.Marshal(v)
		require.NoError(t, err)
		if s.Kind == description.BodySchema {
			assert.NotContains(t, string(written), "fromTomorrow")
			return
		}
		assert.Equal(t, `{"fromTomorrow":{"a":[1.50]},"another":null}`, string(written))
	})
}
