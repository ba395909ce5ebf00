package codec

import "unicode/utf8"

// MaxDepth limits the nesting of objects and lists. Real responses have fewer
// than 10 levels.
const MaxDepth = 256

// Reader decodes one JSON text. Its methods read the next value and move behind
// it. After the first error, every later call returns it.
type Reader struct {
	data  []byte
	pos   int
	start int // position of the last value read, for Reject
	depth int
	err   error

	form      Form // of Decode and DecodeAround, otherwise nil
	mend      rune // stands for what is not text
	arena     *arena
	strings   arena     // arena for strings outside isolated elements
	scratch   []byte    // last string with escapes
	compacted []byte    // last value that was compacted
	rough     bool      // white space or an invalid string was skipped; see raw
	names     nameStack // names in the current objects without known names, innermost last
	extra     []byte    // unknown members of the current objects, innermost last
	lists     []any     // pool of lists, one *[]T for each type; see take

	faults   []Fault
	isolated int        // number of isolated elements begun
	within   *isolation // innermost isolated element being read
	skimming bool       // duplicate names are ignored, as in a faulty element that is skipped

	putOff *Elements // receives the elements of the next isolated list; nil to decode them at once
	spans  []span    // bounds of those elements
}

// firstBlock is enough for the strings of a usual record, or of a page without
// its records.
const firstBlock = 1024

func newReader(data []byte) *Reader {
	r := &Reader{}
	r.begin(data)
	return r
}

func (r *Reader) begin(data []byte) {
	r.data, r.mend = data, utf8.RuneError
	r.strings.size = min(len(data)/2, firstBlock) // the other half is names and punctuation
	r.arena = &r.strings
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Kinds of values returned by Kind. Any other byte does not begin a value.
const (
	KindNull   = 'n'
	KindTrue   = 't'
	KindFalse  = 'f'
	KindText   = '"'
	KindNumber = '0'
	KindList   = '['
	KindObject = '{'
)

// Kind returns the kind of the next value without reading it.
func (r *Reader) Kind() byte {
	c := r.peek()
	if c == '-' || isDigit(c) {
		return KindNumber
	}
	return c
}

// Reject returns an error for the last value read. The reason must not contain
// a part of the text.
func (r *Reader) Reject(reason string) error { return r.reject(r.start, reason) }

func (r *Reader) reject(offset int, reason string) error {
	if r.err == nil {
		r.err = &ValueError{Path: r.path(offset), Offset: offset, Reason: reason}
	}
	return r.err
}

func (r *Reader) broken(offset int, reason string) error {
	if r.err == nil {
		r.err = &SyntaxError{Offset: offset, Reason: reason}
	}
	return r.err
}

// unexpected returns an error for a value of the wrong type, or for text that
// is not a value.
func (r *Reader) unexpected(want string) error {
	start := r.pos
	if r.skip(start); r.err != nil {
		return r.err
	}
	return r.reject(start, want)
}

// peek returns the next byte that is not white space, or 0 at the end of the
// text.
func (r *Reader) peek() byte {
	if r.pos < len(r.data) {
		if c := r.data[r.pos]; c > ' ' {
			return c
		}
	}
	return r.peekFar()
}

func (r *Reader) peekFar() byte {
	for ; r.pos < len(r.data); r.pos++ {
		switch c := r.data[r.pos]; c {
		case ' ', '\n', '\r', '\t':
			r.rough = true
		default:
			return c
		}
	}
	return 0
}

// end returns an error unless only white space is left.
func (r *Reader) end() error {
	if r.err == nil && (r.peek() != 0 || r.pos < len(r.data)) {
		return r.broken(r.pos, "unexpected text after the value")
	}
	return r.err
}

func (r *Reader) enter() bool {
	if r.depth++; r.depth > MaxDepth {
		_ = r.broken(r.pos, "nested too deeply")
		return false
	}
	r.pos++
	return true
}

// more moves to the next element or member of the list or object that closer
// ends. It skips the comma, which the first one does not have. It returns false
// at the end and after an error.
func (r *Reader) more(closer byte, first bool) bool {
	if r.err != nil {
		return false
	}
	switch c := r.peek(); {
	case c == closer:
		r.pos++
		r.depth--
		return false
	case first:
		return true
	case c == ',':
		r.pos++
		return true
	default:
		_ = r.broken(r.pos, "missing comma or closing bracket")
		return false
	}
}

// memberName reads the name of a member. mended is as for text.
func (r *Reader) memberName() (name []byte, mended bool) {
	if r.peek() != '"' {
		_ = r.broken(r.pos, "missing member name")
		return nil, false
	}
	return r.text()
}

func (r *Reader) colon() {
	if r.err != nil {
		return
	}
	if r.peek() != ':' {
		_ = r.broken(r.pos, "missing colon after a member name")
		return
	}
	r.pos++
}

// literal reads word, which is null, true or false. It returns false, and
// records an error, if something else follows.
func (r *Reader) literal(word string) bool {
	if end := r.pos + len(word); end <= len(r.data) && string(r.data[r.pos:end]) == word {
		r.pos = end
		return true
	}
	_ = r.broken(r.pos, "missing value")
	return false
}

// Null reads null, if that is the next value.
func (r *Reader) Null() bool {
	return r.err == nil && r.peek() == 'n' && r.literal("null")
}

// absent reads null or {}, if one of them is the next value.
func (r *Reader) absent() bool {
	switch r.peek() {
	case 'n':
		return r.literal("null")
	case '{':
		start := r.pos
		r.pos++
		if r.peek() == '}' {
			r.pos++
			return true
		}
		r.pos = start
	}
	return false
}

// Bool reads true, false, or null as false.
func Bool[T ~bool](dst *T, r *Reader) error {
	if r.err != nil {
		return r.err
	}
	*dst = false
	switch r.peek() {
	case 't':
		*dst = T(r.literal("true"))
	case 'f':
		r.literal("false")
	case 'n':
		r.literal("null")
	default:
		return r.unexpected("not true or false")
	}
	return r.err
}
