package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"
	"golang.org/x/term"

	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
)

// Formats of --output.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatLines = "jsonl"
	formatCSV   = "csv"
)

// Values of --csv.
const (
	csvPlain = "plain"
	csvExcel = "excel"
)

// csvStyles must not be modified.
var csvStyles = map[string]csvfile.Style{"": csvfile.Plain, csvPlain: csvfile.Plain, csvExcel: csvfile.Excel}

// outputBuffer is the size of the output buffer of a list in bytes.
const outputBuffer = 64 << 10

// printer prints records one by one.
type printer struct {
	*app
	ctx     context.Context // ends the filter of a response; completed rows are reported also after Ctrl-C
	format  string
	kind    reflect.Type // type of the records; nil if it is unknown or has any members
	filter  *gojq.Code
	sum     models.Decimal
	w       *bufio.Writer     // buffers stdout
	held    []json.RawMessage // records that wait until all of them decide the columns
	rows    [][]string        // rows of a table that are not printed yet
	header  []string
	filled  []bool // columns that at least one record has
	csv     *csvfile.Writer
	read    int  // records that came
	count   int  // values that were printed
	alone   bool // the output is a single record
	partial bool // the list has more records
}

// printer returns the printer for the flags.
func (a *app) printer() (*printer, error) {
	for i := range a.columns {
		if a.columns[i] = strings.TrimSpace(a.columns[i]); a.columns[i] == "" {
			return nil, misuse{errors.New("--columns: a column name is empty")}
		}
	}
	if _, known := csvStyles[a.csv]; !known {
		return nil, misuse{fmt.Errorf("--csv: %q is not one of %s, %s", a.csv, csvPlain, csvExcel)}
	}
	p := &printer{app: a, ctx: context.Background(), format: a.format, sum: models.MustDecimal("0")}
	p.to(a.Out)
	switch {
	case p.format == "" && (isTerminal(a.Out) || len(a.columns) > 0):
		p.format = formatTable
	case p.format == "":
		p.format = formatJSON
	case !slices.Contains([]string{formatTable, formatJSON, formatLines, formatCSV}, p.format):
		return nil, misuse{fmt.Errorf("--output: %q is not one of table, json, jsonl, csv", a.format)}
	}
	if len(a.columns) > 0 && (p.format == formatJSON || p.format == formatLines) {
		return nil, misuse{fmt.Errorf("--columns: %s always contains all members; use --jq to select members", p.format)}
	}
	if a.jq != "" {
		query, err := gojq.Parse(a.jq)
		if err == nil {
			p.filter, err = gojq.Compile(query)
		}
		if err != nil {
			return nil, misuse{fmt.Errorf("--jq: %w", err)}
		}
	}
	return p, nil
}

// printerOf returns a printer of records of a type of this program, whose
// members are in the order of the columns. A table has the first ones only.
func (a *app) printerOf(kind reflect.Type, inTable int) (*printer, error) {
	p, err := a.printer()
	if err != nil {
		return nil, err
	}
	if len(a.columns) == 0 && (p.format == formatTable || p.format == formatCSV) {
		for field := range kind.Fields() {
			if p.format == formatCSV || len(a.columns) < inTable {
				a.columns = append(a.columns, shape.NameOf(field))
			}
		}
	}
	return p, p.of(kind)
}

// to sets the writer of the output.
func (p *printer) to(w io.Writer) {
	p.w = bufio.NewWriterSize(w, outputBuffer)
	p.csv = csvfile.NewWriter(p.w, csvStyles[p.app.csv])
}

// of sets the type of the records. It returns an error if --columns or --sum
// names a member that they do not have.
func (p *printer) of(kind reflect.Type) error {
	if p.filter != nil {
		return nil
	}
	for flag, paths := range map[string][]string{"--columns": p.columns, "--sum": {p.app.sum}} {
		for _, path := range paths {
			if _, err := along(kind, path, "-o json"); err != nil {
				return misuse{fmt.Errorf("%s: %w", flag, err)}
			}
		}
	}
	if kind.Kind() == reflect.Struct && len(scalarMembers(kind)) > 0 {
		p.kind = kind
	}
	return nil
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// record prints a record of a list.
func (p *printer) record(text json.RawMessage) error {
	p.read++
	values := []json.RawMessage{text}
	var failed error
	if p.filter != nil {
		values, failed = p.filtered(text)
	}
	for _, value := range values {
		if err := p.value(value); err != nil {
			return err
		}
	}
	return failed
}

// value prints a value and adds it to the sum.
func (p *printer) value(value json.RawMessage) error {
	if err := p.add(value); err != nil {
		return err
	}
	err := p.print(value)
	p.count++
	return err
}

func (p *printer) print(value json.RawMessage) error {
	var err error
	switch {
	case p.format == formatTable && p.alone:
		err = p.fields(value)
	case p.format == formatJSON && p.alone:
		_, err = fmt.Fprintf(p.w, "%s\n", indented(value, ""))
	case p.format == formatJSON:
		begin := ",\n"
		if p.count == 0 {
			begin = "[\n"
		}
		_, err = fmt.Fprintf(p.w, "%s%s", begin, indented(value, "  "))
	case p.format == formatLines:
		_, _ = p.w.Write(compact(value))
		err = p.w.WriteByte('\n') // it also returns earlier write errors
	case p.kind == nil && len(p.columns) == 0:
		p.held = append(p.held, value)
	default:
		err = p.row(value)
	}
	return err
}

// row prints a record below the header.
func (p *printer) row(value json.RawMessage) error {
	if err := p.chooseColumns(); err != nil {
		return err
	}
	return p.line(p.cells(value))
}

// line prints a row of CSV, or keeps it for the table.
func (p *printer) line(cells []string) error {
	if p.format == formatCSV {
		return p.csv.Write(shown(cells))
	}
	p.rows = append(p.rows, cells)
	if len(p.rows) < tableRows {
		return nil
	}
	return p.flushTable()
}

// end prints what was kept, and the sum. After a failure, which it returns, it
// prints no sum, because the sum of some records could be taken for that of
// all.
func (p *printer) end(failed error) error {
	err := p.finish(failed)
	if err == nil {
		err = p.w.Flush()
	}
	if failed = cmp.Or(failed, err); failed == nil && p.app.sum != "" {
		p.say("The sum of %s over %d records is %s.", p.app.sum, p.count, p.sum)
	}
	return failed
}

func (p *printer) finish(failed error) (err error) {
	for _, value := range p.held {
		err = cmp.Or(err, p.row(value))
	}
	switch {
	case p.alone || failed != nil && p.count == 0:
	case p.format == formatJSON && p.count == 0:
		_, err = fmt.Fprintln(p.w, "[]")
	case p.format == formatJSON:
		_, err = fmt.Fprintln(p.w, "\n]")
	case p.format == formatTable:
		err = cmp.Or(err, p.flushTable())
		p.noteEmpty()
	case p.format == formatCSV && p.count == 0 && (p.kind != nil || len(p.columns) > 0):
		err = p.chooseColumns()
	}
	if err == nil && failed == nil {
		err = p.unfilled()
	}
	return err
}

// noteEmpty says why a table has no rows.
func (p *printer) noteEmpty() {
	switch {
	case p.count > 0 || p.partial:
	case p.read > 0:
		p.note("The filter matched none of the %d records.", p.read)
	default:
		p.note("There are no records.")
	}
}

// unfilled returns an error for a column that no record has.
func (p *printer) unfilled() error {
	for i, name := range p.columns {
		if p.kind == nil && p.filled != nil && !p.filled[i] {
			return fmt.Errorf("--columns: no record has %s", name)
		}
	}
	return nil
}

// single prints a response that is not a list. It refuses to print a file in a
// format, or to a terminal, which control characters could manipulate.
func (p *printer) single(text []byte) error {
	switch {
	case len(text) == 0:
		p.note("Done.")
		return nil
	case json.Valid(text):
		return p.response(text)
	case isTerminal(p.Out), p.app.format != "", p.filter != nil:
		return errors.New("the response is a file, not JSON: redirect the output with > FILE, without --output or --jq")
	}
	_, err := p.w.Write(text)
	return errors.Join(err, p.w.Flush())
}

// response prints a response in JSON. The elements of a list are records in
// tables and CSV, and so are several results of a filter.
func (p *printer) response(text []byte) error {
	values, failed := []json.RawMessage{text}, error(nil)
	list := readList(text)
	switch {
	case p.filter != nil:
		values, failed = p.filtered(text)
		p.alone = len(values) == 1
	case list.records != nil && (p.format == formatTable || p.format == formatCSV):
		values = list.records
		p.alone = list.alone
		p.noteMore(list)
	default:
		p.alone = true
	}
	p.read = 1
	for _, value := range values {
		if err := p.value(value); err != nil {
			return p.end(err)
		}
	}
	return p.end(failed)
}

// filtered returns the results of jq for a record.
func (p *printer) filtered(text []byte) (values []json.RawMessage, err error) {
	input, err := rows.Decode(text)
	if err != nil {
		return nil, err
	}
	results := p.filter.RunWithContext(p.ctx, input)
	for {
		value, more := results.Next()
		if !more {
			return values, nil
		}
		if failed, ok := value.(error); ok {
			return values, fmt.Errorf("--jq: %w", failed)
		}
		out, err := gojq.Marshal(value)
		if err != nil {
			return values, err
		}
		values = append(values, out)
	}
}

// add adds the member of --sum to the sum.
func (p *printer) add(record []byte) error {
	if p.app.sum == "" {
		return nil
	}
	value, err := rows.Decode(record)
	if err != nil {
		return err
	}
	member, _ := memberAt(value, p.app.sum)
	text := textOf(member)
	if text == "" {
		return fmt.Errorf("--sum: a record has no %s", p.app.sum)
	}
	amount, err := models.ParseDecimal(text)
	if err == nil {
		p.sum, err = p.sum.Add(amount)
	}
	if err != nil {
		return fmt.Errorf("--sum: %q: %w", text, err)
	}
	return nil
}

// cells returns the cells of a record.
func (p *printer) cells(record []byte) []string {
	value, _ := rows.Decode(record) // it was decoded before
	cells := make([]string, len(p.header))
	if p.filled == nil {
		p.filled = make([]bool, len(p.header))
	}
	for i, name := range p.header {
		member, found := memberAt(value, name)
		p.filled[i] = p.filled[i] || found
		cells[i] = p.cell(member, name)
	}
	return cells
}

// cell returns a member as text. Ticks are shown as a time.
func (p *printer) cell(member any, path string) string {
	if number, ok := member.(json.Number); ok {
		kind, _ := along(p.kind, path, "") // nil if it is unknown
		if ticks, err := models.ParseTicks(number.String()); shape.Plain(kind) == reflect.TypeFor[models.Ticks]() && err == nil && !ticks.IsZero() {
			return ticks.Time().Format(time.RFC3339Nano)
		}
	}
	return textOf(member)
}

// memberAt returns the member at a path, such as staff.id, and reports whether
// there is one. The path of a value that is no object is empty.
func memberAt(value any, path string) (member any, found bool) {
	if path == "" {
		return value, true
	}
	for name := range strings.SplitSeq(path, ".") {
		found = false
		switch within := value.(type) {
		case map[string]any:
			value, found = within[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(within) {
				value, found = within[i], true
			}
		}
		if !found {
			return nil, false
		}
	}
	return value, true
}

// textOf returns a value as the text of a cell.
func textOf(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return string(encode(value))
}

// shown returns cells with visible control characters.
func shown(cells []string) []string {
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = visible(strings.ReplaceAll(cell, "\r\n", "\n"), true)
	}
	return safe
}
