package codec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbers is a list whose elements are put off.
type numbers struct{ list []int }

func (n *numbers) UnmarshalJSONFrom(r *Reader) error {
	return Isolated(&n.list, r, Int[int])
}

type numbersForm struct{}

func (numbersForm) Read(v any, r *Reader) error { return v.(*numbers).UnmarshalJSONFrom(r) }

func (numbersForm) Write(any, *Writer) error { panic("is only read") }

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
