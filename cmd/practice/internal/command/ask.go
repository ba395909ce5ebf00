package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// errNobody reports a question without an answer.
var errNobody error = misuse{errors.New("no answer was given")}

// ask prints a question to stderr and returns the line entered. At a terminal a
// secret is not echoed. Without a terminal each answer is a line of stdin.
func (a *app) ask(ctx context.Context, question string, secret bool) (string, error) {
	read := a.line
	if file, ok := a.In.(*os.File); ok && isTerminal(a.In) {
		before, err := term.GetState(int(file.Fd()))
		if secret && err == nil { // before the question, so that early input is not echoed
			before, err = term.MakeRaw(int(file.Fd()))
			read = func() (string, error) { return hiddenLine(file) }
		}
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(int(file.Fd()), before) }() // an error cannot be handled
	}
	_, _ = fmt.Fprint(a.Err, visible(question, false)) // an error cannot be printed anywhere else
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() { // blocks until there is input, because a read of a terminal cannot be cancelled
		text, err := read()
		answered <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case got := <-answered:
		if secret && isTerminal(a.In) {
			_, _ = fmt.Fprint(a.Err, "\r\n") // the terminal did not echo the line break
		}
		return strings.TrimSpace(got.text), got.err
	}
}

// hiddenLine reads a line from a terminal in raw mode. It does not read beyond
// the line, because the next one may answer another question.
func hiddenLine(terminal io.Reader) (string, error) {
	const interrupt, end, back, erase = 3, 4, 8, 127
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := terminal.Read(one); err != nil {
			return "", err
		}
		switch one[0] {
		case '\r', '\n':
			return string(line), nil
		case interrupt:
			return "", context.Canceled
		case end:
			return "", errNobody
		case back, erase:
			_, size := utf8.DecodeLastRune(line)
			line = line[:len(line)-size]
		default:
			line = append(line, one[0])
		}
	}
}

// line reads a line of stdin.
func (a *app) line() (string, error) {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.In)
	}
	text, err := a.lines.ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
		if text == "" {
			err = errNobody
		}
	}
	return strings.TrimSpace(text), err
}
