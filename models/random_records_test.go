package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
)

// TestARandomRecordIsReadAndWrittenBack checks that records are written as they
// were read, and decode to the same value: values of every form, absent
// members, nulls and unknown members, at every depth.
func TestARandomRecordIsReadAndWrittenBack(t *testing.T) {
	t.Parallel()
	seed := uint64(soak.Times(1, int(time.Now().UnixNano())))
	forEveryRecord(t, func(t *testing.T, zero record, s *description.Schema) {
		random := samples{rand.New(rand.NewPCG(seed, uint64(len(s.GoName))))}
		for range soak.Times(4, 150) {
			sample := random.object(s, 0)
			first := rewritten(t, sameKind(zero), sample)
			require.Equal(t, first, rewritten(t, sameKind(zero), first), "seed %d: %s", seed, sample)
			assert.Empty(t, lost(parsed(t, sample), parsed(t, first)), "seed %d: %s", seed, sample)
		}
	})
}

func rewritten(t *testing.T, v record, text string) string {
	t.Helper()
	_, err := codec.Decode([]byte(text), v, models.Wire)
	require.NoError(t, err, text)
	written, err := codec.AppendRequest(nil, v, models.Wire)
	require.NoError(t, err, text)
	return string(written)
}

func parsed(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value), text)
	return value
}

// lost returns the path of a value that is missing in the other text, or "".
// Null, empty and zero values may be missing.
func lost(from, into any) string {
	switch from := from.(type) {
	case map[string]any:
		object, _ := into.(map[string]any)
		for name, value := range from {
			if path := lost(value, object[name]); path != "" {
				return "." + name + path
			}
		}
		return ""
	case []any:
		list, _ := into.([]any)
		for i, value := range from {
			if i < len(list) {
				if path := lost(value, list[i]); path != "" {
					return "." + strconv.Itoa(i) + path
				}
			} else if lost(value, nil) != "" {
				return "." + strconv.Itoa(i)
			}
		}
		return ""
	case nil:
		return ""
	}
	if from == into || slices.Contains([]any{"", json.Number("0"), false}, from) && into == nil {
		return ""
	}
	return fmt.Sprintf("=%v, %v", from, into)
}

// samples generates JSON texts of records.
type samples struct{ *rand.Rand }

func (r samples) object(s *description.Schema, depth int) string {
	var members []pair
	for _, m := range s.Members {
		name := m.Name
		if m.LiteralPrefix {
			name = strings.NewReplacer("vendor", "acme", "Vendor", "Acme").Replace(name)
		}
		switch {
		case m.Name == "rel": // another name of relation
		case r.IntN(3) == 0:
		case r.IntN(6) == 0:
			members = append(members, pair{name, "null"})
		default:
			members = append(members, pair{name, r.value(m.Type, depth)})
		}
	}
	if s.Kind != description.BodySchema && r.IntN(3) == 0 { // bodies have no unknown members
		members = append(members, pair{"fromTomorrow", `{"a":[1.50,null,{"b":""}]}`})
	}
	return object(members)
}

func (r samples) value(t *description.Type, depth int) string {
	switch t.Kind {
	case description.List:
		elements := make([]string, r.IntN(3))
		for i := range elements {
			elements[i] = r.value(t.Elem, depth)
		}
		return "[" + strings.Join(elements, ",") + "]"
	case description.Map:
		return `{"a":` + r.value(t.Elem, depth) + "}"
	case description.Ref:
		if depth > 2 {
			return "{}"
		}
		return r.object(t.Ref, depth+1)
	case description.EnumText:
		return fmt.Sprintf("%q", t.Enum.Values[r.IntN(len(t.Enum.Values))].Value)
	case description.EnumNumber:
		return t.Enum.Values[r.IntN(len(t.Enum.Values))].Value
	}
	at := time.Unix(r.Int64N(4e9), r.Int64N(1e7)*100).UTC()
	some := map[description.Kind][]string{
		description.Text:    {`""`, `"null"`, `"2026-07-01"`, `"Ünïcödé \"x\" \\ \n ☃"`, strconv.Quote(strings.Repeat("a", r.IntN(40)))},
		description.UUID:    {fmt.Sprintf(`"%08x-ef4f-5faf-8178-%012x"`, r.Uint32(), r.Uint64N(1<<48))},
		description.Integer: {"0", strconv.Itoa(int(r.Int32N(1e9))), strconv.Itoa(-int(r.Int32N(1e9)))},
		description.Decimal: {"0", "0.00", strconv.Itoa(int(r.Int32())), fmt.Sprintf("-%d.%02d", r.Int32N(1e6), r.IntN(100)), fmt.Sprintf("%d.%d", r.Int64(), 1+r.Int64N(1e9))},
		description.Boolean: {"true", "false"}, description.Ticks: {strconv.FormatInt(6e17+r.Int64N(1e17), 10)},
		description.Instant:   {at.Format(`"2006-01-02T15:04:05.9999999Z"`), at.Format(`"2006-01-02T15:04:05`) + `+10:00"`},
		description.LocalTime: {at.Format(`"2006-01-02T15:04:05"`)}, description.Day: {at.Format(`"2006-01-02"`)},
		description.DayOrInstant:  {at.Format(`"2006-01-02"`), at.Format(`"2006-01-02T15:04:05Z"`)},
		description.Object:        {`{}`, `{"free":[1,2.50,null,"x"]}`, `{"":{"a":1e400}}`},
		description.TextOrInteger: {`"Normal"`, "7"}, description.Any: {"null", "1.0", `[true,{"a":1.0}]`, `"text"`},
	}[t.Kind]
	return some[r.IntN(len(some))]
}

// TestRandomTimesAreReadAsPackageTimeReadsThem compares times with package
// time, for any zone and number of digits.
func TestRandomTimesAreReadAsPackageTimeReadsThem(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	for range soak.Times(2_000, 100_000) {
		zone := time.FixedZone("", (r.IntN(2*14*60+1)-14*60)*60)
		at := time.Unix(r.Int64N(250_000_000_000)-62_000_000_000, r.Int64N(1e9)).In(zone)
		text := at.Format([]string{time.RFC3339, "2006-01-02T15:04:05.999Z07:00", time.RFC3339Nano}[r.IntN(3)])
		want, known := referenceTime(text)
		got, err := models.ParseDateTime(text)
		require.Equal(t, known, err == nil, text)
		require.True(t, !known || want.Equal(got.Time()), text)
		mutated := []byte(text)
		mutated[r.IntN(len(mutated))] = "0123456789-:TZ+. "[r.IntN(17)]
		_, known = referenceTime(string(mutated))
		_, err = models.ParseDateTime(string(mutated))
		require.Equal(t, known, err == nil, string(mutated))
	}
}
