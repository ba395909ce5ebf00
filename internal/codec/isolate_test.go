package codec_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestAFaultCostsOnlyItsElement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string // names of the elements that were decoded
		raw  string
	}{
		"first":                  {`[{"name":1},{"name":"b"}]`, []string{"b"}, `{"name":1}`},
		"middle":                 {`[{"name":"a"},{"name":1},{"name":"c"}]`, []string{"a", "c"}, `{"name":1}`},
		"last":                   {`[{"name":"a"}, [ 1 , "]" ] ]`, []string{"a"}, `[ 1 , "]" ]`},
		"only":                   {`[5]`, nil, `5`},
		"null":                   {`[{"name":"a"}, null ,{"name":"c"}]`, []string{"a", "c"}, `null`},
		"duplicate name":         {`[{"name":"a","x":1,"x":2},{"name":"b"}]`, []string{"b"}, `{"name":"a","x":1,"x":2}`},
		"deep inside":            {`[{"parts":[{"count":{"a":[]}}],"name":"a"},{"name":"b"}]`, []string{"b"}, `{"parts":[{"count":{"a":[]}}],"name":"a"}`},
		"after unknown members":  {`[{"x":1,"y":{"z":2},"name":[]},{"name":"b","x":3}]`, []string{"b"}, `{"x":1,"y":{"z":2},"name":[]}`},
		"inside unknown members": {`[{"x":{"y":1,"y":2}},{"name":"b"}]`, []string{"b"}, `{"x":{"y":1,"y":2}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var x thing
			text := `{"before":1,"safe":` + c.text + `,"after":2,"name":"whole"}`
			faults, err := codec.Decode([]byte(text), &x, own{})
			require.NoError(t, err)
			require.Len(t, faults, 1)
			assert.Equal(t, c.raw, string(faults[0].Raw))
			require.Error(t, faults[0].Err)
			var names []string
			for _, element := range x.Safe {
				names = append(names, element.Name)
			}
			assert.Equal(t, c.want, names)
			assert.Equal(t, "whole", x.Name, "reading goes on behind the list")
			assert.Equal(t, `{"before":1,"after":2}`, x.Extra)
		})
	}
}

func TestFaultsNameTheirPlace(t *testing.T) {
	t.Parallel()
	text := `{"inner":{"id":"[,"},"safe":[{"name":"0"},{"safe":[{},{"inner":{"count":"x"}},{"big":0.5}]},7,{"safe":[{},true]},` +
		`{"safe":[1],"name":2},{"flag":1}]}`
	var x thing
	faults, err := codec.Decode([]byte(text), &x, own{})
	require.NoError(t, err)
	var got []string
	for _, fault := range faults {
		var value *codec.ValueError
		require.ErrorAs(t, fault.Err, &value)
		got = append(got, fmt.Sprintf("%d %s %s", fault.Index, fault.Path, value.Path))
		assert.Equal(t, string(fault.Raw), text[strings.Index(text, string(fault.Raw)):][:len(fault.Raw)])
	}
	assert.Equal(t, []string{
		"3 safe[1].safe[1] safe[1].safe[1].inner.count",
		"4 safe[1].safe[2] safe[1].safe[2].big",
		"5 safe[2] safe[2]",
		"8 safe[3].safe[1] safe[3].safe[1]",
		"9 safe[4] safe[4].name",
		"10 safe[5] safe[5].flag",
	}, got)
	require.Len(t, x.Safe, 3)
	assert.Len(t, x.Safe[1].Safe, 1)
	assert.Len(t, x.Safe[2].Safe, 1)

	err = codec.Unmarshal([]byte(text), &x, own{})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "safe[1].safe[2].big")
	assert.Contains(t, err.Error(), "safe[5].flag")
}

func TestAFaultOutsideTheListFailsTheText(t *testing.T) {
	t.Parallel()
	for text, path := range map[string]string{
		`{"safe":[{"name":"a"}],"name":1}`: "name",
		`{"safe":[{"name":1}],"name":1}`:   "name",
		`{"safe":"a"}`:                     "safe",
		`{"safe":[],"safe":[]}`:            "",
	} {
		faults, err := codec.Decode([]byte(text), &thing{}, own{})
		var value *codec.ValueError
		require.ErrorAs(t, err, &value, text)
		assert.Equal(t, path, value.Path)
		assert.Empty(t, faults)
	}
}

func TestManyFaultsTakeLinearTime(t *testing.T) {
	t.Parallel()
	const n = 100_000
	text := `{"x":"` + strings.Repeat("y", 1<<20) + `","safe":[` + strings.Repeat(`{"name":1},`, n) + `{}]}`
	faults, err := codec.Decode([]byte(text), &thing{}, own{})
	require.NoError(t, err)
	require.Len(t, faults, n)
	assert.Equal(t, fmt.Sprintf("safe[%d]", n-1), faults[n-1].Path)
}

func TestRecordsDoNotKeepTheirPageAlive(t *testing.T) {
	t.Parallel()
	read := func() (weak.Pointer[byte], []thing, []codec.Fault) {
		text := []byte(`{"safe":[{"name":"some","x":"more","free":{"a":1},"tags":["t"]},{"name":5}],"y":"` + strings.Repeat("z", 100_000) + `"}`)
		var x thing
		faults, err := codec.Decode(text, &x, own{})
		require.NoError(t, err)
		return weak.Make(&text[0]), x.Safe, faults
	}
	page, records, faults := read()
	runtime.GC()
	assert.Nil(t, page.Value())
	assert.Len(t, records, 1)
	assert.Len(t, faults, 1)
}

func TestRecordsDoNotKeepEachOtherAlive(t *testing.T) {
	t.Parallel()
	read := func() (first weak.Pointer[byte], second string) {
		x := decodeThing(t, `{"safe":[{"name":"`+strings.Repeat("a", 100)+`"},{"name":"`+strings.Repeat("b", 100)+`"}]}`)
		return weak.Make(unsafe.StringData(x.Safe[0].Name)), x.Safe[1].Name
	}
	first, second := read()
	runtime.GC()
	assert.Nil(t, first.Value())
	assert.Len(t, second, 100)
}

func TestFaultsDoNotAddUp(t *testing.T) {
	t.Parallel()
	const n = codec.MaxDepth * 2
	fault := `{"x":1,"inner":{"y":2,"count":{"a":1}},"name":"` + strings.Repeat("z", 100) + `"},`
	var x thing
	faults, err := codec.Decode([]byte(`{"safe":[`+strings.Repeat(fault, n)+`{"a":1}],"b":2}`), &x, own{})
	require.NoError(t, err)
	assert.Len(t, faults, n)
	assert.Equal(t, thing{Safe: []thing{{Extra: `{"a":1}`}}, Extra: `{"b":2}`}, x)
}

func TestStringsOfARecordShareOneAllocation(t *testing.T) {
	text := []byte(`{"safe":[` + strings.Repeat(`{"name":"some name","rel":"things","x":"more","free":{"a":1},"inner":{"id":"12345"}},`, 1000) + `{}]}`)
	allocs := testing.AllocsPerRun(5, func() {
		_, err := codec.Decode(text, &thing{}, own{})
		require.NoError(t, err)
	})
	assert.Less(t, allocs, 1100.0)
}

func TestLongStringsDoNotMakeRoomForOthers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 10_000)
	x := decodeThing(t, `{"name":"a","tags":["b","`+long+`","c"],"safe":[{"name":"`+long+`"},{"name":"d"},{"name":"`+long+`","rel":"e"}]}`)
	assert.Equal(t, []string{"b", long, "c"}, x.Tags)
	assert.Equal(t, []thing{{Name: long}, {Name: "d"}, {Name: long, Relation: "e"}}, x.Safe)
}
