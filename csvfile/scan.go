package csvfile

import (
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Scan yields the records of a file one by one, without holding the file, for
// lists whose columns are not known before. It reads r from the beginning, and
// more than once. accept is called with the columns that the first record names
// if it is split by a separator, and returns nil if they are columns of such a
// list; Row.Cell takes their names as they are there, without the spaces around
// them. An error ends the iteration: an *Error, also that of a file whose
// records depend on the choice among several accepted separators; that of r; or
// the first error of accept, in an *Error, if it accepts none. OptionalHeader
// is ignored.
func Scan(r io.ReadSeeker, accept func(columns []string) error, options ReadOptions) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s, err := sourceOf(r)
		if err != nil {
			yield(Row{}, err)
			return
		}
		separator, columns, err := s.choose(accept, options)
		if err != nil {
			yield(Row{}, err)
			return
		}
		first := true
		for row, err := range s.records(separator) {
			if first && err == nil {
				first = false
				continue
			}
			row.names = columns
			if !yield(row, err) {
				return
			}
		}
	}
}

// choose returns the separator that splits the first record into columns that
// are accepted, and the columns. If none does, the error is that of the
// separator that yields most columns, which is probably the right one.
func (s source) choose(accept func([]string) error, options ReadOptions) (separator rune, columns []string, err error) {
	var fit []rune
	var refused error
	most := -1
	for _, candidate := range s.separators(options) {
		first, line, err := s.header(candidate)
		if err == nil {
			err = accept(first)
		}
		switch {
		case err == nil && fit == nil:
			columns, fit = first, append(fit, candidate)
		case err == nil && s.digest(candidate) != s.digest(fit[0]):
			return 0, nil, &Error{Line: line, Err: fmt.Errorf("%w: %q and %q", ErrSeparator, fit[0], candidate)}
		case err != nil && len(first) > most:
			most, refused = len(first), asError(line, err)
		}
	}
	if fit == nil {
		return 0, nil, refused
	}
	return fit[0], columns, nil
}

// asError returns an error with the line, if it has none.
func asError(line int, err error) error {
	if placed, ok := err.(*Error); ok { //nolint:errorlint // one that wraps an Error is of accept
		return placed
	}
	return &Error{Line: max(line, 1), Err: err}
}

// header returns the first record, and its line.
func (s source) header(separator rune) (columns []string, line int, err error) {
	for row, err := range s.records(separator) {
		for _, cell := range row.cells {
			columns = append(columns, strings.TrimSpace(cell))
		}
		return columns, row.Line, err
	}
	return nil, 1, ErrColumns
}

// digest returns a text that is the same for the same records.
func (s source) digest(separator rune) string {
	h := sha256.New()
	for row, err := range s.records(separator) {
		_, _ = fmt.Fprintf(h, "%d %q %v\n", row.Line, row.cells, err) // a hash
	}
	return string(h.Sum(nil))
}
