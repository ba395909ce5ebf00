package codec

// Int reads a whole number, also one written as 3.0 or 1e2; null is 0. A
// fraction, or a number that T cannot hold, is a ValueError.
func Int[T ~int | ~int64](dst *T, r *Reader) error {
	*dst = 0
	text, present := r.Number()
	if !present {
		return r.err
	}
	value, ok := ParseInt(text)
	if *dst = T(value); !ok || int64(*dst) != value {
		*dst = 0
		return r.Reject("not a whole number in range")
	}
	return nil
}

// ParseInt returns the value of a JSON number, when it is a number at all,
// whole, and fits.
func ParseInt(s []byte) (int64, bool) {
	if value, ok := shortInt(s); ok {
		return value, true
	}
	n, ok := ParseNumber(s)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// shortInt reads the usual whole number: digits without a leading zero, and few
// enough not to overflow.
func shortInt(s []byte) (value int64, ok bool) {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) >= MaxDigits || digits[0] == '0' {
		return 0, len(s) == 1 && s[0] == '0'
	}
	for _, c := range digits {
		if !isDigit(c) {
			return 0, false
		}
		value = value*10 + int64(c-'0')
	}
	if s[0] == '-' {
		value = -value
	}
	return value, true
}

// Number reads a number and returns its text, which is valid until the next
// call; null is not present, nor is a number that could not be read.
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

// number passes the number that begins at pos.
func (r *Reader) number() {
	end, ok := numberEnd(r.data, r.pos)
	if !ok {
		_ = r.broken(end, "bad number")
		return
	}
	r.pos = end
}
