package csvfile

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/textfile"
)

// Style is the form of a file for its readers.
type Style int

const (
	// Plain is UTF-8 without a byte order mark, for programs.
	Plain Style = iota
	// Excel begins with a byte order mark, without which some spreadsheets take
	// UTF-8 for the code page of the system.
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
// apostrophe, which Read takes away again; a number does not. A cell with a
// comma, a semicolon, a tab, a quote, a line end or a space at its edge is
// quoted. Line ends within a cell become LF, and byte order marks are left out.
// The error is an *Error with ErrEncoding for a cell that is not UTF-8 or has a
// zero byte, of which nothing is written, otherwise that of the writer.
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
