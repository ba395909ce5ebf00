package codec

import "bytes"

// MemberIs reports whether a member of an object is a text, compared without
// case. Without a difference in case it allocates nothing.
func MemberIs(object []byte, name, text string) (is bool) {
	r := readers.Get().(*Reader)
	r.begin(object)
	open := r.peek() == '{' && r.enter()
	for first := true; open && !is && r.more('}', first); first = false {
		found, _ := r.memberName()
		named := string(found) == name
		r.colon()
		if named && r.peek() == '"' {
			value, _ := r.text()
			is = r.err == nil && (string(value) == text || bytes.EqualFold(value, []byte(text)))
			continue
		}
		r.skip(r.pos)
	}
	if r.err == nil {
		r.rest()
	}
	return is
}
