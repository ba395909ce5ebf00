package codec

// Members iterates over the members of an object. It yields those with known
// names and keeps all others as text:
//
//	for m := r.Members(names); m.Next(); { switch m.Index { … } }
type Members struct {
	// Index is the index of the current member in the known names.
	Index int

	r     *Reader
	names []string
	seen  [2]uint64 // bit set of the known names that were read
	start int       // position of the object
	other nameSet   // names of unknown members
	extra int       // start of the unknown members in r.extra
	open  bool
	first bool
}

// MaxMembers is the maximum number of known names of a record.
const MaxMembers = 128

// Members starts reading an object with the given known names: at most
// MaxMembers, ASCII, in the usual order of the service. Null is an object
// without members.
func (r *Reader) Members(names []string) Members {
	m := Members{Index: -1, r: r, names: names, other: r.openNames(), extra: len(r.extra)}
	if r.err != nil || r.Null() {
		return m
	}
	r.start = r.pos
	if r.peek() != '{' {
		_ = r.unexpected("not an object")
		return m
	}
	m.start = r.pos
	m.open = r.enter()
	m.first = true
	return m
}

// Next moves to the next known member. It returns false at the end of the
// object and after an error.
func (m *Members) Next() bool {
	r := m.r
	for m.open && r.err == nil {
		if m.foresee() {
			return r.err == nil
		}
		if !r.more('}', m.first) {
			m.open = false
			return false
		}
		m.first = false
		name, _ := r.memberName()
		if r.err != nil {
			return false
		}
		if m.find(name) {
			r.colon()
			return r.err == nil
		}
		m.keep(name)
	}
	return false
}

// foresee is the fast path for a text without white space whose next member is
// the expected one, the usual case: it only compares bytes and need not find
// the end of the name.
func (m *Members) foresee() bool {
	r, i := m.r, m.Index+1
	if i >= len(m.names) {
		return false
	}
	text, name := r.data[r.pos:], m.names[i]
	if !m.first {
		if len(text) == 0 || text[0] != ',' {
			return false
		}
		text = text[1:]
	}
	end := len(name) + 1
	if len(text) <= end+1 || text[0] != '"' || text[end] != '"' || text[end+1] != ':' || string(text[1:end]) != name {
		return false
	}
	r.pos = len(r.data) - len(text) + end + 2
	m.first = false
	m.mark(i)
	return true
}

// find sets Index to that of the name and reports whether it is known. It
// starts from the latest index, because the service omits members more often
// than it reorders them.
func (m *Members) find(name []byte) bool {
	i := m.Index
	for range m.names {
		if i++; i >= len(m.names) {
			i = 0
		}
		if m.names[i] == string(name) {
			m.mark(i)
			return true
		}
	}
	return false
}

func (m *Members) mark(i int) {
	m.Index = i
	word, bit := &m.seen[i/64%2], uint64(1)<<(i%64)
	if *word&bit != 0 {
		_ = m.r.reject(m.start, duplicateName)
	}
	*word |= bit
}

// keep stores an unknown member.
func (m *Members) keep(name []byte) {
	r := m.r
	if !m.other.add(r, name) {
		_ = r.reject(m.start, duplicateName)
		return
	}
	r.extra = appendName(r.extra, name)
	r.colon()
	r.peek()
	r.extra = append(r.extra, r.raw(m.start)...)
}

// appendName appends a comma and the name of a member. End replaces the comma
// before the first member.
func appendName[T string | []byte](dst []byte, name T) []byte {
	dst, _ = appendText(append(dst, ','), name)
	return append(dst, ':')
}

// Alias returns the text of a member that has two names: the text under its own
// name if there is one, otherwise the text under the other name. If both exist,
// the second is kept as an unknown member.
func (m *Members) Alias(text, otherName, other string) string {
	if text == "" {
		return other
	}
	if other != "" {
		m.r.extra = appendName(m.r.extra, otherName)
		m.r.extra, _ = appendText(m.r.extra, other)
	}
	return text
}

// End finishes the object. err is the error that ended the loop, if any. It
// returns the unknown members as an object, or "" if there are none, and the
// first error.
func (m *Members) End(err error) (extra string, _ error) {
	r := m.r
	if err == nil {
		err = r.err
	}
	if err != nil {
		return "", err
	}
	if text := r.extra[m.extra:]; len(text) > 0 {
		text[0] = '{'
		r.extra = append(r.extra, '}')
		extra = r.arena.text(r.extra[m.extra:])
		r.extra = r.extra[:m.extra]
	}
	m.other.drop(r)
	return extra, nil
}
