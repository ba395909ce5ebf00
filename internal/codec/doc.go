// Package codec reads and writes JSON for the generated methods of the records:
// one pass over the text, no reflection, no maps.
//
// The [Reader] is strict about the text. It refuses broken syntax, raw control
// characters in strings, nesting deeper than [MaxDepth], two members of one
// name in any object, and anything after the value. Invalid UTF-8 and lone
// surrogates inside strings are read as U+FFFD.
//
// It is tolerant about what is absent: for texts, times, lists and objects, a
// missing member, null and {} are the same zero value. Numbers and booleans may
// be missing or null. Members that a record does not know are kept as text, in
// compact form.
//
// A list can be isolated: a fault inside one of its elements then skips that
// element and is kept as a [Fault]. What counts as such a fault is everything
// that leaves the end of the element to be found: wrong kinds, values out of
// range, duplicate names. Broken syntax and too deep nesting fail the whole
// text.
//
// No error holds a part of the text; only [Fault.Raw] does.
package codec
