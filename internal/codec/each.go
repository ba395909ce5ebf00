package codec

import "iter"

// Each yields the name and the JSON text of each member of an object, up to the
// first syntax error. Duplicate names are not an error.
func Each(object string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		r := newReader([]byte(object))
		r.skimming = true
		if r.peek() != '{' || !r.enter() {
			return
		}
		for first := true; r.more('}', first); first = false {
			text, _ := r.memberName()
			name := string(text)
			r.colon()
			r.peek()
			start := r.pos
			r.skip(start)
			if r.err != nil || !yield(name, object[start:r.pos]) {
				return
			}
		}
	}
}

// Compact returns the compact text of an object, or an error if the text is not
// exactly one object.
func Compact(object string) (string, error) {
	r := newReader([]byte(object))
	if r.peek() != '{' {
		return "", r.unexpected("not an object")
	}
	text := string(r.Raw())
	return text, r.end()
}

// Names iterates over the members of an object with arbitrary names:
//
//	for m := r.Names(); m.Next(); { name := m.Name(); read a value }
type Names struct {
	r     *Reader
	name  []byte
	names nameSet
	open  bool
	first bool
	start int
}

// Names starts reading an object; null is an object without members.
func (r *Reader) Names() Names {
	m := Names{r: r, names: r.openNames()}
	if r.err != nil || r.Null() {
		return m
	}
	r.start, m.start = r.pos, r.pos
	if r.peek() != '{' {
		_ = r.unexpected("not an object")
		return m
	}
	m.start = r.pos
	m.open, m.first = r.enter(), true
	return m
}

// Next moves to the next member. It returns false at the end of the object and
// after an error.
func (m *Names) Next() bool {
	if !m.open || !m.r.more('}', m.first) {
		m.open = false
		return false
	}
	m.first = false
	m.name, _ = m.r.memberName()
	if m.r.err == nil && !m.names.add(m.r, m.name) {
		_ = m.r.reject(m.start, duplicateName)
	}
	m.r.colon()
	return m.r.err == nil
}

// Name returns the name of the current member.
func (m *Names) Name() string { return string(m.name) }

// End finishes the object and returns the first error.
func (m *Names) End() error {
	if m.r.err == nil {
		m.names.drop(m.r)
	}
	return m.r.err
}
