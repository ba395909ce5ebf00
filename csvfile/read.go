package csvfile

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/textfile"
)

// ReadOptions choose how a file is read. The zero value is ready to use.
type ReadOptions struct {
	// Separator is ',', ';' or '\t'. 0 means the one that splits the first line
	// into the columns. If several do, and the records differ, the error is
	// ErrSeparator.
	Separator rune
	// OptionalHeader accepts a file whose first line has none of the names of
	// columns: then it is a record, and each record has exactly the columns, in
	// their order.
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

// Parse returns the value of a column, as parse returns it for the text without
// the spaces around it. The error is an *Error with the line and the column.
// [Text] is the parser for a text that must not be empty.
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
		return "", errors.New("it must not be empty")
	}
	return text, nil
}

// Read reads a whole file. Its first line names the columns, in any order and
// regardless of case; further columns are ignored. Records without any text are
// skipped. The error is an *Error, or that of r.
func Read(r io.Reader, columns []string, options ReadOptions) ([]Row, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	text, err := textfile.Decode(data)
	if bad, ok := errors.AsType[*textfile.Error](err); ok {
		return nil, &Error{Line: bad.Line, Column: bad.Column, Err: ErrEncoding}
	}
	text = strings.ReplaceAll(text, textfile.Mark, "")
	if !strings.Contains(text, "\n") { // an old form with CR alone
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	f := &file{text: text, columns: columns}
	separators := []rune{',', ';', '\t'}
	if declared, rest, ok := f.declared(); ok {
		separators = []rune{declared}
		f.text = rest
	}
	if options.Separator != 0 {
		separators = []rune{options.Separator}
	}
	tables, err := f.tables(separators, f.byHeader)
	if err == nil && len(tables) == 0 && options.OptionalHeader && f.named == 0 {
		tables, err = f.tables(separators, f.byPosition)
	}
	switch {
	case err != nil:
		return nil, err
	case len(tables) == 0:
		return nil, &Error{Line: max(f.first, 1), Err: fmt.Errorf("%w, which are %s", ErrColumns, strings.Join(columns, ", "))}
	}
	return f.chosen(tables)
}

// file is the text of a file and the columns that are requested of it.
type file struct {
	text    string
	columns []string
	named   int // largest number of the columns that a first record names
	first   int // line of the first record
}

// declared returns the separator of a first line such as "sep=;", which some
// programs write. The line stays as an empty one.
func (f *file) declared() (separator rune, rest string, ok bool) {
	line, rest, _ := strings.Cut(f.text, "\n")
	line = strings.TrimSuffix(line, "\r")
	value, ok := strings.CutPrefix(strings.ToLower(strings.Trim(line, `"`)), "sep=")
	if !ok || len(value) != 1 || !strings.Contains(",;\t", value) {
		return 0, "", false
	}
	return rune(value[0]), "\n" + rest, true
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
		records, failed := f.records(separator)
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

// records returns the records that have text, until the first one that cannot
// be read.
func (f *file) records(separator rune) (rows []Row, err error) {
	reader := csv.NewReader(strings.NewReader(f.text))
	reader.Comma = separator
	for {
		cells, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return rows, f.failure(err)
		}
		empty := true
		for i, cell := range cells {
			cells[i] = unescape(cell)
			empty = empty && strings.TrimSpace(cell) == ""
		}
		if line, _ := reader.FieldPos(0); !empty {
			rows = append(rows, Row{Line: line, cells: cells})
		}
	}
}

// failure returns the error of a record. Its column counts characters.
func (f *file) failure(err error) error {
	failed, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		return err
	}
	e := &Error{Line: failed.Line, Err: failed.Err}
	if errors.Is(failed.Err, csv.ErrFieldCount) {
		return &Error{Line: failed.StartLine, Err: failed.Err}
	}
	lines := strings.Split(f.text, "\n")
	if failed.Line <= len(lines) {
		line := lines[failed.Line-1]
		e.Column = utf8.RuneCountInString(line[:min(max(failed.Column-1, 0), len(line))]) + 1
	}
	return e
}
