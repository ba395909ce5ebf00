package acceptance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestACallByNameIsItsMethodForStrangeArguments sets each parameter and each
// member of a body in turn, and options in pairs, to values that are empty, too
// long, malformed or the name of another operation. It checks that the method
// and the call by name refuse the same argument for the same reason, or send
// the same request.
func TestACallByNameIsItsMethodForStrangeArguments(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	var refused, sent atomic.Int64
	t.Cleanup(func() {
		assert.Greater(t, refused.Load(), int64(4_000))
		assert.Greater(t, sent.Load(), int64(4_000))
	})
	numbered := 0
	firm := operations.FirmOf(func(string) string {
		numbered++
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", numbered)
	})
	for _, op := range operations.All() {
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			o := describedOperation(&operationRow{TB: t, op: op}, op.ID)
			w := wire{}
			client := testkit.BareClient(t, "https://practice.example.test", practice.WithHTTPClient(&http.Client{Transport: &w}), practice.WithRetries(0))
			for _, given := range strangeArguments(op.Arguments(firm)) {
				method := w.outcome(func(opts ...practice.CallOption) error { return op.CallWith(t.Context(), client, given, opts...) })
				arguments, body := named(t, o, given)
				byName := w.outcome(func(opts ...practice.CallOption) error {
					return client.Call(t.Context(), op.ID, arguments, body, nil, opts...)
				})
				if method.refusal != "" && byName.refusal != "" && twoAreStrange(given) {
					byName.refusal = method.refusal // the error may name either argument
				}
				if !assert.Equal(t, method, byName, "%#v", given) {
					return
				}
				if method.request == "" {
					refused.Add(1)
				} else {
					sent.Add(1)
				}
			}
			for _, version := range []practice.CallOption{practice.WithVersion(7), practice.WithExternalID("x")} {
				method := w.outcome(func(...practice.CallOption) error { return op.Call(t.Context(), client, firm, version) })
				arguments, body := named(t, o, op.Arguments(firm))
				byName := w.outcome(func(...practice.CallOption) error {
					return client.Call(t.Context(), op.ID, arguments, body, nil, version)
				})
				assert.Equal(t, method.refusal, byName.refusal)
			}
		})
	}
}

// wire records the request of a call and sends no response.
type wire struct{ request string }

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.request = r.Method + " " + r.URL.String()
	if r.Body != nil {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		w.request += " " + string(text)
	}
	return testkit.AnswerOf(http.StatusNotFound, ""), nil
}

// outcome is the request that a call sent, or the reason why it was refused.
type outcome struct{ request, refusal string }

func (w *wire) outcome(call func(...practice.CallOption) error) (o outcome) {
	w.request = ""
	err := call(practice.WithRequestID("one"))
	if bad, ok := errors.AsType[*practice.ArgumentError](err); ok {
		o.refusal = bad.Argument + " " + bad.Reason
	}
	o.request = w.request
	return o
}

// named converts the arguments of a method to those of a call by name.
func named(t *testing.T, o practice.Operation, given []any) (arguments map[string]any, body any) {
	t.Helper()
	arguments = map[string]any{}
	var texts []string
	for _, p := range o.Parameters {
		if p.In == practice.InPath || p.Name == "key" { // the only query parameter that is an argument and not an option
			texts = append(texts, p.Name)
		}
	}
	for _, value := range given {
		switch v := reflect.ValueOf(value); {
		case v.Kind() == reflect.String:
			arguments[texts[0]], texts = value, texts[1:]
		case strings.HasSuffix(v.Type().Name(), "Options"):
			nameOptions(t, o, v, arguments)
		case o.Body == "models.BatchContactsRequest":
			body = models.BatchContactsRequest{IDs: value.([]string)}
		case o.Body != "":
			body = value
		}
	}
	return arguments, body
}

// nameOptions adds the options of a list by their parameter names. It omits
// zero values.
func nameOptions(t *testing.T, o practice.Operation, options reflect.Value, arguments map[string]any) {
	t.Helper()
	for field, value := range options.Fields() {
		if field.Anonymous {
			nameOptions(t, o, value, arguments)
			continue
		}
		if value.IsZero() {
			continue
		}
		i := slices.IndexFunc(o.Parameters, func(p practice.Parameter) bool {
			return p.Name == "LastUpdated" && field.Name == "UpdatedSince" && !p.Deprecated
		})
		if i < 0 {
			i = slices.IndexFunc(o.Parameters, func(p practice.Parameter) bool {
				return strings.EqualFold(p.Name, field.Name) || value.Kind() == reflect.Bool && strings.HasPrefix(p.Name, field.Name)
			})
		}
		require.GreaterOrEqual(t, i, 0, "the parameter of %s", field.Name)
		p := o.Parameters[i]
		if get := value.MethodByName("Get"); get.IsValid() {
			value = get.Call(nil)[0] // from an Opt
		}
		arguments[p.Name] = value.Interface()
		if value.Kind() == reflect.Slice && !p.Repeated {
			var all []string
			for i := range value.Len() {
				all = append(all, value.Index(i).String())
			}
			arguments[p.Name] = strings.Join(all, ",")
		}
	}
}

// strangeArguments returns variants of valid arguments with one strange value,
// or with two strange options.
func strangeArguments(good []any) (all [][]any) {
	for i, argument := range good {
		var others []any
		switch v := reflect.ValueOf(argument); {
		case v.Kind() == reflect.String:
			for _, text := range strangeTexts() {
				others = append(others, text)
			}
		case strings.HasSuffix(v.Type().Name(), "Options"):
			others = strangeOptions(v.Type())
		case v.Kind() == reflect.Struct:
			others = strangeBodies(v)
		case v.Kind() == reflect.Slice:
			others = strangeLists(v)
		}
		for _, other := range others {
			changed := slices.Clone(good)
			changed[i] = other
			all = append(all, changed)
		}
	}
	return all
}

func strangeTexts() []string {
	return []string{
		"", ".", "..", "a/b", `a\b`, "a\nb", "\xff", "MyFirm", "me", strings.Repeat("ä", 300), practice.NoUserID, "{" + practice.NoUserID + "}",
		"batch", "BULK", "categories", "types", "Tiers", "settings", "invoices", "addons", "usages", "available",
	}
}

// strangeOptions returns options with one strange value or two.
func strangeOptions(kind reflect.Type) (all []any) {
	fields := reflect.VisibleFields(kind)
	for i, one := range fields {
		for _, value := range strangeValues(one) {
			options := reflect.New(kind).Elem()
			options.FieldByIndex(one.Index).Set(value)
			all = append(all, options.Interface())
			for _, other := range fields[i+1:] {
				for _, second := range strangeValues(other) {
					options := reflect.New(kind).Elem()
					options.FieldByIndex(one.Index).Set(value)
					options.FieldByIndex(other.Index).Set(second)
					all = append(all, options.Interface())
				}
			}
		}
	}
	return all
}

// strangeValues returns non-zero values of an option.
func strangeValues(field reflect.StructField) (values []reflect.Value) {
	add := func(all ...any) {
		for _, value := range all {
			values = append(values, reflect.ValueOf(value).Convert(field.Type))
		}
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	switch {
	case field.Anonymous:
	case field.Type.Kind() == reflect.String:
		add("text", "\xff")
	case field.Type.Kind() == reflect.Int:
		add(-1, 1, practice.MaxPageSize+1)
	case field.Type.Kind() == reflect.Bool:
		add(true)
	case field.Type == reflect.TypeFor[time.Time]():
		add(noon, noon.Add(-time.Second/2), noon.AddDate(8000, 0, 0), time.Time{}.Add(time.Nanosecond))
	case field.Type.Kind() == reflect.Slice:
		for _, text := range []string{"text", "\xff"} {
			list := reflect.MakeSlice(field.Type, 2, 2)
			list.Index(0).SetString(text)
			list.Index(1).SetString("text")
			values = append(values, list)
		}
	}
	return values
}

// twoAreStrange reports whether two options are set.
func twoAreStrange(given []any) bool {
	set := 0
	for _, value := range given {
		v := reflect.ValueOf(value)
		if !strings.HasSuffix(v.Type().Name(), "Options") {
			continue
		}
		for _, field := range reflect.VisibleFields(v.Type()) {
			if !field.Anonymous && !v.FieldByIndex(field.Index).IsZero() {
				set++
			}
		}
	}
	return set > 1
}

// strangeBodies returns bodies with one strange member.
func strangeBodies(good reflect.Value) (all []any) {
	all = append(all, reflect.Zero(good.Type()).Interface())
	for _, field := range reflect.VisibleFields(good.Type()) {
		if !field.IsExported() {
			continue
		}
		changed := reflect.New(good.Type()).Elem()
		changed.Set(good)
		changed.FieldByIndex(field.Index).SetZero()
		all = append(all, changed.Interface())
		for _, text := range []string{
			`null`, `""`, `"x"`, `"` + strings.Repeat("ä", 300) + `"`, `"` + practice.NoUserID + `"`, `"https://hooks.example.test/in"`,
			`-1`, `0`, `7`, `1e15`, `true`, `false`, `[]`, `[""]`, `["x"]`, `{}`, `[{}]`, `"2026-03-01T09:30:00Z"`, `"2026-03-01"`,
		} {
			changed := reflect.New(good.Type()).Elem()
			changed.Set(good)
			value := reflect.New(field.Type)
			if json.Unmarshal([]byte(text), value.Interface()) == nil {
				changed.FieldByIndex(field.Index).Set(value.Elem())
				all = append(all, changed.Interface())
			}
		}
	}
	return all
}

// strangeLists returns lists that are empty or contain strange elements.
func strangeLists(good reflect.Value) (all []any) {
	all = append(all, reflect.MakeSlice(good.Type(), 0, 0).Interface())
	elements := []any{""}
	switch good.Type().Elem().Kind() {
	case reflect.Struct:
		elements = strangeBodies(good.Index(0))
	case reflect.String:
		elements = append(elements, "\xff", "a/b")
	}
	for _, element := range elements {
		list := reflect.MakeSlice(good.Type(), 0, 2)
		all = append(all, reflect.Append(list, good.Index(0), reflect.ValueOf(element)).Interface())
	}
	return all
}
