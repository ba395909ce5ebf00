package codec

import "fmt"

// SyntaxError reports text that is not JSON or is nested too deeply.
type SyntaxError struct {
	Offset int    // position of the error in bytes
	Reason string // fixed text, without a part of the input
}

// Error returns the position and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at offset %d: %s", e.Offset, e.Reason)
}

// ValueError reports a well-formed value that does not fit: a wrong type, out
// of range, or a duplicate name.
type ValueError struct {
	Path   string // path of the value, such as value[3].startTime, with known names only; empty for the whole text
	Offset int    // position of the value in bytes
	Reason string // fixed text, without a part of the input
}

// Error returns the position and the reason.
func (e *ValueError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("invalid JSON value at offset %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("invalid JSON value of %s at offset %d: %s", e.Path, e.Offset, e.Reason)
}

// Fault is an element of an isolated list that was skipped because it could not
// be decoded.
type Fault struct {
	// Index is the index of the element among all isolated elements of the
	// text, from 0, in the order in which they begin. Elements inside a skipped
	// one do not count.
	Index int
	// Path is the path of the element, such as value[3] or value[0].files[2].
	Path string
	// Raw is the text of the element as received.
	Raw []byte
	// Err is the error of the element.
	Err error
}
