package codec

import "iter"

// Each gives the members of an object's text, each as its name and the text of its value, up to the first thing that is
// wrong.
func Each(object string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		r := newReader([]byte(object))
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

// Compact gives the compact text of an object, or an error when the text is not exactly one object.
func Compact(object string) (string, error) {
	r := newReader([]byte(object))
	if r.peek() != '{' {
		return "", r.unexpected("not an object")
	}
	text := string(r.Raw())
	return text, r.end()
}
