package csvfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/textfile"
)

// source reads the records of a file, from its beginning each time.
type source struct {
	file     io.ReadSeeker
	old      bool // an old form with CR alone
	declared rune // separator of a first line such as "sep=;"; 0 for none
}

func sourceOf(file io.ReadSeeker) (s source, err error) {
	s.file = file
	text, err := s.text()
	if err != nil {
		return s, err
	}
	first, _ := text.Peek(len("\"sep=;\"\r\n"))
	s.old = true
	for s.old && err == nil {
		_, err = text.ReadSlice('\n')
		s.old = errors.Is(err, bufio.ErrBufferFull) || errors.Is(err, io.EOF)
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return s, failure(s, err)
	}
	line, _, _ := strings.Cut(strings.ToLower(string(first)), "\n")
	value, declared := strings.CutPrefix(strings.Trim(strings.TrimRight(line, "\r"), `"`), "sep=")
	if declared && len(value) == 1 && strings.Contains(",;\t", value) {
		s.declared = rune(value[0])
	}
	return s, nil
}

// text returns the text of the file.
func (s source) text() (*bufio.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	text := textfile.NewReader(s.file)
	if s.old {
		text = newLines{text}
	}
	return bufio.NewReader(text), nil
}

// newLines replaces each CR by a line feed.
type newLines struct{ io.Reader }

func (r newLines) Read(p []byte) (n int, err error) {
	n, err = r.Reader.Read(p)
	copy(p, bytes.ReplaceAll(p[:n], []byte("\r"), []byte("\n")))
	return n, err
}

// separators returns the separators that the file may have.
func (s source) separators(options ReadOptions) []rune {
	switch {
	case options.Separator != 0:
		return []rune{options.Separator}
	case s.declared != 0:
		return []rune{s.declared}
	}
	return []rune{',', ';', '\t'}
}

// records yields the records that have text, until the first one that cannot be
// read. A line that declares the separator is none.
func (s source) records(separator rune) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		text, err := s.text()
		if err != nil {
			yield(Row{}, err)
			return
		}
		var begin string
		if s.declared != 0 {
			_, _ = text.ReadString('\n') // it was read before
			begin = "\n"                 // the others keep their numbers
		}
		reader := csv.NewReader(io.MultiReader(strings.NewReader(begin), text))
		reader.Comma = separator
		for {
			cells, err := reader.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Row{}, failure(s, err))
				return
			}
			empty := true
			for i, cell := range cells {
				cells[i] = unescape(cell)
				empty = empty && strings.TrimSpace(cell) == ""
			}
			if line, _ := reader.FieldPos(0); !empty && !yield(Row{Line: line, cells: cells}, nil) {
				return
			}
		}
	}
}

// failure returns the error of a record. Its column counts characters.
func failure(s source, err error) error {
	if bad, ok := errors.AsType[*textfile.Error](err); ok {
		return &Error{Line: bad.Line, Column: bad.Column, Err: ErrEncoding}
	}
	failed, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		return err
	}
	if errors.Is(failed.Err, csv.ErrFieldCount) {
		return &Error{Line: failed.StartLine, Err: failed.Err}
	}
	e := &Error{Line: failed.Line, Err: failed.Err}
	text, unread := s.text()
	for line := 1; unread == nil; line++ {
		var before string
		if before, unread = text.ReadString('\n'); line == failed.Line {
			e.Column = utf8.RuneCountInString(before[:min(max(failed.Column-1, 0), len(before))]) + 1
			break
		}
	}
	return e
}
