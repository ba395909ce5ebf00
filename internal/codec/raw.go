package codec

// Raw reads any value and returns its compact text: without white space, and
// with U+FFFD for invalid UTF-8 in strings. The text is valid until the next
// call.
func (r *Reader) Raw() []byte {
	if r.err != nil {
		return nil
	}
	r.peek()
	r.start = r.pos
	return r.raw(r.pos)
}

// Object reads an object and returns its compact text, or "" for null and {}.
func (r *Reader) Object() string {
	if r.err != nil || r.absent() {
		return ""
	}
	if r.peek() != '{' {
		_ = r.unexpected("not an object")
		return ""
	}
	return r.arena.text(r.Raw())
}

// raw reads the value at pos. For a duplicate name inside it, the error has the
// position blame, because the path to it may contain data.
func (r *Reader) raw(blame int) []byte {
	start := r.pos
	r.rough = false
	r.skip(blame)
	switch {
	case r.err != nil:
		return nil
	case r.rough:
		return r.compact(start)
	default:
		return r.data[start:r.pos]
	}
}

// skip skips the value at pos. It sets rough if compact would change the value.
func (r *Reader) skip(blame int) {
	switch c := r.peek(); {
	case c == '"':
		_, mended := r.text()
		r.rough = r.rough || mended
	case c == '{':
		r.skipObject(blame)
	case c == '[':
		r.skipList(blame)
	case c == 't':
		r.literal("true")
	case c == 'f':
		r.literal("false")
	case c == 'n':
		r.literal("null")
	case c == '-' || isDigit(c):
		r.number()
	default:
		_ = r.broken(r.pos, "missing value")
	}
}

func (r *Reader) skipList(blame int) {
	if !r.enter() {
		return
	}
	for first := true; r.more(']', first); first = false {
		r.skip(blame)
	}
}

func (r *Reader) skipObject(blame int) {
	if !r.enter() {
		return
	}
	names := r.openNames()
	for first := true; r.more('}', first); first = false {
		name, mended := r.memberName()
		if r.err == nil && !r.skimming && !names.add(r, name) {
			_ = r.reject(blame, duplicateName)
		}
		r.rough = r.rough || mended
		r.colon()
		r.skip(blame)
	}
	names.drop(r)
}

// compact copies the value from start to pos without white space and with valid
// strings.
func (r *Reader) compact(start int) []byte {
	end := r.pos
	out := r.compacted[:0]
	for r.pos = start; r.pos < end; {
		i := r.pos
		switch c := r.data[i]; {
		case c > ' ' && c != '"':
			out = append(out, c)
			fallthrough
		case c <= ' ':
			r.pos++
		default:
			if text, mended := r.text(); mended {
				out, _ = appendText(out, text)
			} else {
				out = append(out, r.data[i:r.pos]...)
			}
		}
	}
	r.compacted = out
	return out
}
