package codec

import "sync"

// readers is a pool of readers that have read their text to the end, with their
// buffers, so that a usual response allocates only its record. They contain no
// data of the text.
var readers = sync.Pool{New: func() any { return new(Reader) }}

// mostKept limits the buffers of a pooled reader, so that one unusual response
// does not keep memory forever.
const mostKept = 64 << 10

// rest resets a reader without an error, and returns it to the pool.
func (r *Reader) rest() {
	r.forget()
	readers.Put(r)
}

// forget clears the fields of the reader one by one. Creating a new reader
// takes longer, which matters for small records.
func (r *Reader) forget() {
	r.data, r.pos, r.start, r.depth, r.mend = nil, 0, 0, 0, 0
	r.form, r.arena, r.strings = nil, nil, arena{}
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

// writers is a pool of writers that know the length of their last text: a
// program that changes many records writes similar texts, and each then needs
// one allocation. Writers keep no text, because it may contain secrets.
var writers = sync.Pool{New: func() any { return &Writer{expected: usualText} }}

// usualText is enough for most bodies.
const usualText = 256

// rest resets a writer that has written n bytes, and returns it to the pool.
func (w *Writer) rest(n int) {
	*w = Writer{expected: min(n, mostKept)}
	writers.Put(w)
}
