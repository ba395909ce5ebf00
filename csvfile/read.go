package csvfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// ReadOptions choose how a file is read. The zero value is ready to use.
type ReadOptions struct {
	// Separator is ',', ';' or '\t'. 0 means the one that splits the first line
	// into the columns. If several separators do, and the records differ, the
	// error is ErrSeparator.
	Separator rune
	// OptionalHeader accepts a file whose first line contains no column names.
	// That line is then a record, and each record must have exactly the
	// columns, in order.
	OptionalHeader bool
}

// Row is a record of a file. Parse returns its values.
type Row struct {
	Line  int // line of the file on which the record begins, from 1
	names []string
	cells []string
}

// Cell returns the text of a column. The second result is false if the column
// was not requested from Read.
func (r Row) Cell(column string) (string, bool) {
	i := slices.Index(r.names, column)
	if i < 0 {
		return "", false
	}
	return r.cells[i], true
}

// Cells yields the names of the columns and their texts, in the order of the
// columns. Unlike Cell, it yields each of several columns without a name.
func (r Row) Cells() iter.Seq2[string, string] {
	return func(yield func(column, text string) bool) {
		for i, name := range r.names {
			if !yield(name, r.cells[i]) {
				return
			}
		}
	}
}

// Parse returns the value that parse returns for the text of a column without
// the spaces around it. The error is an *Error with the line and the column.
// [Text] is the parser for text that must not be empty.
func Parse[T any](row Row, column string, parse func(string) (T, error)) (T, error) {
	text, known := row.Cell(column)
	if !known {
		var none T
		return none, &Error{Line: row.Line, Name: column, Err: ErrColumns}
	}
	value, err := parse(strings.TrimSpace(text))
	if err != nil {
		return value, &Error{Line: row.Line, Name: column, Err: fmt.Errorf("%.100q: %w", text, err)}
	}
	return value, nil
}

// Text returns text, or an error if it is empty.
func Text(text string) (string, error) {
	if text == "" {
		return "", errors.New("the text must not be empty")
	}
	return text, nil
}

// Read reads a whole file. Its first line names the columns, in any order and
// regardless of case; other columns are ignored. Records without any text are
// skipped. The error is an *Error, or the error of r.
func Read(r io.Reader, columns []string, options ReadOptions) ([]Row, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f := &file{columns: columns}
	if f.source, err = sourceOf(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	separators := f.separators(options)
	tables, err := f.tables(separators, f.byHeader)
	if err == nil && len(tables) == 0 && options.OptionalHeader && f.named == 0 {
		tables, err = f.tables(separators, f.byPosition)
	}
	switch {
	case err != nil:
		return nil, err
	case len(tables) == 0:
		return nil, &Error{Line: max(f.first, 1), Err: fmt.Errorf("%w (%s)", ErrColumns, strings.Join(columns, ", "))}
	}
	return f.chosen(tables)
}

// file is a file and the columns that are requested of it.
type file struct {
	source
	columns []string
	named   int // largest number of the columns that a first record names
	first   int // line of the first record
}

// table holds the records that one separator yields.
type table struct {
	separator rune
	rows      []Row
	err       error
}

// tables reads the file with each separator that splits its first record into
// the columns. The error is that of a first record which no separator can read.
func (f *file) tables(separators []rune, layout func(first []string) (positions []int)) (tables []table, err error) {
	for _, separator := range separators {
		var records []Row
		var failed error
		for row, err := range f.records(separator) {
			if failed = err; err == nil {
				records = append(records, row)
			}
		}
		if len(records) == 0 {
			err = cmp.Or(err, failed)
			continue
		}
		positions := layout(records[0].cells)
		if f.first = records[0].Line; positions == nil {
			continue
		}
		if named(records[0].cells, f.columns) > 0 {
			records = records[1:]
		}
		for i, record := range records {
			cells := make([]string, len(positions))
			for column, position := range positions {
				cells[column] = record.cells[position]
			}
			records[i].names, records[i].cells = f.columns, cells
		}
		tables = append(tables, table{separator, records, failed})
	}
	if len(tables) > 0 || f.first > 0 {
		err = nil
	}
	return tables, err
}

// byHeader returns the position of each column in a first record that names all
// of them once, or nil.
func (f *file) byHeader(first []string) (positions []int) {
	f.named = max(f.named, named(first, f.columns))
	for _, column := range f.columns {
		is := func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), column) }
		i := slices.IndexFunc(first, is)
		if i < 0 || slices.ContainsFunc(first[i+1:], is) {
			return nil
		}
		positions = append(positions, i)
	}
	return positions
}

// named returns the number of cells that name a column.
func named(first, columns []string) (n int) {
	for _, cell := range first {
		if slices.ContainsFunc(columns, func(column string) bool { return strings.EqualFold(strings.TrimSpace(cell), column) }) {
			n++
		}
	}
	return n
}

// byPosition returns the positions of the columns in a first record that is not
// a header, or nil.
func (f *file) byPosition(first []string) (positions []int) {
	if len(first) != len(f.columns) {
		return nil
	}
	for i := range first {
		positions = append(positions, i)
	}
	return positions
}

// chosen returns the records, which must be the same in all tables.
func (f *file) chosen(tables []table) ([]Row, error) {
	first := tables[0]
	for _, other := range tables[1:] {
		same := first.err == nil && other.err == nil && slices.EqualFunc(first.rows, other.rows, func(a, b Row) bool {
			return a.Line == b.Line && slices.Equal(a.cells, b.cells)
		})
		if !same {
			return nil, &Error{Line: f.first, Err: fmt.Errorf("%w: %q and %q", ErrSeparator, first.separator, other.separator)}
		}
	}
	if first.err != nil {
		return nil, first.err
	}
	return first.rows, nil
}
