package codec

// Elements iterates over the elements of a list that are decoded later, so that
// a page needs memory for one element only. They are read once, in order.
type Elements struct {
	r     *Reader
	form  Form
	data  []byte
	depth int // inside the list
	place isolation
	own   arena
	found bool // the list is there, empty or not
}

// span holds the bounds of an element.
type span struct{ start, end int }

// DecodeAround reads the whole of data into v like [Decode], except for the
// elements of the one isolated list that v has: those are left to the Elements.
// Everything outside the elements has been read strictly then, and an element
// that is not well-formed is an error when its turn comes.
func DecodeAround(data []byte, v any, form Form) (*Elements, error) {
	r := readers.Get().(*Reader)
	r.begin(data)
	e := &Elements{r: r, form: form, data: data}
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

// Len returns how many elements there are.
func (e *Elements) Len() int { return len(e.r.spans) }

// Found reports whether the list is there: null, {} and a missing member are
// none.
func (e *Elements) Found() bool { return e.found }

// Text returns the text of the element that Next read last, as long as the data
// is.
func (e *Elements) Text() []byte {
	at := e.r.spans[e.place.index-1]
	return e.data[at.start:at.end]
}

// Next reads the next element into v, and returns the faults inside of it. It
// is not read when it is at fault as a whole, and v is then of no use. An error
// means that the text is not JSON, and is the answer to every further call.
func (e *Elements) Next(v any) (read bool, faults []Fault, err error) {
	r := e.r
	if r.err != nil {
		return false, nil, r.err
	}
	at := r.spans[e.place.index]
	r.data, r.pos, r.depth = e.data[:at.end], at.start, e.depth
	before := r.beginIsolated()
	if err = r.element(v, e.form.Read); err == nil {
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

// Rest ends the reading, after which nothing of e may be used. Records that
// were read stay as they are.
func (e *Elements) Rest() {
	if e.r.err == nil {
		e.r.rest()
	}
}

// putOffList records where the elements of a list are, instead of reading them.
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

// pass skips an element. It looks at strings and brackets only, which takes a
// small part of the time of reading.
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
	_ = r.broken(len(r.data), "element without an end")
}
