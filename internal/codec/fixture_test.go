package codec_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

// part and thing are records with methods like those the generator writes.
type part struct {
	ID    string
	Count int
	Extra string
}

var partMembers = []string{"id", "count"}

func (x *part) UnmarshalJSONFrom(r *codec.Reader) error {
	*x = part{}
	var err error
	m := r.Members(partMembers)
	for err == nil && m.Next() {
		switch m.Index {
		case 0:
			err = codec.Text(&x.ID, r)
		case 1:
			err = codec.Int(&x.Count, r)
		}
	}
	x.Extra, err = m.End(err)
	return err
}

func (x part) MarshalJSONTo(b []byte, w *codec.Writer) []byte {
	start := len(b)
	if x.ID != "" {
		b = w.Text(append(b, `,"id":`...), x.ID)
	}
	if x.Count != 0 {
		b = strconv.AppendInt(append(b, `,"count":`...), int64(x.Count), 10)
	}
	return codec.EndObject(w.Extra(b, x.Extra, partMembers), start)
}

type thing struct {
	Name     string
	Relation string
	Big      int64
	Flag     bool
	Inner    part
	Tags     []string
	Parts    []part
	Safe     []thing
	Free     string
	Extra    string
}

var thingMembers = []string{"name", "relation", "big", "flag", "inner", "tags", "parts", "safe", "free", "rel"}

func (x *thing) UnmarshalJSONFrom(r *codec.Reader) error {
	*x = thing{}
	var err error
	var rel string
	m := r.Members(thingMembers)
	for err == nil && m.Next() {
		switch m.Index {
		case 0:
			err = codec.Text(&x.Name, r)
		case 1:
			err = codec.Text(&x.Relation, r)
		case 2:
			err = codec.Int(&x.Big, r)
		case 3:
			err = codec.Bool(&x.Flag, r)
		case 4:
			err = x.Inner.UnmarshalJSONFrom(r)
		case 5:
			err = codec.List(&x.Tags, r, codec.Text)
		case 6:
			err = codec.List(&x.Parts, r, (*part).UnmarshalJSONFrom)
		case 7:
			err = codec.Isolated(&x.Safe, r, (*thing).UnmarshalJSONFrom)
		case 8:
			x.Free, err = r.Object(), r.Err()
		case 9:
			err = codec.Text(&rel, r)
		}
	}
	x.Relation = m.Alias(x.Relation, "rel", rel)
	x.Extra, err = m.End(err)
	return err
}

func (x thing) MarshalJSONTo(b []byte, w *codec.Writer) []byte {
	start := len(b)
	if x.Name != "" {
		b = w.Text(append(b, `,"name":`...), x.Name)
	}
	if x.Relation != "" {
		b = w.Text(append(b, `,"relation":`...), x.Relation)
	}
	if x.Big != 0 {
		b = strconv.AppendInt(append(b, `,"big":`...), x.Big, 10)
	}
	if x.Flag {
		b = strconv.AppendBool(append(b, `,"flag":`...), x.Flag)
	}
	b = codec.RecordMember(b, w, `,"inner":`, x.Inner, part.MarshalJSONTo)
	b = writeList(b, w, "tags", x.Tags, func(tag string, b []byte, w *codec.Writer) []byte { return w.Text(b, tag) })
	b = writeList(b, w, "parts", x.Parts, part.MarshalJSONTo)
	b = writeList(b, w, "safe", x.Safe, thing.MarshalJSONTo)
	if x.Free != "" {
		b = w.Raw(append(b, `,"free":`...), x.Free)
	}
	return codec.EndObject(w.Extra(b, x.Extra, thingMembers[:9]), start)
}

// own is the Form of the values of this package.
type own struct{}

func (own) Read(v any, r *codec.Reader) error { return v.(codec.Unmarshaler).UnmarshalJSONFrom(r) }

func (own) Write(v any, b []byte, w *codec.Writer) []byte {
	return v.(interface {
		MarshalJSONTo(b []byte, w *codec.Writer) []byte
	}).MarshalJSONTo(b, w)
}

// anyValue accepts any JSON value and keeps its compact text.
type anyValue struct{ raw string }

func (x *anyValue) UnmarshalJSONFrom(r *codec.Reader) error {
	x.raw = string(r.Raw())
	return r.Err()
}

func decodeThing(t *testing.T, text string) thing {
	t.Helper()
	var x thing
	faults, err := codec.Decode([]byte(text), &x, own{})
	require.NoError(t, err, text)
	require.Empty(t, faults, text)
	return x
}

func decodeError(text string) error {
	_, err := codec.Decode([]byte(text), &thing{}, own{})
	return err
}

func TestARecordReadsAndWritesItself(t *testing.T) {
	t.Parallel()
	text := `{"name":"a","relation":"Things","big":9007199254740993,"flag":true,"inner":{"id":"b","count":2},` +
		`"tags":["x","y"],"parts":[{"id":"c"},{"count":-1}],"safe":[{"name":"d"}],"free":{"k":[1,2.50,null]},"new":{"z":1}}`
	x := decodeThing(t, text)
	require.Equal(t, thing{
		Name: "a", Relation: "Things", Big: 9007199254740993, Flag: true, Inner: part{ID: "b", Count: 2},
		Tags: []string{"x", "y"}, Parts: []part{{ID: "c"}, {Count: -1}}, Safe: []thing{{Name: "d"}},
		Free: `{"k":[1,2.50,null]}`, Extra: `{"new":{"z":1}}`,
	}, x)
	written, err := codec.Marshal(x, own{})
	require.NoError(t, err)
	require.Equal(t, text, string(written))
}

func writeList[T any](
	b []byte, w *codec.Writer, name string, list []T, write func(T, []byte, *codec.Writer) []byte,
) []byte {
	if list == nil {
		return b
	}
	b = codec.Name(b, name)
	start := len(b)
	for i := range list {
		b = write(list[i], append(b, ','), w)
	}
	return codec.EndList(b, start)
}
