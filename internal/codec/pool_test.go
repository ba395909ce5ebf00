package codec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbers is a list whose elements are decoded later.
type numbers struct{ list []int }

func (n *numbers) UnmarshalJSONFrom(r *Reader) error {
	return Isolated(&n.list, r, Int[int])
}

type numbersForm struct{}

func (numbersForm) Read(v any, r *Reader) error { return v.(*numbers).UnmarshalJSONFrom(r) }

func (numbersForm) Write(any, []byte, *Writer) []byte { panic("is only read") }

// TestAReaderAtRestHoldsNothingOfItsText checks that a pooled reader keeps only
// its own buffers, and that these are empty.
func TestAReaderAtRestHoldsNothingOfItsText(t *testing.T) {
	t.Parallel()
	r := newReader([]byte(`[1, "x", {"a": "\u00e9", "b": [null]}, 2] `))
	var list []int
	require.NoError(t, Isolated(&list, r, Int[int]))
	require.NoError(t, r.end())
	require.Len(t, r.faults, 2)
	r.putOff, r.spans = new(Elements), append(r.spans, span{1, 2})

	r.forget()
	for i := range reflect.TypeFor[Reader]().NumField() {
		field := reflect.ValueOf(r).Elem().Field(i)
		switch name := reflect.TypeFor[Reader]().Field(i).Name; name {
		case "scratch", "compacted", "extra", "spans":
			assert.Zero(t, field.Len(), name)
		case "names":
			assert.Empty(t, r.names.text)
			assert.Empty(t, r.names.ends)
		case "lists":
			for _, list := range r.lists {
				assert.Zero(t, reflect.ValueOf(list).Elem().Len(), name)
			}
		default:
			assert.True(t, field.IsZero(), name)
		}
	}
}

func TestALongListIsNotKeptByAReaderAtRest(t *testing.T) {
	t.Parallel()
	for length, want := range map[int]int{100: 1, 2 * mostKept: 0} {
		r := newReader([]byte("[0" + strings.Repeat(",0", length-1) + "]"))
		var list []int
		require.NoError(t, List(&list, r, Int[int]))
		assert.Len(t, list, length)
		assert.Len(t, r.lists, want)
	}
}

func TestALongPageIsNotKeptByAReaderAtRest(t *testing.T) {
	t.Parallel()
	for length, want := range map[int]bool{100: true, 2 * mostKept: false} {
		elements, err := DecodeAround([]byte("[0"+strings.Repeat(",0", length-1)+"]"), new(numbers), numbersForm{})
		require.NoError(t, err)
		assert.Equal(t, length, elements.Len())
		assert.Equal(t, want, cap(kept(elements.r.spans)) > 0)
		elements.Rest()
	}
}
