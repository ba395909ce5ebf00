package memnet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzTheBufferOfAStreamIsAQueue(f *testing.F) {
	f.Add([]byte{10, 5, 200, 255, 3, 255, 255})
	f.Add([]byte{255, 255, 255, 1, 255, 255, 255, 0, 16})
	f.Fuzz(func(t *testing.T, steps []byte) {
		s := newStream(New())
		var reference bytes.Buffer
		var written byte
		for i, step := range steps {
			n := int(step) * 131 // up to half of the buffer
			if i%2 == 1 {
				want, got := make([]byte, n), make([]byte, n)
				wanted, _ := reference.Read(want)
				require.Equal(t, wanted, s.take(got))
				require.True(t, bytes.Equal(want, got))
				continue
			}
			p := make([]byte, n)
			for j := range p {
				written++
				p[j] = written
			}
			fitted := s.put(p)
			require.Equal(t, min(n, BufferSize-reference.Len()), fitted)
			reference.Write(p[:fitted])
			require.Equal(t, reference.Len(), s.size())
		}
	})
}
