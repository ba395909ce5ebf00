package codec

import (
	"encoding/binary"
	"math/bits"
)

// Most bytes of a page are inside strings, and nearly all of those need no
// attention, so plain looks at eight bytes at a time. Each of its tests sets
// the high bit of every byte it is about: a byte that is not ASCII has it
// already, and taking a space from a control character, or 1 from the zero that
// is left of a quote or backslash, borrows it. A borrow can mark the byte above
// a hit wrongly, but never one below, and only the first hit counts.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns the place of the first byte from i on that is a quote, a
// backslash, a control character or not ASCII, or the length of data when there
// is none.
func plain(data []byte, i int) int {
	start := i
	for ; i+8 <= len(data); i += 8 {
		if hits := odd(data[i:]); hits != 0 {
			return i + bits.TrailingZeros64(hits)/8
		}
	}
	if last := len(data) - 8; last >= start { // the rest, and some bytes once more
		if hits := odd(data[last:]); hits != 0 {
			return last + bits.TrailingZeros64(hits)/8
		}
		return len(data)
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return i
		}
	}
	return i
}

// odd returns a bit for each of the first eight bytes that is not plain, and
// perhaps for more after the first of them.
func odd(data []byte) uint64 {
	word := binary.LittleEndian.Uint64(data)
	quotes, slashes := word^ones*'"', word^ones*'\\'
	return (word | (word - ones*' ') | (quotes - ones) | (slashes - ones)) & highs
}

// stringEnd returns the place of the quote that ends the string beginning at i,
// or the length of text when there is none.
func stringEnd(text []byte, i int) int {
	for i = plain(text, i+1); i < len(text) && text[i] != '"'; i = plain(text, i+1) {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text))
}
