package acceptance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestEveryModifyWritesWhatWasReadOrNamesWhatNot checks that a Modify without a
// change writes what was read, or names each member that would be lost. It runs
// every Modify method on records of the present and of later versions of the
// service.
func TestEveryModifyWritesWhatWasReadOrNamesWhatNot(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	methods := modifyMethods(t)
	require.Len(t, methods, 22)
	replacements := replacementsByPath(t)
	for seed := range uint64(soak.Times(20, 5000)) {
		for _, m := range methods {
			s := &keptService{random: rand.New(rand.NewPCG(seed, 1)), replacements: replacements}
			if !t.Run(fmt.Sprintf("%s/%d", m.name, seed), func(t *testing.T) { s.keeps(t, m) }) {
				return // stop at the first failure
			}
		}
	}
}

// modifyMethod is a Modify method, called by reflection.
type modifyMethod struct {
	name    string
	service int // index of the service's field in the client
	method  int
}

func modifyMethods(t *testing.T) (all []modifyMethod) {
	t.Helper()
	client := reflect.TypeFor[practice.Client]()
	for field := range client.Fields() {
		if field.Type.Kind() != reflect.Pointer || !field.IsExported() {
			continue
		}
		for i := range field.Type.NumMethod() {
			if name := field.Type.Method(i).Name; strings.HasPrefix(name, "Modify") {
				all = append(all, modifyMethod{field.Name + "." + name, field.Index[0], i})
			}
		}
	}
	return all
}

func replacementsByPath(t *testing.T) map[string]*description.Conversion {
	t.Helper()
	document := described(t)
	all, problems := document.Conversions()
	require.Empty(t, problems)
	byPath := map[string]*description.Conversion{}
	for _, c := range all {
		byPath[c.Operation.Path] = c
	}
	return byPath
}

// keptService returns one random record and keeps the body that replaces it.
type keptService struct {
	random       *rand.Rand
	replacements map[string]*description.Conversion

	of      *description.Conversion
	record  map[string]any
	written map[string]any // nil before a PUT
}

func (s *keptService) RoundTrip(req *http.Request) (*http.Response, error) {
	if s.of == nil {
		for path, c := range s.replacements {
			if matchesPath(path, req.URL.Path) {
				s.of = c
			}
		}
		s.record = s.recordOf(s.of.Record, s.of, 0)
		if name, named := s.record["name"].(string); strings.Contains(req.URL.Path, "/folders/") && (!named || name == "") {
			s.record["name"] = "a folder" // a page without any member of a folder is another list
		}
		for _, name := range []string{"id", "reference"} { // members by which a read knows its record
			if s.of.Record.Member(name) != nil {
				s.record[name] = path.Base(strings.TrimSuffix(req.URL.Path, "/archive")) // which has the id of its matter
			}
		}
	}
	if req.Method == http.MethodPut {
		text, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		s.written = map[string]any{}
		decode(text, &s.written)
		return testkit.AnswerOf(http.StatusAccepted, "{}"), nil
	}
	text, err := json.Marshal(s.record)
	return testkit.AnswerOf(http.StatusOK, string(text)), err
}

func matchesPath(template, path string) bool {
	wanted, have := strings.Split(template, "/"), strings.Split(path, "/")
	return len(wanted) == len(have) && !slices.ContainsFunc(wanted, func(step string) bool {
		i := slices.Index(wanted, step)
		return !strings.HasPrefix(step, "{") && have[i] != step
	})
}

func decode(text []byte, into any) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		panic(err)
	}
}

// keeps calls the method, allows what it reports as lost until it succeeds, and
// checks the body that was written.
func (s *keptService) keeps(t *testing.T, m modifyMethod) {
	client, err := practice.NewClient("https://api.example.test", practice.WithAPIKey("key"),
		practice.WithHTTPClient(&http.Client{Transport: s}))
	require.NoError(t, err)
	err = m.call(t, client)
	want := keeping{}
	body := want.body(s.of, s.record, "")
	refused, lost := errors.AsType[*practice.ModifyError](err)
	if want.unnamed(); len(want.lost)+len(want.unknown) > 0 {
		require.True(t, lost, "%v\nread %s", err, textOf(s.record))
		require.Equal(t, m.name, refused.Operation)
		require.ElementsMatch(t, slices.Concat(want.lost, want.unknown), refused.Members, "read %s", textOf(s.record))
		require.ElementsMatch(t, want.unknown, refused.Unknown)
		require.Nil(t, s.written)
		err = m.call(t, client, practice.WithLoss(refused.Members...))
	}
	require.NoError(t, err, "read %s", textOf(s.record))
	require.NotNil(t, s.written)
	for _, name := range want.set {
		delete(s.written, name)
	}
	assert.JSONEq(t, textOf(withoutEmpty(body)), textOf(withoutEmpty(s.written)), "read %s", textOf(s.record))
}

// call calls the method with ids and a change that sets only required members.
func (m modifyMethod) call(t *testing.T, client *practice.Client, opts ...practice.CallOption) error {
	t.Helper()
	method := reflect.ValueOf(client).Elem().Field(m.service).Method(m.method)
	in := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		if of := method.Type().In(i); of.Kind() == reflect.Func {
			in = append(in, reflect.MakeFunc(of, func(args []reflect.Value) []reflect.Value {
				if staff := args[0].Elem().FieldByName("StaffID"); staff.IsValid() && strings.HasPrefix(m.name, "Tasks.") {
					staff.SetString("who-changes-it")
				}
				return []reflect.Value{reflect.Zero(reflect.TypeFor[error]())}
			}))
		} else {
			in = append(in, reflect.ValueOf(fmt.Sprintf("632ed7c7-ef4f-5faf-8178-%012d", i)))
		}
	}
	for _, opt := range opts {
		in = append(in, reflect.ValueOf(opt))
	}
	out := method.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// keeping holds what the body that keeps a record lacks, and what the caller
// must set.
type keeping struct{ lost, unknown, set []string }

func (k *keeping) body(c *description.Conversion, record map[string]any, path string) map[string]any {
	body := map[string]any{}
	known := append(c.Beside(), "href", "relation", "rel", "method", "self")
	for _, m := range c.Members {
		known = append(known, m.Name)
		switch m.Fate {
		case description.Unreadable:
			k.lost = append(k.lost, path+m.Name)
		case description.Instruction:
			k.set = append(k.set, m.Name)
		case description.Kept:
			known = append(known, m.From.Name)
			if m.With != nil {
				known = append(known, m.With.Name)
			}
			if m.With != nil && record[m.From.Name] == nil && record[m.With.Name] != nil {
				body[m.Name] = record[m.With.Name]
			} else if value := record[m.From.Name]; value != nil && !isUnset(m.From.Type, value) && !isNothing(m.From.Type, value) {
				k.member(body, m, record, path)
			}
		}
	}
	for name, value := range record {
		if value != nil && !slices.Contains(known, name) && c.Record.Kind != description.Page {
			k.unknown = append(k.unknown, path+name)
		}
	}
	return body
}

// isUnset reports whether a value is the date that the service sends for "no
// date".
func isUnset(of *description.Type, value any) bool {
	switch of.Kind {
	case description.Instant, description.Day, description.DayOrInstant, description.LocalTime:
		return slices.Contains(unsetTimes, value.(string))
	}
	return false
}

// isNothing reports whether a value is an object in which every known member is
// empty, at every depth, and which has no unknown member. Services send such an
// object for an absent one.
func isNothing(of *description.Type, value any) bool {
	object, is := value.(map[string]any)
	if !is || of.Kind != description.Ref || withoutEmpty(object) != nil {
		return false
	}
	for name, inner := range object {
		member := of.Ref.Member(name)
		if _, deeper := inner.(map[string]any); member == nil || deeper && !isNothing(member.Type, inner) {
			return false
		}
	}
	return true
}

var unsetTimes = []string{
	"0001-01-01", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.0000000", "0001-01-01T00:00:00.000+10:00",
}

func (k *keeping) member(body map[string]any, m description.Converted, record map[string]any, path string) {
	value := record[m.From.Name]
	var kept any
	switch m.Form {
	case description.IDOf:
		kept = idOf(value, m.Target)
	case description.IDsOf:
		kept = eachKept(value, func(one any) any { return idOf(one, "") })
	case description.InObject:
		kept = k.body(m.Of, value.(map[string]any), path+m.Name+".")
	case description.InObjects:
		kept = eachKept(value, func(one any) any { return k.body(m.Of, one.(map[string]any), path+m.Name+".") })
	case description.Behind:
		end, _ := record[m.With.Name].(string)
		kept = value.(string) + end
	case description.ByName:
		kept = numberOf(m.From.Type.Enum, m.Type.Enum, value.(string))
	case description.TextsOf:
		if kept = value; slices.ContainsFunc(slices.Collect(maps.Values(value.(map[string]any))), isNoText) {
			kept = nil
		}
	default:
		kept = value
	}
	if kept == nil {
		k.lost = append(k.lost, path+m.Name)
		return
	}
	body[m.Name] = kept
}

func isNoText(value any) bool {
	_, is := value.(string)
	return value != nil && !is
}

func eachKept(list any, keep func(any) any) any {
	all := []any{}
	for _, one := range list.([]any) {
		kept := keep(one)
		if kept == nil {
			return nil
		}
		all = append(all, kept)
	}
	return all
}

func idOf(link any, target string) any {
	if id := link.(map[string]any)["id"]; id != nil {
		return id
	}
	href, _ := link.(map[string]any)["href"].(string)
	if id, is := strings.CutPrefix(href, "/"+target+"/"); is && target != "" {
		return id
	}
	return nil
}

func numberOf(from, to *description.Enum, value string) any {
	for _, a := range from.Values {
		for _, b := range to.Values {
			if a.Value == value && a.Name == b.Name {
				return json.Number(b.Value)
			}
		}
	}
	return nil
}

// unnamed removes the difference between names that an error does not
// distinguish.
func (k *keeping) unnamed() {
	for _, names := range []*[]string{&k.lost, &k.unknown} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
}

func textOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// withoutEmpty removes null and empty texts, lists and objects, which count as
// absent.
func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, value := range v {
			if value = withoutEmpty(value); value != nil {
				kept[name] = value
			}
		}
		if len(kept) > 0 {
			return kept
		}
	case []any:
		kept := []any{}
		for _, value := range v {
			kept = append(kept, withoutEmpty(value))
		}
		if len(kept) > 0 {
			return kept
		}
	case string:
		if v != "" {
			return v
		}
	case nil:
	default:
		return v
	}
	return nil
}

// recordOf returns a random record. It has every member that the body requires.
func (s *keptService) recordOf(of *description.Schema, c *description.Conversion, depth int) map[string]any {
	record := map[string]any{}
	if s.random.IntN(12) == 0 {
		record[fmt.Sprintf("later%d", s.random.IntN(3))] = s.unknown()
	}
	if depth > 0 && s.random.IntN(4) == 0 || depth > 5 {
		return record // without any known member
	}
	for _, m := range of.Members {
		switch chance := s.random.IntN(10); {
		case needed(c, m):
			record[m.Name] = s.value(m.Type, nil, depth)
		case chance == 0:
		case chance == 1:
			record[m.Name] = nil
		default:
			record[m.Name] = s.value(m.Type, insideOf(c, m), depth)
		}
	}
	if of.Kind == description.Record {
		record["href"], record["rel"], record["method"] = "/things/1", "thing", "GET"
	}
	if of.Kind == description.Page {
		record["value"] = []any{}
	}
	return record
}

// needed reports whether the body requires the value of a member of the record.
func needed(c *description.Conversion, m *description.Member) bool {
	return c != nil && slices.ContainsFunc(c.Members, func(to description.Converted) bool { return to.From == m && to.Required })
}

func insideOf(c *description.Conversion, m *description.Member) *description.Conversion {
	if c != nil {
		for _, to := range c.Members {
			if to.From == m {
				return to.Of
			}
		}
	}
	return nil
}

func (s *keptService) unknown() any {
	return []any{nil, false, "", json.Number("12.50"), "text", map[string]any{}, []any{}}[s.random.IntN(7)]
}

func (s *keptService) value(of *description.Type, inside *description.Conversion, depth int) any {
	n := s.random.IntN(1000)
	switch of.Kind {
	case description.List:
		all := []any{}
		for range s.random.IntN(3) {
			all = append(all, s.value(of.Elem, inside, depth))
		}
		return all
	case description.Map:
		if of.Elem.Kind == description.Any {
			return map[string]any{"a": "text", "b": s.unknown()}
		}
		return map[string]any{"a": s.value(of.Elem, nil, depth)}
	case description.Ref:
		if of.Ref.Name == "Link" {
			return s.link(n)
		}
		return s.recordOf(of.Ref, inside, depth+1)
	case description.EnumText:
		return s.oneOf(of.Enum.Values[n%len(of.Enum.Values)].Value, "OfALaterService")
	case description.EnumNumber:
		return json.Number(s.oneOf(of.Enum.Values[n%len(of.Enum.Values)].Value, "77"))
	case description.Integer, description.Ticks:
		return json.Number(fmt.Sprint(n % 3))
	case description.Decimal:
		return json.Number(fmt.Sprintf("%d.50", n%5))
	case description.Boolean:
		return n%2 == 0
	case description.Instant, description.DayOrInstant:
		return s.oneOf(fmt.Sprintf("2026-07-01T%02d:%02d:00Z", n/60%24, n%60), append(unsetTimes[1:], "0001-01-01T09:30:00Z")...)
	case description.Day:
		return s.oneOf(fmt.Sprintf("2026-07-%02d", 1+n%28), unsetTimes[0])
	case description.LocalTime:
		return fmt.Sprintf("2026-07-01T%02d:%02d:00", n/60%24, n%60)
	case description.UUID:
		return fmt.Sprintf("632ed7c7-ef4f-5faf-8178-%012d", n)
	case description.Object, description.Any, description.ObjectOrList:
		return map[string]any{"free": fmt.Sprintf("text %d", n)}
	default:
		return s.oneOf(fmt.Sprintf("text %d", n), "", "0001-01-01", "0001-01-01 is what the old system had", "0001-01-01T00:00:00", "null", `"`)
	}
}

// oneOf returns usual, or sometimes one of others.
func (s *keptService) oneOf(usual string, others ...string) string {
	if s.random.IntN(6) > 0 {
		return usual
	}
	return others[s.random.IntN(len(others))]
}

func (s *keptService) link(n int) any {
	switch s.random.IntN(8) {
	case 0:
		return map[string]any{"href": "/folders/in"}
	case 1:
		return map[string]any{"href": "/elsewhere"}
	}
	return map[string]any{"id": fmt.Sprintf("id-%d", n), "href": "/things/1"}
}
