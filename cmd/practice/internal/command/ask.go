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

	practice "github.com/practicesdk/practice-go"
)

// intent describes what a command is about to do.
type intent struct {
	what         string // for the question
	writes, asks bool
	send         func(*practice.Client) error
}

// permitted returns the client of the target once the command may go on: no
// profile that only reads writes, and somebody wants what deletes or moves
// money. The library refuses wrong arguments before the question.
func (a *app) permitted(ctx context.Context, i intent) (*practice.Client, error) {
	t, err := a.target(ctx)
	if err == nil && i.writes {
		err = t.mayWrite()
	}
	if err == nil && i.asks {
		err = a.confirm(ctx, i, t)
	}
	if err != nil {
		return nil, err
	}
	return a.client(t)
}

// confirm asks before money is moved or a record deleted.
func (a *app) confirm(ctx context.Context, i intent, t *target) error {
	if a.yes || a.dryRun {
		return nil
	}
	client, err := t.unsent(io.Discard)
	if err == nil {
		err = i.send(client)
	}
	if has[misuse](err) || has[*practice.ConfigError](err) || has[*practice.ArgumentError](err) {
		return err
	}
	answer, err := a.ask(ctx, fmt.Sprintf("%s on %s? Type yes: ", i.what, t), false)
	switch {
	case errors.Is(err, errNobody):
		return misuse{errors.New("nobody answered; --yes does it without asking")}
	case err != nil:
		return err
	case answer != "yes":
		return misuse{errors.New("not done")}
	}
	return nil
}

// errNobody reports a question to which there was no answer.
var errNobody = errors.New("nobody answered")

// ask asks a question on stderr and returns the line that answers it. At a
// terminal a secret is not shown while it is typed. Without a terminal each
// answer is a line of stdin.
func (a *app) ask(ctx context.Context, question string, secret bool) (string, error) {
	read := a.line
	if file, ok := a.In.(*os.File); ok && isTerminal(a.In) {
		before, err := term.GetState(int(file.Fd()))
		if secret && err == nil { // before the question: who types early would be seen
			before, err = term.MakeRaw(int(file.Fd()))
			read = func() (string, error) { return hiddenLine(file) }
		}
		if err != nil {
			return "", err
		}
		defer func() { _ = term.Restore(int(file.Fd()), before) }() // there is nothing else to do
	}
	_, _ = fmt.Fprint(a.Err, visible(question, false)) // there is no other place to say it
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() { // until somebody types: nothing else ends the read of a terminal
		text, err := read()
		answered <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case got := <-answered:
		if secret && isTerminal(a.In) {
			_, _ = fmt.Fprint(a.Err, "\r\n") // which the terminal did not show
		}
		return strings.TrimSpace(got.text), got.err
	}
}

// hiddenLine reads a line of a terminal that shows and interprets nothing. It
// reads no further: the next line may answer another question.
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
