package codec

// Raw reads any value and returns its text in compact form: without white space
// between its parts, and with U+FFFD for invalid parts of its strings. It is
// valid until the next call.
func (r *Reader) Raw() []byte {
	if r.err != nil {
		return nil
	}
	r.peek()
	r.start = r.pos
	return r.raw(r.pos)
}

// Object reads an object and returns its compact text, which is empty for null
// and {}.
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

// raw reads the value at pos. A duplicate name inside it is reported at the
// place blame, because the names on the way to it are not ours to show.
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

// skip passes the value at pos and marks it as rough when compact would change
// it.
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
		_ = r.broken(r.pos, "no value")
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

// compact copies the value from start to pos without white space and with its
// strings repaired.
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
