package fuzztest

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// same checks that the codec decoded a fitting value correctly. A nil node
// stands for a missing member.
func same(t *testing.T, place string, n *node, v reflect.Value) {
	t.Helper()
	if elem, ok := isOpt(v.Type()); ok {
		sameOpt(t, place, n, v, elem)
		return
	}
	if value, ok := v.Interface().(models.FreeValue); ok {
		sameFree(t, place, n, value)
		return
	}
	if n == nil || n.isNothing() {
		require.True(t, v.IsZero(), "%s: %v", place, v)
		return
	}
	switch value := v.Interface().(type) {
	case models.Decimal:
		sameDecimal(t, place, n.text, value.String())
		return
	case models.Cents:
		sameDecimal(t, place, n.text, value.String())
		return
	case models.Ticks:
		want, _ := wholeNumber(n.text)
		require.Equal(t, want, int64(value), place)
		return
	case models.Date:
		require.Equal(t, n.text[:10], value.String(), place)
		return
	case models.Object:
		sameObject(t, place, n, value)
		return
	case models.Secret:
		require.Equal(t, n.text, value.Reveal(), place)
		return
	case models.CalendarEventCode:
		want := n.text
		if number, ok := wholeNumber(n.text); ok && n.kind == '0' {
			want = strconv.FormatInt(number, 10)
		}
		require.Equal(t, want, value.String(), place)
		return
	case fmt.Stringer: // DateTime, LocalDateTime
		require.Equal(t, n.text, value.String(), place)
		return
	}
	switch v.Kind() {
	case reflect.String:
		require.Equal(t, n.text, v.String(), place)
	case reflect.Int, reflect.Int64:
		want, _ := wholeNumber(n.text)
		require.Equal(t, want, v.Int(), place)
	case reflect.Bool:
		require.Equal(t, n.kind == 't', v.Bool(), place)
	case reflect.Slice:
		sameList(t, place, n.members, v)
	case reflect.Map:
		require.Equal(t, len(n.members), v.Len(), place)
		for i, name := range n.names {
			same(t, place+"."+name, n.members[i], v.MapIndex(reflect.ValueOf(name)))
		}
	default:
		sameRecord(t, place, n, v)
	}
}

func sameOpt(t *testing.T, place string, n *node, v reflect.Value, elem reflect.Type) {
	t.Helper()
	is := func(method string) bool { return v.MethodByName(method).Call(nil)[0].Bool() }
	got := v.MethodByName("Get").Call(nil)
	require.Equal(t, n == nil, is("IsZero"), place)
	require.Equal(t, n != nil && n.kind == 'n', is("IsNull"), place)
	require.Equal(t, n != nil && n.kind != 'n', got[1].Bool(), place)
	require.Equal(t, elem, got[0].Type())
	if n != nil && n.kind == 'n' {
		n = nil
	}
	same(t, place, n, got[0])
}

func sameFree(t *testing.T, place string, n *node, value models.FreeValue) {
	t.Helper()
	text, ok := value.Text()
	require.Equal(t, n.kind == '"', ok, place)
	if ok {
		require.Equal(t, n.text, text, place)
		return
	}
	again, err := parse([]byte(value.String()))
	require.NoError(t, err, place)
	require.Equal(t, n, again, place)
}

func sameDecimal(t *testing.T, place, text, d string) {
	t.Helper()
	want, _ := rational(text)
	got, ok := new(big.Rat).SetString(d)
	require.True(t, ok, "%s: %s", place, d)
	require.Zero(t, want.Cmp(got), "%s: %s is not %s", place, d, text)
	_, fraction, _ := strings.Cut(text, ".")
	if want.Sign() != 0 && !strings.ContainsAny(text, "eE") && len(fraction) <= 64 {
		require.Equal(t, text, d, place)
	}
}

func sameObject(t *testing.T, place string, n *node, o models.Object) {
	t.Helper()
	kept, err := parse([]byte(o.String()), jsontext.AllowInvalidUTF8(false))
	require.NoError(t, err, "%s: %s", place, o)
	require.Equal(t, n, kept, place)
}

func sameList(t *testing.T, place string, elements []*node, v reflect.Value) {
	t.Helper()
	require.False(t, v.IsNil(), place)
	require.Equal(t, len(elements), v.Len(), place)
	for i, element := range elements {
		same(t, fmt.Sprintf("%s[%d]", place, i), element, v.Index(i))
	}
}

func sameRecord(t *testing.T, place string, n *node, v reflect.Value) {
	t.Helper()
	members := membersOf(v.Type())
	if n.kind == '[' {
		n = &node{kind: '{', names: []string{"value"}, members: []*node{n}}
	}
	known := make([]string, 0, len(members)+1)
	for _, m := range members {
		known = append(known, m.name)
		value, field := n.member(m.name), v.FieldByIndex(m.index)
		switch {
		case m.isolate && value != nil && value.kind == '[':
			fitting := slices.DeleteFunc(slices.Clone(value.members), func(e *node) bool { return !fitsAlone(e, m.typ.Elem()) })
			sameList(t, place+"."+m.name, fitting, field)
		case m.name == "relation":
			same(t, place+"."+m.name, relation(n), field)
		default:
			same(t, place+"."+m.name, value, field)
		}
	}
	if extra := v.FieldByName("Extra"); extra.IsValid() {
		if _, ok := memberNamed(members, "relation"); ok {
			known = append(known, "rel")
		}
		sameExtra(t, place, n, known, extra)
	}
}

// relation returns the member that is decoded as the relation.
func relation(n *node) *node {
	if own := n.member("relation"); own != nil && own.text != "" {
		return own
	}
	return n.member("rel")
}

func sameExtra(t *testing.T, place string, n *node, known []string, extra reflect.Value) {
	t.Helper()
	want := &node{kind: '{'}
	for i, name := range n.names {
		if !slices.Contains(known, name) {
			want.names, want.members = append(want.names, name), append(want.members, n.members[i])
		}
	}
	if rel := n.member("rel"); slices.Contains(known, "rel") && rel != nil && rel.text != "" && relation(n) != rel {
		want.names, want.members = append(want.names, "rel"), append(want.members, rel)
	}
	if len(want.names) == 0 {
		require.True(t, extra.IsZero(), place)
		return
	}
	object, ok := extra.Interface().(models.Object)
	require.True(t, ok)
	sameObject(t, place+".Extra", want, object)
}
