package codec

import "bytes"

// MemberIs reports whether a member of an object is a text, compared without
// case, or a link with that id, and whether it is something else. A member that
// is null or empty, or a link without an id, is neither. Without a difference
// in case it allocates nothing.
func MemberIs(object []byte, name, text string) (is, not bool) {
	r := readers.Get().(*Reader)
	r.begin(object)
	open := r.peek() == '{' && r.enter()
	not = !open
	for first := true; open && !is && r.more('}', first); first = false {
		found, _ := r.memberName()
		named := string(found) == name
		r.colon()
		switch {
		case named && r.peek() == '"':
			value, _ := r.text()
			is = r.err == nil && (string(value) == text || bytes.EqualFold(value, []byte(text)))
			not = not || !is && len(value) > 0
			continue
		case named && r.peek() == '{':
			is, not = MemberIs(r.Raw(), "id", text)
			continue
		case named:
			not = r.peek() != 'n'
		}
		r.skip(r.pos)
	}
	if r.err == nil {
		r.rest()
	}
	return is, not && !is
}

// Find returns the text of a member of an object, or nil. It is a slice of the
// object; of several members with the name, it is that of the last one.
func Find(object []byte, name string) (value []byte) {
	r := readers.Get().(*Reader)
	r.begin(object)
	open := r.peek() == '{' && r.enter()
	for first := true; open && r.more('}', first); first = false {
		found, _ := r.memberName()
		named := string(found) == name
		r.colon()
		r.peek()
		start := r.pos
		r.skip(r.pos)
		if named && r.err == nil {
			value = object[start:r.pos]
		}
	}
	if r.err == nil {
		r.rest()
	}
	return value
}
