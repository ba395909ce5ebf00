package codec_test

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestElementsAreReadOneByOne(t *testing.T) {
	t.Parallel()
	var page thing
	elements, err := codec.DecodeAround([]byte(`{"name":"page","safe":[{"name":"a"}, 7 ,{"name":"c","safe":[1]}],"x":1}`), &page, own{})
	require.NoError(t, err)
	assert.Equal(t, thing{Name: "page", Extra: `{"x":1}`}, page, "what stands behind the list is known before its elements are")
	require.Equal(t, 3, elements.Len())

	var element thing
	read, faults, err := elements.Next(&element)
	require.NoError(t, err)
	assert.True(t, read)
	assert.Empty(t, faults)
	assert.Equal(t, thing{Name: "a"}, element)

	read, faults, err = elements.Next(&element)
	require.NoError(t, err)
	assert.False(t, read)
	require.Len(t, faults, 1)
	assert.Equal(t, "safe[1]", faults[0].Path)
	assert.Equal(t, "7", string(faults[0].Raw))

	read, faults, err = elements.Next(&element)
	require.NoError(t, err)
	assert.True(t, read)
	require.Len(t, faults, 1, "a list inside of an element isolates its own")
	assert.Equal(t, "safe[2].safe[0]", faults[0].Path)
	elements.Rest()
}

func TestAnElementThatIsNoJSONEndsTheReading(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"safe":[{},{"name":tru},{}]}`, `{"safe":[{},{"a":1],{}]}`, `{"safe":[{},[[}],{}]}`, "{\"safe\":[{},{\"name\":\"\n\"},{}]}"} {
		elements, err := codec.DecodeAround([]byte(text), &thing{}, own{})
		require.NoError(t, err, text)
		_, _, err = elements.Next(&thing{})
		require.NoError(t, err, text)
		for range 2 {
			read, faults, err := elements.Next(&thing{})
			var syntax *codec.SyntaxError
			require.ErrorAs(t, err, &syntax, text)
			assert.False(t, read)
			assert.Empty(t, faults)
		}
		elements.Rest()
	}
}

func TestWhatStandsAroundTheElementsIsReadAtOnce(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"safe":[{}`, `{"safe":[{},]}`, `{"safe":[{}{}]}`, `{"safe":[{"a":"}]}`, `{"safe":[{},[}],{}]}`, `{"safe":[tru]}`, `{"safe":[]}}`, `{"safe":[],"name":1}`, `{"safe":[],"safe":[]}`, `{"safe":7}`} {
		_, err := codec.DecodeAround([]byte(text), &thing{}, own{})
		require.Error(t, err, text)
	}
}

func TestElementsDoNotKeepTheirPageAlive(t *testing.T) {
	t.Parallel()
	read := func() (weak.Pointer[byte], thing) {
		text := []byte(`{"safe":[{"name":"some","x":"more","free":{"a":1},"tags":["t"]}],"y":"` + strings.Repeat("z", 100_000) + `"}`)
		elements, err := codec.DecodeAround(text, &thing{}, own{})
		require.NoError(t, err)
		var element thing
		_, _, err = elements.Next(&element)
		require.NoError(t, err)
		elements.Rest()
		return weak.Make(&text[0]), element
	}
	page, element := read()
	runtime.GC()
	assert.Nil(t, page.Value())
	assert.Equal(t, "some", element.Name)
}

// FuzzElements compares decoding elements one at a time with decoding the whole
// list.
func FuzzElements(f *testing.F) {
	addSeeds(f)
	f.Add([]byte(`{"safe":[{"name":"a","x":{"b":[1,"]"]}}, null ,{"name":1},{"safe":[{},7]},[{}]],"inner":{"count":1},"y":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var whole, around thing
		wantFaults, wantErr := codec.Decode(text, &whole, own{})
		faults, err := readAround(text, &around)
		if wantErr != nil {
			require.Error(t, err, "%q", text)
			return
		}
		require.NoError(t, err, "%q", text)
		require.Len(t, faults, len(wantFaults), "%q", text)
		for i := range faults {
			require.Equal(t, wantFaults[i].Index, faults[i].Index, "%q", text)
			require.Equal(t, wantFaults[i].Path, faults[i].Path, "%q", text)
			require.Equal(t, wantFaults[i].Raw, faults[i].Raw, "%q", text)
		}
		if len(whole.Safe) == 0 {
			whole.Safe = nil
		}
		require.Equal(t, whole, around, "%q", text)
	})
}

func readAround(text []byte, x *thing) (all []codec.Fault, _ error) {
	elements, err := codec.DecodeAround(text, x, own{})
	if err != nil {
		return nil, err
	}
	defer elements.Rest()
	for range elements.Len() {
		var element thing
		read, faults, err := elements.Next(&element)
		if err != nil {
			return nil, err
		}
		all = append(all, faults...)
		if read {
			x.Safe = append(x.Safe, element)
		}
	}
	return all, nil
}
