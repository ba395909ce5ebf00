package objectstore

import (
	"bytes"
	"io"
)

// partSize is the size of the parts in which an upload is read. It bounds the
// allocation if the declared length is wrong.
const partSize = 1 << 20

// copySize is the size of the buffers for copying and comparing.
const copySize = 64 << 10

// content holds the bytes of one version of an object.
type content interface {
	length() int64
	// send writes the n bytes at offset from, which must lie within the
	// content.
	send(w io.Writer, from, n int64) error
}

// inMemory holds content in parts of equal size. Only the last part may be
// shorter.
type inMemory struct {
	size  int64
	parts [][]byte
}

func (m inMemory) length() int64 { return m.size }

func (m inMemory) send(w io.Writer, from, n int64) error {
	for _, part := range m.parts {
		size := int64(len(part))
		if from >= size {
			from -= size
			continue
		}
		piece := part[from:min(size, from+n)]
		if len(piece) == 0 {
			return nil
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		from, n = 0, n-int64(len(piece))
	}
	return nil
}

// receive reads size bytes. Content from [NewContent] is recognised and not
// kept in memory, so tests can upload files of any size.
func receive(r io.Reader, size int64) (content, error) {
	m := inMemory{size: size}
	var got int64
	recognised := generated{size: size}
	scratch, compare := make([]byte, min(partSize, size)), make([]byte, min(copySize, size))
	for got < size {
		part := scratch[:min(partSize, size-got)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		if got == 0 {
			recognised.recognise(part)
		}
		if recognised.ok && !recognised.equal(part, got, compare) {
			recognised.ok = false
			m.parts = recognised.parts(got)
		}
		got += int64(len(part))
		if !recognised.ok {
			m.parts = append(m.parts, part)
			scratch = make([]byte, min(partSize, size-got))
		}
	}
	if recognised.ok {
		return recognised, nil
	}
	return m, nil
}

func readAll(c content) []byte {
	var b bytes.Buffer
	b.Grow(int(c.length()))
	_ = c.send(&b, 0, c.length()) // writes to a bytes.Buffer do not fail
	return b.Bytes()
}
