package codec_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestZeroMembersAreLeftOut(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]thing{
		`{}`:                               {},
		`{"tags":[],"parts":[],"safe":[]}`: {Tags: []string{}, Parts: []part{}, Safe: []thing{}},
		`{"parts":[{},{"id":"a"}]}`:        {Parts: []part{{}, {ID: "a"}}},
		`{"inner":{"count":1}}`:            {Inner: part{Count: 1}},
		`{"inner":{"x":1}}`:                {Inner: part{Extra: `{"x":1}`}},
		`{"flag":true,"x":1,"y":2}`:        {Flag: true, Extra: `{"x":1,"y":2}`},
		`{"x":1}`:                          {Extra: `{"x":1}`},
		`{"name":"a"}`:                     {Name: "a", Extra: `{}`},
	} {
		written, err := codec.Marshal(x, own{})
		require.NoError(t, err)
		assert.Equal(t, want, string(written))
	}
}

func TestExtraCannotHideAKnownMember(t *testing.T) {
	t.Parallel()
	_, err := codec.Marshal(thing{Extra: `{"x":1,"name":"a"}`}, own{})
	require.ErrorContains(t, err, `"name"`)
	_, err = codec.Marshal(thing{Inner: part{Extra: `{"id":"a"}`}}, own{})
	require.Error(t, err, "nor in a nested record")
	_, err = codec.Marshal(thing{Parts: []part{{Extra: `{"id":"a"}`}}}, own{})
	require.Error(t, err, "nor in a list")
}

// failing is a value whose encoding fails.
type failing struct{}

var errFailing = errors.New("cannot be written")

func (failing) MarshalJSONTo(b []byte, w *codec.Writer) []byte {
	w.Check(errFailing)
	return b
}

func (f failing) IsZero() bool { return false }

// holder encodes its member in one of the ways of generated methods.
type holder struct {
	write func([]byte, *codec.Writer) []byte
}

func (h holder) MarshalJSONTo(b []byte, w *codec.Writer) []byte {
	return codec.EndObject(h.write(b, w), len(b))
}

func TestAMemberThatCannotBeWrittenFailsTheText(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func([]byte, *codec.Writer) []byte{
		"value": func(b []byte, w *codec.Writer) []byte { return failing{}.MarshalJSONTo(codec.Name(b, "x"), w) },
		"record": func(b []byte, w *codec.Writer) []byte {
			return codec.RecordMember(b, w, `,"x":`, failing{}, failing.MarshalJSONTo)
		},
		"list": func(b []byte, w *codec.Writer) []byte {
			return writeList(b, w, "x", []failing{{}, {}}, failing.MarshalJSONTo)
		},
	} {
		text, err := codec.Marshal(holder{write}, own{})
		require.ErrorIs(t, err, errFailing, name)
		assert.Nil(t, text)
	}
}

// sealed is encoded in the clear only if the writer allows it.
type sealed string

func (s sealed) MarshalJSONTo(b []byte, w *codec.Writer) []byte {
	if !w.Reveals() {
		s = "hidden"
	}
	return w.Text(b, string(s))
}

func TestOnlyRequestsRevealSecrets(t *testing.T) {
	t.Parallel()
	text, err := codec.Marshal(sealed("key"), own{})
	require.NoError(t, err)
	assert.Equal(t, `"hidden"`, string(text))
	text, err = codec.AppendRequest([]byte("body="), sealed("key"), own{})
	require.NoError(t, err)
	assert.Equal(t, `body="key"`, string(text))
}

func TestMembersOfAText(t *testing.T) {
	t.Parallel()
	var got []string
	for name, value := range codec.Each(` { "a" : [ 1 ] , "\u0062" : "x" , "c":{"d":1,"d":2}, "e":{}} `) {
		got = append(got, name+"="+value)
	}
	assert.Equal(t, []string{"a=[ 1 ]", `b="x"`, `c={"d":1,"d":2}`, "e={}"}, got)
	for name := range codec.Each(`{"a":1,"b":2}`) {
		assert.Equal(t, "a", name)
		break
	}
	for _, text := range []string{``, `[]`, `{}`, `{"a"`, `{"a":}`, `{1:2}`} {
		for range codec.Each(text) {
			assert.Fail(t, "no member to give", text)
		}
	}
}

func TestCompactTakesExactlyOneObject(t *testing.T) {
	t.Parallel()
	text, err := codec.Compact(` { "a" : { } } `)
	require.NoError(t, err)
	assert.Equal(t, `{"a":{}}`, text)
	for _, text := range []string{``, `[]`, `null`, `{} {}`, `{"a":1,"a":2}`, `{"a":1`, `"{}"`} {
		_, err := codec.Compact(text)
		require.Error(t, err, text)
	}
}

func TestATextOfARequestIsUTF8(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]thing{
		"a text":              {Name: "a\xff"},
		"an element":          {Tags: []string{"a", "\xc3"}},
		"what is in it":       {Safe: []thing{{Name: "\xed\xa0\x80"}}},
		"text that was kept ": {Extra: "{\"x\":\"\xff\"}"},
	} {
		_, err := codec.AppendRequest(nil, &bad, own{})
		require.ErrorIs(t, err, codec.ErrNotUTF8, name)
		_, err = codec.Marshal(&bad, own{})
		require.NoError(t, err, name)
	}
	_, err := codec.AppendRequest(nil, holder{func(b []byte, w *codec.Writer) []byte {
		return append(w.AnyName(b, "a\xff"), "null"...)
	}}, own{})
	require.ErrorIs(t, err, codec.ErrNotUTF8, "a name that is free")
	good := thing{Name: "ä \ufffd \u2028 \U0001F600"}
	_, err = codec.AppendRequest(nil, &good, own{})
	require.NoError(t, err)
}
