package codec

import "fmt"

// SyntaxError reports that the text is not JSON, or nests too deep.
type SyntaxError struct {
	Offset int    // where the text breaks, in bytes
	Reason string // a fixed phrase, never a part of the text
}

// Error names the place and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at offset %d: %s", e.Offset, e.Reason)
}

// ValueError reports that a well-formed value does not fit: a wrong kind, out
// of range, or a duplicate name.
type ValueError struct {
	Path   string // of the value, made of known names only, as in value[3].startTime; empty for the whole text
	Offset int    // where the value begins, in bytes
	Reason string // a fixed phrase, never a part of the text
}

// Error names the place and the reason.
func (e *ValueError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("unusable JSON value at offset %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("unusable JSON value of %s at offset %d: %s", e.Path, e.Offset, e.Reason)
}

// Fault is an element of an isolated list that was skipped because it could not
// be read.
type Fault struct {
	// Index counts the isolated elements of the text from 0, in the order they
	// begin. Elements inside a skipped one do not count.
	Index int
	// Path is the place of the element, as in value[3] or value[0].files[2].
	Path string
	// Raw is the text of the element as it came.
	Raw []byte
	// Err is the error of the element.
	Err error
}
