package csvfile

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/textfile"
)

// Style is the form of a file for the programs that read it.
type Style int

const (
	// Plain is UTF-8 without a byte order mark, for programs.
	Plain Style = iota
	// Excel begins with a byte order mark, without which some spreadsheets
	// mistake UTF-8 for the system code page.
	Excel
)

// Writer writes records separated by commas, one line each. Each record is one
// Write to the underlying writer. It is not safe for concurrent use.
type Writer struct {
	w     io.Writer
	begin string // what precedes the first record
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, style Style) *Writer {
	if style == Excel {
		return &Writer{w, textfile.Mark}
	}
	return &Writer{w, ""}
}

// Write writes a record. A cell that a spreadsheet would execute gets a leading
// apostrophe, which Read removes again; a number does not. A cell with a comma,
// a semicolon, a tab, a quote, a line end, or a space at its beginning or end
// is quoted. Line ends within a cell become LF, and byte order marks are
// omitted. For a cell that is not UTF-8 or contains a zero byte, the record is
// not written and the error is an *Error with ErrEncoding; otherwise it is that
// of the writer.
func (w *Writer) Write(cells []string) error {
	var line strings.Builder
	line.WriteString(w.begin)
	for i, cell := range cells {
		if !utf8.ValidString(cell) || strings.Contains(cell, "\x00") {
			return &Error{Err: ErrEncoding}
		}
		if i > 0 {
			line.WriteByte(',')
		}
		cell = escape(ordinary.Replace(cell))
		if needsQuotes(cell) || len(cells) == 1 && cell == "" { // an empty line is no record
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		line.WriteString(cell)
	}
	line.WriteByte('\n')
	_, err := w.w.Write([]byte(line.String()))
	if err == nil {
		w.begin = ""
	}
	return err
}

// ordinary gives a cell the line ends of a spreadsheet. It must not be
// modified.
var ordinary = strings.NewReplacer("\r\n", "\n", "\r", "\n", textfile.Mark, "")

func needsQuotes(cell string) bool {
	return strings.ContainsAny(cell, ",;\t\"\n") || strings.TrimSpace(cell) != cell
}
