// Package codec reads and writes JSON for the generated methods of the records,
// in one pass over the text and without reflection or maps.
//
// The [Reader] is strict about the text. It refuses invalid syntax, raw control
// characters in strings, nesting deeper than [MaxDepth], duplicate members in
// any object, and text after the value. Invalid UTF-8 and lone surrogates in
// strings are read as U+FFFD.
//
// It is lenient about absent values: for strings, times, lists and objects, a
// missing member, null and {} are the same zero value. Numbers and booleans may
// be missing or null. Unknown members are kept as compact text.
//
// A list can be isolated: a fault inside one of its elements then skips that
// element and is recorded as a [Fault]. Faults are errors after which the end
// of the element can still be found: wrong types, values out of range,
// duplicate names. Invalid syntax and too deep nesting are errors of the whole
// text.
//
// Errors do not contain parts of the text; only [Fault.Raw] does.
package codec
