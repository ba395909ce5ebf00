package codec

// Int reads an integer, also in forms such as 3.0 or 1e2; null is 0. A
// fraction, or a number out of the range of T, is a ValueError.
func Int[T ~int | ~int64](dst *T, r *Reader) error {
	value := r.whole()
	if *dst = T(value); int64(*dst) != value {
		*dst = 0
		return r.Reject(notWhole)
	}
	return r.err
}

const notWhole = "not a whole number in range"

// whole reads an integer. It returns 0 for null and after an error.
func (r *Reader) whole() int64 {
	if r.err != nil {
		return 0
	}
	r.peek()
	if value, scale, end := usual(r.data, r.pos); end > 0 && scale == 0 {
		r.start, r.pos = r.pos, end
		return value
	}
	text, present := r.Number()
	if !present {
		return 0
	}
	value, ok := ParseInt(text)
	if !ok {
		_ = r.Reject(notWhole)
	}
	return value
}

// ParseInt returns the value of a JSON number. It returns false if the text is
// not a number, or the number is not an integer or out of range.
func ParseInt(s []byte) (int64, bool) {
	if value, scale, end := usual(s, 0); end == len(s) && end > 0 && scale == 0 {
		return value, true
	}
	n, ok := ParseNumber(s)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// Usual reads a number of at most 18 digits, with or without a decimal point,
// and without an exponent. Its value is coef divided by ten to the power of
// scale. For any other value it returns false and reads nothing.
func (r *Reader) Usual() (coef int64, scale int, ok bool) {
	if r.err != nil {
		return 0, 0, false
	}
	r.peek()
	coef, scale, end := usual(r.data, r.pos)
	if end == 0 {
		return 0, 0, false
	}
	r.start, r.pos = r.pos, end
	return coef, scale, true
}

// usual reads a number as Usual does, at i and in one pass over its digits. end
// is 0 for any other value, valid or not. Too many digits may overflow coef
// before they are counted, but then the result is not used.
func usual(data []byte, i int) (coef int64, scale, end int) {
	negative := at(data, i) == '-'
	if negative {
		i++
	}
	first := i
	for ; i < len(data) && isDigit(data[i]); i++ {
		coef = coef*10 + int64(data[i]-'0')
	}
	digits := i - first
	if digits == 0 || digits > 1 && data[first] == '0' {
		return 0, 0, 0
	}
	if at(data, i) == '.' {
		point := i + 1
		for i = point; i < len(data) && isDigit(data[i]); i++ {
			coef = coef*10 + int64(data[i]-'0')
		}
		if scale = i - point; scale == 0 {
			return 0, 0, 0
		}
	}
	if digits+scale >= MaxDigits || at(data, i)|0x20 == 'e' {
		return 0, 0, 0
	}
	if negative {
		coef = -coef
	}
	return coef, scale, i
}

// Number reads a number and returns its text, which is valid until the next
// call. present is false for null and after an error.
func (r *Reader) Number() (text []byte, present bool) {
	if r.err != nil {
		return nil, false
	}
	switch c := r.peek(); {
	case c == '-' || isDigit(c):
		r.start = r.pos
		r.number()
		return r.data[r.start:r.pos], r.err == nil
	case c == 'n':
		r.literal("null")
	default:
		_ = r.unexpected("not a number")
	}
	return nil, false
}

// number skips the number at pos.
func (r *Reader) number() {
	end, ok := numberEnd(r.data, r.pos)
	if !ok {
		_ = r.broken(end, "invalid number")
		return
	}
	r.pos = end
}
