package objectstore

import (
	"bytes"
	"encoding/binary"
	"io"
)

// NewContent returns size pseudo-random bytes, which are determined by seed. A
// Store recognises such content and stores the seed instead of the bytes.
func NewContent(seed uint64, size int64) *io.SectionReader {
	return io.NewSectionReader(generated{seed: seed, size: size}, 0, size)
}

// generated is pseudo-random content. Its first word is a fixed mark, the
// second is the seed, and each further word is computed from the seed and its
// position.
type generated struct {
	seed uint64
	size int64
	ok   bool // whether the content begins with the mark
}

const (
	generatedMark = 0x9ec5_7a3d_f00d_1e55
	wordSize      = 8
)

func (g generated) length() int64 { return g.size }

// ReadAt generates the bytes at offset off.
func (g generated) ReadAt(p []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(p)), g.size-off)))
	g.fill(p[:n], off)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (g generated) send(w io.Writer, from, n int64) error {
	_, err := io.CopyBuffer(w, io.NewSectionReader(g, from, n), make([]byte, copySize))
	return err
}

// recognise checks for the mark at the start of content and reads the seed.
func (g *generated) recognise(start []byte) {
	if len(start) >= 2*wordSize && binary.LittleEndian.Uint64(start) == generatedMark {
		g.seed = binary.LittleEndian.Uint64(start[wordSize:])
		g.ok = true
	}
}

// equal reports whether p equals the content at offset off. It generates the
// content in pieces of len(buf).
func (g generated) equal(p []byte, off int64, buf []byte) bool {
	for len(p) > 0 {
		n := min(len(p), len(buf))
		g.fill(buf[:n], off)
		if !bytes.Equal(buf[:n], p[:n]) {
			return false
		}
		p, off = p[n:], off+int64(n)
	}
	return true
}

// parts generates the first end bytes in memory.
func (g generated) parts(end int64) (parts [][]byte) {
	for off := int64(0); off < end; off += partSize {
		part := make([]byte, min(partSize, end-off))
		g.fill(part, off)
		parts = append(parts, part)
	}
	return parts
}

func (g generated) fill(p []byte, off int64) {
	var word [wordSize]byte
	if skip := off % wordSize; skip != 0 {
		binary.LittleEndian.PutUint64(word[:], g.word(off/wordSize))
		n := copy(p, word[skip:])
		p, off = p[n:], off+int64(n)
	}
	at := off / wordSize
	for ; len(p) >= wordSize; p, at = p[wordSize:], at+1 {
		binary.LittleEndian.PutUint64(p, g.word(at))
	}
	binary.LittleEndian.PutUint64(word[:], g.word(at))
	copy(p, word[:])
}

// word returns the word at position at. From the third on, it is an output of
// splitmix64.
func (g generated) word(at int64) uint64 {
	switch at {
	case 0:
		return generatedMark
	case 1:
		return g.seed
	}
	z := g.seed + uint64(at)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
