package codec

import (
	"encoding/binary"
	"math/bits"
)

// Most bytes of a page are inside strings and need no processing, so plain
// tests eight bytes at a time. Each test sets the high bit of every matching
// byte. A non-ASCII byte has it already. Subtracting a space makes a control
// character borrow, which sets the bit; so does subtracting 1 from the zero
// that results for a quote or a backslash. A borrow can also mark the byte
// above a match, but none below it, and only the first match counts.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns the index of the first byte from i on that is a quote, a
// backslash, a control character or not ASCII, or len(data) if there is none.
func plain(data []byte, i int) int {
	start := i
	for ; i+8 <= len(data); i += 8 {
		if hits := odd(data[i:]); hits != 0 {
			return i + bits.TrailingZeros64(hits)/8
		}
	}
	if last := len(data) - 8; last >= start { // the last eight bytes, which may overlap with those already tested
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

// odd returns a bit for each of the first eight bytes that is not plain. Bits
// after the first may be wrong.
func odd(data []byte) uint64 {
	word := binary.LittleEndian.Uint64(data)
	quotes, slashes := word^ones*'"', word^ones*'\\'
	return (word | (word - ones*' ') | (quotes - ones) | (slashes - ones)) & highs
}

// stringEnd returns the index of the quote that ends the string at i, or
// len(text) if there is none.
func stringEnd(text []byte, i int) int {
	for i = plain(text, i+1); i < len(text) && text[i] != '"'; i = plain(text, i+1) {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text))
}
