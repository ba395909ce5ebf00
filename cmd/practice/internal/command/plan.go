package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	practice "github.com/practicesdk/practice-go"
)

// plan is a call of the service, and what has to hold before it is sent.
type plan struct {
	what   string // shown in the question
	class  practice.OperationClass
	asks   bool
	look   string // command that shows what a write has done; empty: unknown
	file   bool   // the response is a file
	client *practice.Client
	call   func(*practice.Client, any) error // sends the call, and decodes the response
	before func() error                      // for --wait, what is read before the write; nil: nothing
	after  func(answer []byte) error         // --wait; nil: no wait
	show   func(printer *printer, answer []byte) error
}

// run performs a plan, phase by phase. printer prints the response.
func (a *app) run(ctx context.Context, p *plan, printer *printer) error {
	printer.ctx = ctx
	if err := a.permit(ctx, p); err != nil {
		return err
	}
	a.wrote = written{class: p.class, look: p.look}
	if p.before != nil && !a.dryRun {
		if err := p.before(); err != nil {
			return phaseCheck.of(err)
		}
	}
	a.wrote.sending = !a.dryRun
	var answer []byte
	err := p.call(p.client, &answer)
	if _, odd := errors.AsType[*practice.RecordError](err); err != nil && !odd {
		return notSent(phaseSend.of(err))
	}
	var shown error
	if p.class == practice.OperationRead {
		shown = phaseShow.of(p.show(printer, answer))
	} else {
		shown = a.accept(p, answer, printer)
	}
	return errors.Join(shown, phaseRead.of(err)) // some elements of the list are no records
}

// accept prints the response of an accepted write before anything else can
// fail, and waits for its effect. If the filter fails, it prints the response
// as it came.
func (a *app) accept(p *plan, answer []byte, printer *printer) error {
	a.wrote.accepted, a.wrote.answer = true, answer
	var text bytes.Buffer
	printer.to(&text)
	failed := phaseShow.of(p.show(printer, answer))
	if len(answer) > 0 && !p.file && !json.Valid(answer) {
		failed = phaseRead.of(errors.New("the response is not JSON"))
	}
	if failed != nil {
		text.Reset()
		_, _ = fmt.Fprintf(&text, "%s\n", indented(answer, "")) // a buffer
	}
	if _, err := a.Out.Write(text.Bytes()); err != nil {
		return errors.Join(failed, phaseShow.of(err))
	}
	a.wrote.shown = true
	if failed == nil && p.after != nil {
		failed = phaseWait.of(p.after(answer))
	}
	return failed
}

// notSent returns the error of a call, or for --dry-run that of its output.
func notSent(err error) error {
	if printed, ok := errors.AsType[printedError](err); ok {
		return phaseShow.of(printed.output)
	}
	return err
}

// permit makes the client of the target if the command may continue. It refuses
// writes with a read-only profile and wrong arguments, and asks for
// confirmation before deletions and movements of money.
func (a *app) permit(ctx context.Context, p *plan) error {
	t, err := a.target(ctx)
	if err == nil && t.ReadOnly && p.class != practice.OperationRead {
		err = readOnlyError{t}
	}
	if err == nil && !a.dryRun {
		err = t.refused(p)
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	if p.asks && !a.yes && !a.dryRun {
		if err := a.confirm(ctx, p.what, t); err != nil {
			return phaseAsk.of(err)
		}
	}
	p.client, err = a.client(t)
	return phaseCheck.of(err)
}

// refused returns the error of the library for wrong arguments. It sends
// nothing.
func (t *target) refused(p *plan) error {
	client, err := t.unsent(printed{io.Discard})
	if err == nil {
		err = p.call(client, new([]byte))
	}
	if has[misuse](err) || has[*practice.ConfigError](err) || has[*practice.ArgumentError](err) {
		return err
	}
	return nil
}

// confirm asks for confirmation before money is moved or a record is deleted.
func (a *app) confirm(ctx context.Context, what string, t *target) error {
	answer, err := a.ask(ctx, fmt.Sprintf("%s on %s? Type yes: ", what, t), false)
	switch {
	case errors.Is(err, errNobody):
		return misuse{errors.New("the write was not confirmed; use --yes to skip the question")}
	case err != nil:
		return err
	case answer != "yes":
		return misuse{errors.New("the answer was not yes; nothing was sent")}
	}
	return nil
}
