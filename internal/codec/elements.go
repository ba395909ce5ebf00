package codec

// Elements iterates over the elements of a list that are decoded on demand, so
// that a page needs memory for one element only. They can be read once, in
// order.
type Elements struct {
	r     *Reader
	data  []byte
	depth int // nesting depth inside the list
	place isolation
	own   arena
	found bool // whether the list exists; it may be empty
}

// span holds the bounds of an element.
type span struct{ start, end int }

// DecodeAround decodes data into v like [Decode], except for the elements of
// the one isolated list in v, which the returned Elements decode later. Text
// outside the elements has been validated by then. A malformed element is an
// error of the call of Next that reads it.
func DecodeAround(data []byte, v any, form Form) (*Elements, error) {
	r := readers.Get().(*Reader)
	r.begin(data)
	r.form = form
	e := &Elements{r: r, data: data}
	r.putOff = e
	if err := form.Read(v, r); err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	r.putOff = nil
	e.own.size = min(len(data)-e.place.list, firstBlock)
	r.within, r.arena = &e.place, &e.own
	return e, nil
}

// Len returns the number of elements.
func (e *Elements) Len() int { return len(e.r.spans) }

// Found reports whether the list exists. For null, {} and a missing member it
// does not.
func (e *Elements) Found() bool { return e.found }

// All returns the text from the first element to the last one, or nil if there
// is none. It is a slice of the decoded data.
func (e *Elements) All() []byte {
	spans := e.r.spans
	if len(spans) == 0 {
		return nil
	}
	return e.data[spans[0].start:spans[len(spans)-1].end]
}

// Text returns the text of the last element read. It is a slice of the decoded
// data.
func (e *Elements) Text() []byte {
	at := e.r.spans[e.place.index-1]
	return e.data[at.start:at.end]
}

// Next decodes the next element into v, and returns the faults inside it. read
// is false if the whole element is at fault; v is then unusable. An error means
// that the text is not valid JSON; all later calls return it again.
func (e *Elements) Next(v any) (read bool, faults []Fault, err error) {
	r := e.r
	if r.err != nil {
		return false, nil, r.err
	}
	at := r.spans[e.place.index]
	r.data, r.pos, r.depth = e.data[:at.end], at.start, e.depth
	before := r.beginIsolated()
	if err = r.element(v, r.form.Read); err == nil {
		err = r.end()
	}
	read = err == nil
	if !read && r.skipFault(before, err) {
		err = r.end()
	}
	if err != nil {
		r.err = err
		return false, nil, err
	}
	e.place.index++
	e.own.next()
	return read, r.faults[before.faults:], nil
}

// Rest ends the iteration. e must not be used afterwards. Decoded records
// remain valid.
func (e *Elements) Rest() {
	if e.r.err == nil {
		e.r.rest()
	}
}

// putOffList records the bounds of the elements of a list instead of decoding
// them.
func (r *Reader) putOffList() {
	e := r.putOff
	e.place.list, e.depth, e.found = r.pos-1, r.depth, true
	for first := true; r.more(']', first); first = false {
		r.peek()
		start := r.pos
		r.pass()
		r.spans = append(r.spans, span{start, r.pos})
	}
}

// pass skips an element. It only looks for strings and brackets, which takes a
// fraction of the time of decoding.
func (r *Reader) pass() {
	if c := r.peek(); c != '{' && c != '[' {
		r.skip(r.pos)
		return
	}
	open := 0
	for i := r.pos; i < len(r.data); i++ {
		switch r.data[i] {
		case '"':
			i = stringEnd(r.data, i)
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				r.pos = i + 1
				return
			}
		}
	}
	_ = r.broken(len(r.data), "unterminated element")
}
