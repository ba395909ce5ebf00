package practicetest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestNothingWrongIsTakenInSilence sends wrong values, as far as the API
// description defines them, in each member and query parameter of each
// operation. The service must refuse or report each of them.
func TestNothingWrongIsTakenInSilence(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s := practicetest.New(t, practicetest.WithRequestLog(0), practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Hour))
	type wrongRequest struct {
		where      string
		by         caller
		path, body string
		sent       request
	}
	var all []wrongRequest
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		sent, c := goodCall(t, s, op), callFor(t, s, op)
		try := func(where, path, body string) {
			all = append(all, wrongRequest{op.ID + ": " + where, c, path, body, sent})
		}
		for _, q := range o.Query {
			for _, wrong := range wrongOf(q.Type, q.Rules, q.Target) {
				text, isText := strings.CutPrefix(strings.TrimSuffix(string(wrong), `"`), `"`)
				if !isText || text == "" || slices.Contains([]string{"true", "1", "0", "text"}, text) {
					continue // query parameters are strings, for which these are valid
				}
				at, _ := url.Parse(sent.path)
				query := at.Query()
				query[q.Name] = []string{text}
				at.RawQuery = query.Encode()
				try(q.Name+" is "+text, at.String(), sent.body)
			}
		}
		if o.Body == nil {
			continue
		}
		for _, m := range membersBelow(o.Body.Type, o.Body.List) {
			for _, wrong := range m.wrong {
				try(strings.Join(m.path, ".")+" is "+string(wrong), sent.path, sent.with(t, place{path: m.path}, wrong))
			}
		}
	}
	assert.Greater(t, len(all), 5000)
	var refused, reported int
	var taken []string
	for _, one := range soak.Slice(t, 5, all, func(r wrongRequest) string { return r.where }) {
		var got answer
		switch found := s.Tolerate(func() { got = one.by.do(one.sent.method, one.path, one.body) }); {
		case got.Status >= 400:
			refused++
		case len(found) > 0:
			reported++
		default:
			taken = append(taken, one.where)
		}
	}
	t.Logf("%d refused, %d reported, %d taken", refused, reported, len(taken))
	assert.Empty(t, taken)
	assert.Greater(t, refused, soak.Least(soak.Times(1000, 5000)))
	assert.Greater(t, reported, soak.Least(soak.Times(5, 30)))
}

// wrongMember holds the path of a member in a body, and values that are invalid
// there.
type wrongMember struct {
	path  []string
	wrong []json.RawMessage
}

// membersBelow returns the members of a body, including those of nested
// objects.
func membersBelow(of *description.Type, list bool) (all []wrongMember) {
	var above []string
	if list {
		above = []string{"[]"}
	}
	if of.Ref == nil {
		return nil
	}
	return membersOf(of.Ref, above)
}

func membersOf(s *description.Schema, above []string) (all []wrongMember) {
	if len(above) > 4 {
		return nil // a recursive schema
	}
	for _, m := range s.Members {
		path, inside := append(slices.Clone(above), m.Name), m.Type
		own := wrongMember{path, wrongOf(m.Type, m.Rules, m.Target)}
		if !m.Nullable && m.Type.Kind != description.Any && m.Type.Kind != description.ObjectOrList {
			own.wrong = append(own.wrong, json.RawMessage("null"))
		}
		all = append(all, own)
		for ; inside.Elem != nil; inside = inside.Elem {
			if path = append(path, "[]"); inside.Kind == description.Map {
				path[len(path)-1] = "Client"
			}
			all = append(all, wrongMember{slices.Clone(path), wrongOf(inside.Elem, description.Rules{Pattern: m.Pattern, Only: m.Only, Closed: m.Closed}, m.Target)})
		}
		if inside.Ref != nil {
			all = append(all, membersOf(inside.Ref, path)...)
		}
	}
	return all
}

// wrongOf returns JSON values that are invalid for a type.
func wrongOf(of *description.Type, r description.Rules, target string) (wrong []json.RawMessage) {
	add := func(on bool, texts ...string) {
		for _, text := range texts {
			if on {
				wrong = append(wrong, json.RawMessage(text))
			}
		}
	}
	isText := slices.Contains([]description.Kind{
		description.Text, description.UUID, description.Instant, description.Day, description.DayOrInstant, description.LocalTime, description.EnumText,
	}, of.Kind)
	add(isText, "1", "true", "{}", "[]")
	switch of.Kind {
	case description.Text:
		add(r.MinLength != nil && *r.MinLength > 0, `""`, `" "`)
		add(r.MaxLength != nil && target == "", longText(r.MaxLength))
		add(r.Format == "uri", `"hooks.example.test/in"`)
		add(target != "" && !strings.HasSuffix(target, "/code"), `"no id"`)
	case description.UUID:
		add(true, `"no id"`, `""`, `"11111111-2222-4333-8444-55555555555g"`)
	case description.Instant, description.Day, description.DayOrInstant, description.LocalTime:
		add(true, `"soon"`, `""`, `"2026-02-30"`, `"2026-02-30T00:00:00Z"`, `"03/02/2026"`, `"20260302"`)
	case description.Integer:
		add(true, `"1"`, "1.5", "true", "{}", "[]", "9223372036854775808", map[int]string{32: "2147483648"}[of.Bits])
	case description.Decimal:
		add(true, `"1"`, "true", "{}", "[]", "1e999")
	case description.Boolean:
		add(true, `"true"`, "1", "0", "{}")
	case description.EnumText:
		add(!of.Enum.Free, `"Unpublished"`, strconv.Quote(strings.ToUpper(of.Enum.Values[0].Value+"x")))
	case description.EnumNumber:
		add(true, "-1", "999", `"0"`, "0.5", "true")
	case description.List:
		add(true, `"text"`, "{}", "1")
	case description.Map, description.Ref, description.Object:
		add(true, `"text"`, "[]", "1")
		add(of.Kind == description.Ref, `{"nobodyKnows":1}`)
	}
	for _, end := range []struct {
		at   *string
		step string
	}{{r.Minimum, "-1"}, {r.Maximum, "1"}} {
		if end.at != nil {
			n, err := strconv.ParseFloat(*end.at, 64)
			step, _ := strconv.ParseFloat(end.step, 64)
			add(err == nil, strconv.FormatFloat(n+step, 'f', -1, 64))
		}
	}
	return slices.DeleteFunc(wrong, func(text json.RawMessage) bool { return len(text) == 0 })
}

func longText(most *int) string {
	if most == nil {
		return ""
	}
	return strconv.Quote(strings.Repeat("x", *most+1))
}

// TestAValueThatIsNotPublishedIsToldAsChosen sends an undocumented value in a
// body and in a query, to services with each setting of WithUnpublished.
func TestAValueThatIsNotPublishedIsToldAsChosen(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options              []practicetest.Option
		refused              bool
		violations, warnings int
	}{
		"reported": {nil, false, 1, 0},
		"warned":   {[]practicetest.Option{practicetest.WithUnpublished(practicetest.UnpublishedWarned)}, false, 0, 1},
		"refused":  {[]practicetest.Option{practicetest.WithUnpublished(practicetest.UnpublishedRefused)}, true, 1, 0},
		"lenient":  {[]practicetest.Option{practicetest.WithStrict(false)}, false, 0, 0},
		"lenient, and refused": {
			[]practicetest.Option{practicetest.WithStrict(false), practicetest.WithUnpublished(practicetest.UnpublishedRefused)}, true, 0, 0,
		},
	} {
		s := practicetest.New(t, tt.options...)
		for _, ask := range []func() answer{
			func() answer { return call(t, s).get("/matters?Status=Opne") },
			func() answer { return call(t, s).do("PATCH", "/matters/"+s.Firm().MatterID, `{"status":"Opne"}`) },
		} {
			var got answer
			assert.Len(t, s.Tolerate(func() { got = ask() }), tt.violations, name)
			assert.Equal(t, tt.refused, got.Status == http.StatusBadRequest, name)
			last := s.Requests()[len(s.Requests())-1]
			assert.Len(t, last.Violations, tt.violations, name)
			assert.Len(t, last.Warnings, tt.warnings, name)
			assert.Equal(t, tt.refused, len(last.Answer) > 0, name)
		}
	}
}
