package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
	"golang.org/x/term"

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
	format string
	kind   reflect.Type // type of the records; nil if unknown
	filter *gojq.Code
	sum    models.Decimal
	w      *bufio.Writer // buffers stdout
	rows   [][]string    // rows of a table that are not printed yet
	header []string
	csv    *csvfile.Writer
	count  int
	alone  bool // the response is a single record
}

// printer returns the printer for the flags.
func (a *app) printer() (*printer, error) {
	for i := range a.columns {
		a.columns[i] = strings.TrimSpace(a.columns[i])
	}
	w := bufio.NewWriterSize(a.Out, outputBuffer)
	style, known := csvStyles[a.csv]
	if !known {
		return nil, misuse{fmt.Errorf("--csv: %q is none of %s, %s", a.csv, csvPlain, csvExcel)}
	}
	p := &printer{app: a, format: a.format, sum: models.MustDecimal("0"), w: w, csv: csvfile.NewWriter(w, style)}
	if p.format == "" {
		p.format = formatJSON
		if isTerminal(a.Out) {
			p.format = formatTable
		}
	}
	if !slices.Contains([]string{formatTable, formatJSON, formatLines, formatCSV}, p.format) {
		return nil, misuse{fmt.Errorf("--output: %q is none of table, json, jsonl, csv", a.format)}
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

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// record prints a record of a list.
func (p *printer) record(text json.RawMessage) error {
	if p.filter == nil {
		return p.value(text)
	}
	values, err := p.filtered(text)
	for _, value := range values {
		if err := p.value(value); err != nil {
			return err
		}
	}
	return err
}

// value prints a value and adds it to the sum.
func (p *printer) value(value json.RawMessage) error {
	err := p.add(value)
	if err == nil {
		err = p.print(value)
	}
	p.count++
	return err
}

func (p *printer) print(value json.RawMessage) error {
	var err error
	switch {
	case p.format == formatTable && p.alone:
		err = p.fields(value)
	case p.format == formatJSON && p.alone:
		_, err = fmt.Fprintf(p.w, "%s\n", indented(value))
	case p.format == formatJSON:
		begin := ",\n"
		if p.count == 0 {
			begin = "[\n"
		}
		_, err = fmt.Fprintf(p.w, "%s%s", begin, indented(value))
	case p.format == formatLines:
		_, _ = p.w.Write(compact(value))
		err = p.w.WriteByte('\n') // it also returns earlier write errors
	case p.format == formatCSV:
		p.chooseColumns(value, allColumns)
		if p.count == 0 && p.header[0] != "" {
			err = p.csv.Write(shown(p.header))
		}
		if err == nil {
			err = p.csv.Write(shown(p.cells(value)))
		}
	default:
		p.chooseColumns(value, tableColumns)
		p.rows = append(p.rows, p.cells(value))
		if len(p.rows) >= tableRows {
			err = p.flushTable()
		}
	}
	return err
}

// end prints buffered rows and the sum. After a failure, which it returns, it
// prints no sum, because the sum of some records could be taken for that of
// all.
func (p *printer) end(failed error) error {
	err := joined(failed, p.finish())
	if p.app.sum != "" && err == nil {
		p.note("The sum of %s of %d records is %s.", p.app.sum, p.count, p.sum)
	}
	return errors.Join(err, p.w.Flush())
}

func (p *printer) finish() (err error) {
	switch {
	case p.format == formatJSON && p.alone:
	case p.format == formatJSON && p.count == 0:
		_, err = fmt.Fprintln(p.w, "[]")
	case p.format == formatJSON:
		_, err = fmt.Fprintln(p.w, "\n]")
	case p.format == formatTable:
		err = p.flushTable()
		if p.count == 0 {
			p.note("There are no records.")
		}
	}
	return err
}

// single prints a response that is not a list. It refuses to print a file to a
// terminal, which control characters could manipulate.
func (p *printer) single(text []byte) error {
	switch {
	case len(text) == 0:
		p.note("Done.")
		return nil
	case json.Valid(text):
		p.alone = true
		return p.end(p.record(text))
	case isTerminal(p.Out):
		return misuse{errors.New("the answer is a file: let > FILE take it")}
	}
	_, err := p.w.Write(text)
	return errors.Join(err, p.w.Flush())
}

// filtered returns the results of jq for a record.
func (p *printer) filtered(text []byte) (values []json.RawMessage, err error) {
	input, err := decoded(text)
	if err != nil {
		return nil, err
	}
	results := p.filter.Run(input)
	for {
		value, more := results.Next()
		if !more {
			return values, nil
		}
		if failed, ok := value.(error); ok {
			return values, misuse{fmt.Errorf("--jq: %w", failed)}
		}
		out, err := gojq.Marshal(value)
		if err != nil {
			return values, err
		}
		values = append(values, out)
	}
}

// decoded decodes JSON and keeps numbers as written.
func decoded(text []byte) (value any, err error) {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// add adds the member of --sum to the sum.
func (p *printer) add(record []byte) error {
	if p.app.sum == "" {
		return nil
	}
	value, err := decoded(record)
	if err != nil {
		return err
	}
	text := cellOf(value, p.app.sum)
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
	value, _ := decoded(record) // it was decoded before
	cells := make([]string, len(p.header))
	for i, name := range p.header {
		cells[i] = cellOf(value, name)
	}
	return cells
}

// cellOf returns the member at a path, such as staff.id, as text.
func cellOf(value any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		if path == "" { // the single column of values that are not objects
			break
		}
		switch within := value.(type) {
		case map[string]any:
			value = within[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(within) {
				return ""
			}
			value = within[i]
		default:
			return ""
		}
	}
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
