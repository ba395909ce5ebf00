package csvfile

import (
	"errors"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/textfile"
)

// Causes of an Error, for errors.Is.
var (
	// ErrEncoding reports bytes that are neither UTF-8 nor UTF-16, as in a file
	// that was saved with a system code page.
	ErrEncoding = errors.New(textfile.Advice)
	// ErrSeparator reports that several separators split the file into the
	// columns, but yield different records.
	ErrSeparator = errors.New("the file can be read with several separators: choose one")
	// ErrColumns reports that no separator splits the first line into the
	// columns, with each of them once.
	ErrColumns = errors.New("the line does not contain the names of the required columns")
)

// Error reports the place in a file that cannot be read, or a cell that cannot
// be written.
type Error struct {
	Line   int    // line of the file, from 1; 0 if unknown
	Column int    // character of the line, from 1; 0 for a cell
	Name   string // column of the cell; empty if the error does not concern a single cell
	Err    error  // the cause
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	var place []string
	if e.Line > 0 {
		place = append(place, "line "+strconv.Itoa(e.Line))
	}
	if e.Column > 0 {
		place = append(place, "column "+strconv.Itoa(e.Column))
	}
	if e.Name != "" {
		place = append(place, e.Name)
	}
	if len(place) == 0 {
		return e.Err.Error()
	}
	return strings.Join(place, ", ") + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
