package codec

import "sync"

// readers pools readers that reached the end of their text, with their buffers,
// so that a usual answer allocates its record only. They hold no data of any
// text.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// mostKept bounds the room that a reader at rest keeps for odd strings and long
// lists: one strange answer must not cost memory for ever.
const mostKept = 64 << 10

// rest resets a reader that met no error, and returns it to the pool.
func (r *Reader) rest() {
	r.forget()
	readers.Put(r)
}

// forget drops all that the reader knows of its text, field by field: to make
// the whole reader anew takes longer, and that shows with small records.
func (r *Reader) forget() {
	r.data, r.pos, r.start, r.depth = nil, 0, 0, 0
	r.arena, r.strings = nil, arena{}
	r.scratch, r.compacted, r.extra, r.spans = kept(r.scratch), kept(r.compacted), kept(r.extra), kept(r.spans)
	r.names.text, r.names.ends = kept(r.names.text), r.names.ends[:0]
	r.faults, r.isolated, r.within, r.putOff = nil, 0, nil, nil
	r.rough = false
}

func kept[T any](room []T) []T {
	if cap(room) > mostKept {
		return nil
	}
	return room[:0]
}

// writers pools writers with the length of their last text: a program that
// changes many records writes similar texts, and each is then allocated once. A
// writer keeps no text, since it may hold secrets.
var writers = sync.Pool{New: func() any { return &Writer{expected: usualText} }}

// usualText is room for most bodies.
const usualText = 256

// rest resets a writer that wrote a text of n bytes, and returns it to the
// pool.
func (w *Writer) rest(n int) {
	*w = Writer{expected: min(n, mostKept)}
	writers.Put(w)
}
