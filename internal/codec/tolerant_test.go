package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestMissingNullAndEmptyObjectAreTheSameZero(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, ` null `, `{}`, ` { } `,
		`{"name":null}`, `{"name":{}}`, `{"name": { } }`, `{"name":""}`,
		`{"tags":null}`, `{"tags":{}}`, `{"parts":null}`, `{"parts":{}}`, `{"safe":null}`, `{"safe":{ }}`,
		`{"inner":null}`, `{"inner":{}}`, `{"inner":{"id":null,"count":null}}`, `{"free":null}`, `{"free":{}}`, `{"free":{ }}`,
		`{"relation":null,"rel":null}`, `{"rel":{}}`, `{"big":null,"flag":null}`, `{"big":0,"flag":false}`,
	} {
		assert.Equal(t, thing{}, decodeThing(t, text), text)
	}
}

func TestReadingClearsWhatWasThere(t *testing.T) {
	t.Parallel()
	x := thing{Name: "old", Tags: []string{"old"}, Inner: part{ID: "old"}, Extra: `{"old":1}`}
	require.NoError(t, codec.Unmarshal([]byte(`{"big":1}`), &x, own{}))
	assert.Equal(t, thing{Big: 1}, x)
}

func TestAnEmptyListIsNotTheNilList(t *testing.T) {
	t.Parallel()
	x := decodeThing(t, `{"tags":[],"parts":[ ],"safe":[]}`)
	assert.Equal(t, thing{Tags: []string{}, Parts: []part{}, Safe: []thing{}}, x)
}

func TestEmptyElementsOfListsAreKept(t *testing.T) {
	t.Parallel()
	x := decodeThing(t, `{"tags":[null,{},""],"parts":[null,{}],"safe":[{},{}]}`)
	assert.Equal(t, thing{Tags: []string{"", "", ""}, Parts: []part{{}, {}}, Safe: []thing{{}, {}}}, x)
}

func TestMembersMayComeInAnyOrder(t *testing.T) {
	t.Parallel()
	want := thing{Name: "a", Relation: "r", Big: 1, Flag: true, Inner: part{ID: "b", Count: 2}}
	for _, text := range []string{
		`{"name":"a","relation":"r","big":1,"flag":true,"inner":{"id":"b","count":2}}`,
		`{"inner":{"count":2,"id":"b"},"flag":true,"big":1,"relation":"r","name":"a"}`,
		`{"flag":true,"name":"a","inner":{"id":"b","count":2},"relation":"r","big":1}`,
		` { "n\u0061me" : "a" , "relation" : "r" , "big" : 1 , "flag" : true , "inner" : { "id" : "b" , "count" : 2 } } `,
	} {
		assert.Equal(t, want, decodeThing(t, text), text)
	}
}

func TestNamesAreMatchedExactly(t *testing.T) {
	t.Parallel()
	x := decodeThing(t, `{"Name":"a","nam":"b","names":"c","na":"d"}`)
	assert.Equal(t, thing{Extra: `{"Name":"a","nam":"b","names":"c","na":"d"}`}, x)
}

func TestRelIsReadAsRelation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]thing{
		`{"rel":"a"}`:                      {Relation: "a"},
		`{"relation":"a"}`:                 {Relation: "a"},
		`{"rel":"a","relation":null}`:      {Relation: "a"},
		`{"relation":"","rel":"a"}`:        {Relation: "a"},
		`{"relation":"a","rel":null}`:      {Relation: "a"},
		`{"relation":"a","rel":"b"}`:       {Relation: "a", Extra: `{"rel":"b"}`},
		`{"rel":"b\n","relation":"a"}`:     {Relation: "a", Extra: `{"rel":"b\n"}`},
		`{"rel":"b","x":1,"relation":"a"}`: {Relation: "a", Extra: `{"x":1,"rel":"b"}`},
	} {
		x := decodeThing(t, text)
		assert.Equal(t, want, x, text)
		written, err := codec.Marshal(x, own{})
		require.NoError(t, err)
		assert.Equal(t, x, decodeThing(t, string(written)), "nothing is lost on the way back")
	}
}

func TestUnknownMembersAreKeptAsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1}`:              `{"a":1}`,
		`{"a":1.50e+1,"b":-0}`: `{"a":1.50e+1,"b":-0}`,
		`{"a":1,"name":"x","b":[true,false,null]}`:  `{"a":1,"b":[true,false,null]}`,
		`{ "a" : { "b" : [ 1 , 2 ] , "c" : { } } }`: `{"a":{"b":[1,2],"c":{}}}`,
		`{"a":" spaces , stay : "}`:                 `{"a":" spaces , stay : "}`,
		`{"a":"\u00e9\n\"\/"}`:                      `{"a":"\u00e9\n\"\/"}`,
		`{"\u0061":"é"}`:                            `{"a":"é"}`,
		"{\"a\":\"x\xff\"}":                         `{"a":"x` + "\ufffd" + `"}`,
		`{"a":["\ud800","\udc00\ud800"]}`:           `{"a":["` + "\ufffd" + `","` + "\ufffd\ufffd" + `"]}`,
		`{"a":"\ud83d\ude00"}`:                      `{"a":"\ud83d\ude00"}`,
		"{\"x\xffy\":{\"z\xfe\":1}}":                `{"x` + "\ufffd" + `y":{"z` + "\ufffd" + `":1}}`,
		`{"inner":{"a":1},"b":2}`:                   `{"b":2}`,
		`{"b":1,"inner":{"a":1},"c":3}`:             `{"b":1,"c":3}`,
	} {
		assert.Equal(t, want, decodeThing(t, text).Extra, text)
	}
	assert.Equal(t, `{"a":1}`, decodeThing(t, `{"b":0,"inner":{"a":1},"c":0}`).Inner.Extra)
}

func TestFreeFormObjectsAreKeptAsText(t *testing.T) {
	t.Parallel()
	x := decodeThing(t, `{"free": { "n" : 637981232724209300 , "t" : "a b" } }`)
	assert.Equal(t, `{"n":637981232724209300,"t":"a b"}`, x.Free)
}

// tree is a record that contains a list of its own kind.
type tree struct {
	Name  string
	Trees []tree
}

func (x *tree) UnmarshalJSONFrom(r *codec.Reader) error {
	*x = tree{}
	var err error
	m := r.Members([]string{"name", "trees"})
	for err == nil && m.Next() {
		switch m.Index {
		case 0:
			err = codec.Text(&x.Name, r)
		case 1:
			err = codec.List(&x.Trees, r, (*tree).UnmarshalJSONFrom)
		}
	}
	_, err = m.End(err)
	return err
}

func TestListsOfOneKindMayNestAndFollow(t *testing.T) {
	t.Parallel()
	var x tree
	_, err := codec.Decode([]byte(`{"trees":[{"name":"a","trees":[{"name":"b"},{"trees":[{"name":"c"}]}]},{"trees":[],"name":"d"},{"trees":[{"name":"e"}]}]}`), &x, own{})
	require.NoError(t, err)
	assert.Equal(t, tree{Trees: []tree{
		{Name: "a", Trees: []tree{{Name: "b"}, {Trees: []tree{{Name: "c"}}}}}, {Name: "d", Trees: []tree{}}, {Trees: []tree{{Name: "e"}}},
	}}, x)
}

// kindOf records the kind of the value that it is decoded from.
type kindOf byte

func (x *kindOf) UnmarshalJSONFrom(r *codec.Reader) error {
	*x = kindOf(r.Kind())
	r.Raw()
	return r.Err()
}

func TestKindsAreToldBeforeReading(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]byte{
		`null`: codec.KindNull, ` true`: codec.KindTrue, `false`: codec.KindFalse, `"a"`: codec.KindText, `0`: codec.KindNumber,
		`-1`: codec.KindNumber, `9`: codec.KindNumber, "\n[]": codec.KindList, `{}`: codec.KindObject,
	} {
		var got kindOf
		_, err := codec.Decode([]byte(text), &got, own{})
		require.NoError(t, err)
		assert.Equal(t, kindOf(want), got, text)
	}
}
