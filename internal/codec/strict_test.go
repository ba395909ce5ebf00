package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestBrokenTextIsASyntaxError(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":                         ``,
		"only white space":                " \n",
		"a byte order mark":               "\ufeff{}",
		"unexpected text after the value": `{} {}`,
		"a comma after the value":         `{},`,
		"a zero byte after the value":     "{}\x00",
		"object without an end":           `{"name":"a"`,
		"comma before the end":            `{"name":"a",}`,
		"comma at the beginning":          `{,"name":"a"}`,
		"no comma":                        `{"name":"a" "big":1}`,
		"missing colon":                   `{"name" "a"}`,
		"no value":                        `{"name":}`,
		"no value, unknown":               `{"other":}`,
		"name without quotes":             `{name:"a"}`,
		"name that is a number":           `{1:2}`,
		"single quotes":                   `{'name':'a'}`,
		"list without an end":             `{"tags":["a"`,
		"list with a final comma":         `{"tags":["a",]}`,
		"list closed as an object":        `{"tags":["a"}`,
		"list without commas":             `{"tags":["a" "b"]}`,
		"unterminated string":             `{"name":"a`,
		"string ends in an escape":        `{"name":"a\`,
		"raw control character":           "{\"name\":\"a\tb\"}",
		"raw zero byte":                   "{\"name\":\"a\x00b\"}",
		"raw line feed in a name":         "{\"na\nme\":1}",
		"control character, unknown":      "{\"other\":\"a\x1fb\"}",
		"unknown escape":                  `{"name":"\x41"}`,
		"escape cut off":                  `{"name":"\u12"}`,
		"escape of other digits":          `{"name":"\u12g4"}`,
		"escape of a line feed":           "{\"name\":\"\\\n\"}",
		"bad escape, unknown member":      `{"other":["\q"]}`,
		"literal cut off":                 `{"flag":tru}`,
		"literal in capitals":             `{"flag":True}`,
		"literal that goes on":            `{"flag":trues}`,
		"null that goes on":               `{"name":nullo}`,
		"leading zero":                    `{"big":01}`,
		"leading plus":                    `{"big":+1}`,
		"only a minus":                    `{"big":-}`,
		"point without digits":            `{"big":1.}`,
		"point at the beginning":          `{"big":.5}`,
		"exponent without digits":         `{"big":1e}`,
		"exponent with only a sign":       `{"big":1e+}`,
		"hexadecimal":                     `{"big":0x10}`,
		"not a number":                    `{"big":NaN}`,
		"a comment":                       `{/**/}`,
		"other white space":               "{\v}",
		"no-break space":                  "{\u00a0}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var syntax *codec.SyntaxError
			require.ErrorAs(t, decodeError(text), &syntax)
			assert.LessOrEqual(t, syntax.Offset, len(text))
			isolated := `{"safe":[` + text + `]}`
			if strings.TrimSpace(text) != "" && name != "unexpected text after the value" && name != "a comma after the value" {
				require.ErrorAs(t, decodeError(isolated), &syntax, "not even an isolated list saves broken syntax")
			}
		})
	}
}

func TestASyntaxErrorNamesItsPlace(t *testing.T) {
	t.Parallel()
	err := decodeError(`{"name":"ab` + "\x01" + `"}`)
	require.EqualError(t, err, "invalid JSON at offset 11: control character in a string")
	err = decodeError(`{"name":"ab\q"}`)
	require.EqualError(t, err, "invalid JSON at offset 11: invalid escape in a string")
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	nest := func(n int) string {
		return `{"other":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	decodeThing(t, nest(codec.MaxDepth-1))
	var syntax *codec.SyntaxError
	require.ErrorAs(t, decodeError(nest(codec.MaxDepth)), &syntax)
	require.ErrorAs(t, decodeError(strings.Repeat(`{"safe":[`, 1_000_000)), &syntax)
	require.ErrorAs(t, decodeError(`{"safe":[`+nest(codec.MaxDepth)+`]}`), &syntax)
}

func TestDuplicateNamesAreRefusedInEveryObject(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, path string }{
		"known":                     {`{"name":"a","big":1,"name":"a"}`, ""},
		"known, both null":          {`{"name":null,"name":null}`, ""},
		"known, written otherwise":  {`{"name":"a","\u006eame":"b"}`, ""},
		"unknown":                   {`{"x":1,"y":2,"x":3}`, ""},
		"unknown, escaped":          {`{"x/y":1,"x\/y":2}`, ""},
		"unknown, mended the same":  {"{\"x\xff\":1,\"x\ufffd\":2}", ""},
		"empty names":               {`{"":1,"":2}`, ""},
		"nested record":             {`{"inner":{"id":"a","id":"b"}}`, "inner"},
		"record in a list":          {`{"parts":[{},{"id":"a","id":"b"}]}`, "parts[1]"},
		"inside an unknown member":  {`{"x":[0,{"y":{"z":1,"z":2}}]}`, ""},
		"inside a free-form object": {`{"free":{"secret name":{"a":1,"a":2}}}`, "free"},
		"free-form object itself":   {`{"free":{"a":1,"b":2,"a":1}}`, "free"},
		"among many":                {`{` + manyMembers(50) + `,"m33":0}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var value *codec.ValueError
			require.ErrorAs(t, decodeError(c.text), &value)
			assert.Equal(t, "a duplicate member name", value.Reason)
			assert.Equal(t, c.path, value.Path)
		})
	}
	decodeThing(t, `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"inner":{"name":1},"parts":[{"x":1},{"x":1}],`+manyMembers(1000)+`}`)
}

func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d":{}`, i)
	}
	return strings.Join(members, ",")
}

func TestWrongKindsAreValueErrorsWithAPath(t *testing.T) {
	t.Parallel()
	for text, path := range map[string]string{
		`[]`:                                     "",
		`"a"`:                                    "",
		`17`:                                     "",
		`{"name":1}`:                             "name",
		`{"name":["a"]}`:                         "name",
		`{"name":{"a":1}}`:                       "name",
		`{"name":true}`:                          "name",
		`{"big":"1"}`:                            "big",
		`{"big":{}}`:                             "big",
		`{"flag":"true"}`:                        "flag",
		`{"flag":0}`:                             "flag",
		`{"flag":{}}`:                            "flag",
		`{"tags":"a"}`:                           "tags",
		`{"tags":{"a":1}}`:                       "tags",
		`{"tags":["a","b",3]}`:                   "tags[2]",
		`{"inner":[]}`:                           "inner",
		`{"inner":{"count":1.5}}`:                "inner.count",
		`{"x":{"y":[1]},"inner":{"x":1,"id":5}}`: "inner.id",
		`{"parts":[{"id":"a"}, {"id" : 5}]}`:     "parts[1].id",
		`{"free":[]}`:                            "free",
		`{"free":"a"}`:                           "free",
		`{"rel":5}`:                              "rel",
		`{"x":",\"[{","parts":[{"id":"]}\""},{"id":5}]}`: "parts[1].id",
	} {
		var value *codec.ValueError
		require.ErrorAs(t, decodeError(text), &value, text)
		assert.Equal(t, path, value.Path, text)
	}
	require.EqualError(t, decodeError(`{"inner":{"count":1.5}}`),
		"invalid JSON value of inner.count at offset 18: not a whole number in range")
	require.EqualError(t, decodeError(`[]`), "invalid JSON value at offset 0: not an object")
}

func TestErrorsHoldNothingOfTheText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"name":["hush"]}`, `{"hush":{"hush":1,"hush":2}}`, `{"hush":1,"hush":2}`, `{"name":"hush` + "\x01", `{"hush" 1}`,
		`{"free":{"hush":{"hush":1,"hush":2}}}`, `hush`, `{"big":"hush"}`, `{"safe":{"hush":1}}`, `{"parts":[{"hush":0,"id":5}]}`,
	} {
		err := decodeError(text)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hush")
	}
}
