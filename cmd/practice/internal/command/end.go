package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
)

// Exit codes.
const (
	exitDone       = 0
	exitFailed     = 1
	exitMisused    = 2
	exitNotFound   = 3
	exitNotAllowed = 4
	exitUnknown    = 5
	exitIncomplete = 6
	exitAfterwards = 7

	exitInterrupted = 130 // as in shells after Ctrl-C
	exitClosed      = 141 // as in shells after SIGPIPE
)

// exitsOf holds the exit codes for the errors that descriptions name.
var exitsOf = map[string]int{
	"AmbiguousWriteError": exitUnknown, "ErrNotFound": exitNotFound, "ErrForbidden": exitNotAllowed,
	"ErrBadRequest": exitFailed, "DecodeError": exitFailed, "ErrNotPDF": exitFailed,
}

// phase is the part of a command that failed.
type phase string

// Phases of a command, in their order.
const (
	phaseParse phase = "parse" // the command line, the files that it names, and the body
	phaseCheck phase = "check" // the profile, its secrets and the arguments; nothing is sent
	phaseAsk   phase = "ask"   // the question before a deletion or a movement of money
	phaseSend  phase = "send"  // the request, until the service has accepted or refused it
	phaseRead  phase = "read"  // the response, which is not what the operation returns
	phaseShow  phase = "show"  // the filter, the sum and the output
	phaseWait  phase = "wait"  // --wait, after the write was accepted
)

// failure is an error with its phase.
type failure struct {
	phase
	error
}

func (f failure) Unwrap() error { return f.error }

// of returns the error with the phase, unless it has one. nil stays nil.
func (p phase) of(err error) error {
	if err == nil || has[failure](err) {
		return err
	}
	return failure{p, err}
}

// phaseOf returns the phase of an error. Wrong arguments and options are found
// before anything is sent, and a response that cannot be read was complete.
func phaseOf(err error) phase {
	failed, stamped := errors.AsType[failure](err)
	switch {
	case !stamped:
		return phaseParse
	case failed.phase != phaseSend:
		return failed.phase
	case has[misuse](err), has[*practice.ArgumentError](err), has[*practice.ConfigError](err):
		return phaseCheck
	case has[*practice.DecodeError](err), has[*practice.RecordError](err), has[*practice.PagingError](err):
		return phaseRead
	}
	return phaseSend
}

// misuse is an error of the command line.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// incomplete wraps an error after some records of a list were printed.
type incomplete struct{ error }

func (i incomplete) Unwrap() error { return i.error }

// unfinished wraps the error of a transfer that the same command continues.
type unfinished struct{ error }

func (u unfinished) Unwrap() error { return u.error }

// statusError is the exit code of a program that has already reported its
// error.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// readOnlyError reports a write with a profile that reads only.
type readOnlyError struct{ *target }

func (e readOnlyError) Error() string { return e.String() + ": the profile is read-only" }

// written is the write of a command, as far as it is known.
type written struct {
	class    practice.OperationClass // of the operation; empty if the command does not write
	sending  bool                    // the request may have left
	accepted bool
	answer   []byte // response of an accepted write
	shown    bool   // whether stdout has the response
	look     string // command that shows whether it was executed
}

// effect is what a write has become when the command ends.
type effect string

const (
	notDone  effect = "nothing was written" // also of a read
	unclear  effect = "it is unknown whether the write was executed"
	accepted effect = "the write was accepted"
)

// effectOf returns what has become of the write after an error.
func (w written) effectOf(err error) effect {
	switch {
	case w.accepted:
		return accepted
	case w.class == "", w.class == practice.OperationRead:
		return notDone
	case has[*practice.AmbiguousWriteError](err), errors.Is(err, practice.ErrWebPage), w.sending && has[defect](err):
		return unclear
	}
	uncertain := func(attempts []practice.Attempt) bool {
		return slices.ContainsFunc(attempts, func(a practice.Attempt) bool { return a.Uncertain })
	}
	refused, _ := errors.AsType[*practice.Error](err)
	lost, _ := errors.AsType[*practice.NoAnswerError](err)
	if refused != nil && uncertain(refused.Attempts) || lost != nil && uncertain(lost.Attempts) {
		return unclear
	}
	return notDone
}

// ending is a row of the table of ends. It holds for an effect, for phases and
// for errors; an empty field holds for all.
type ending struct {
	code   int
	effect effect
	phases []phase
	of     func(error) bool
	when   string // for the documentation
	stdout string // what stdout has, for the documentation
	advice string // what the command advises, for the documentation
	next   func(a *app, err error) string
}

// early are the phases in which nothing has been sent. It must not be modified.
var early = []phase{phaseParse, phaseCheck, phaseAsk}

// endings is the table of ends: the first row that holds decides how a command
// ends. docs/cli.md prints it.
var endings = []ending{
	{exitInterrupted, "", nil, partlyInterrupted, "`practice run` or `files`: interrupted", "the completed rows", "repeat the command", goOn},
	{exitUnknown, "", nil, rowsUnknown, "`practice run`: rows have an unknown outcome", "the completed rows", "repeat the command", goOn},
	{exitIncomplete, "", nil, partly, "`practice run` or `files`: not everything was done", "the completed rows", "repeat the command", goOn},
	{exitInterrupted, accepted, nil, interrupted, "interrupted after a write was accepted", "the response", "the id; do not repeat the write", (*app).acceptedIDs},
	{
		exitAfterwards, accepted, nil, nil, "a write was accepted, but a later step failed: the response, `--jq`, `--sum`, the output or `--wait`",
		"the response as received, unless stdout is broken", "the id; do not repeat the write", (*app).acceptedIDs,
	},
	{exitUnknown, unclear, nil, nil, "it is unknown whether a write was executed", "nothing", "which command shows whether it was executed", (*app).lookFirst},
	{exitInterrupted, "", nil, interrupted, "interrupted, and nothing was written", "what was received", "", nil},
	{exitClosed, "", []phase{phaseShow}, is(syscall.EPIPE), "a reader such as `head` closed a read's output; no message", "what was read", "", nil},
	{
		exitMisused, "", early, either(has[misuse], has[*practice.ArgumentError], has[*practice.ConfigError]),
		"the command line, a file it names or the body is invalid, or the question was not confirmed; **nothing was sent**", "nothing", "see the help",
		func(a *app, _ error) string { return "See " + a.reached + " --help." },
	},
	{
		exitIncomplete, "", nil, either(has[*practice.PagingError], has[incomplete]), "the list ended early or some records cannot be read, so records are missing", "the other records", "read the list again",
		func(*app, error) string { return "Records are missing. Read the list again." },
	},
	{exitNotAllowed, "", nil, has[readOnlyError], "the profile is read-only; nothing was sent", "nothing", "how to allow writes", (*app).letWrite},
	{
		exitNotAllowed, "", nil, either(is(auth.ErrNotSignedIn), refusesSignIn), "no user is signed in, or the sign-in was rejected; nothing was written", "nothing", "sign in",
		func(a *app, _ error) string { return "To sign in, run " + a.with("practice login") + "." },
	},
	{
		exitNotAllowed, "", nil, either(is(practice.ErrUnauthorized), is(practice.ErrForbidden)), "the service does not allow the call (401, 403); nothing was written", "nothing", "check the token and its scopes",
		func(a *app, _ error) string {
			return "To check the token, its scopes and the account, run " + a.with("practice whoami") + "."
		},
	},
	{exitNotFound, "", nil, is(practice.ErrNotFound), "not found (404); nothing was written", "nothing", "", nil},
	{exitFailed, "", nil, nil, "any other failure; nothing was written", "what was received", "", nil},
}

// is returns errors.Is for a target.
func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

// either reports whether any of the conditions holds.
func either(conditions ...func(error) bool) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(conditions, func(holds func(error) bool) bool { return holds(err) })
	}
}

func (row ending) holds(p phase, e effect, err error) bool {
	return (row.effect == "" || row.effect == e) && (row.phases == nil || slices.Contains(row.phases, p)) && (row.of == nil || row.of(err))
}

// endingOf returns the row of the table for an error.
func (a *app) endingOf(err error) ending {
	p, e := phaseOf(err), a.wrote.effectOf(err)
	i := slices.IndexFunc(endings, func(row ending) bool { return row.holds(p, e, err) })
	return endings[i] // the last row always holds
}

// partly reports whether the same command goes on.
func partly(err error) bool { return has[*rowsError](err) || has[unfinished](err) }

func partlyInterrupted(err error) bool { return partly(err) && interrupted(err) }

func rowsUnknown(err error) bool {
	failed, ok := errors.AsType[*rowsError](err)
	return ok && failed.unknown > 0
}

func goOn(_ *app, err error) string {
	if has[unfinished](err) {
		return "To continue, run the same command again."
	}
	return "To continue, run the same command again. It does not resend rows that were accepted or whose outcome is unknown."
}

// interrupted reports whether the user or the system ended the command.
func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// refusesSignIn reports whether the error requires a new sign-in.
func refusesSignIn(err error) bool {
	refused, ok := errors.AsType[*auth.TokenError](err)
	return ok && !refused.Temporary()
}

func has[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// report prints an error and returns the exit code. With -o json it prints an
// object.
func (a *app) report(err error) int {
	if said, ok := errors.AsType[statusError](err); ok {
		return int(said)
	}
	if err == nil {
		return exitDone
	}
	end := a.endingOf(err)
	if end.code == exitClosed {
		return end.code
	}
	next, text := "", a.errors(err)
	if !strings.HasPrefix(text, "practice") {
		text = "practice: " + text
	}
	if end.next != nil {
		next = end.next(a, err)
		text += "\n" + next
	}
	if a.format == formatJSON || a.format == formatLines {
		text = string(a.problem(err, end.code, next))
	}
	a.toErr(visible(a.masked(text), true))
	return end.code
}

// problem returns an error for programs.
func (a *app) problem(err error, code int, next string) []byte {
	problem := map[string]any{"error": a.errors(err), "exitCode": code, "phase": phaseOf(err)}
	if next != "" {
		problem["next"] = next
	}
	if failed, ok := errors.AsType[*practice.Error](err); ok {
		problem["status"], problem["requestId"] = failed.StatusCode, failed.RequestID
		if command := a.commandOf(failed.Operation); command != "" {
			problem["operation"] = command
		}
	}
	switch {
	case json.Valid(a.wrote.answer):
		problem["accepted"] = json.RawMessage(a.wrote.answer)
	case a.wrote.accepted:
		problem["accepted"] = string(a.wrote.answer)
	}
	return encode(problem)
}

// letWrite returns advice on how to allow writes for a read-only profile.
func (a *app) letWrite(err error) string {
	if isOn(a.variable(readOnlyVariable)) {
		return readOnlyVariable + " blocks writes."
	}
	refused, _ := errors.AsType[readOnlyError](err)
	return "To allow writes, run practice config read-only " + refused.Name + " off."
}

// with returns a command with the flags that choose the firm of this one.
func (a *app) with(command string) string {
	switch {
	case a.sandbox == inMemory:
		command += " --sandbox"
	case a.sandbox != "":
		command += " --sandbox=" + quoted(a.sandbox)
	case a.profile != "":
		command += " --profile " + quoted(a.profile)
	}
	return command
}

// lookFirst advises what to do after a write of which nobody knows whether it
// was executed.
func (a *app) lookFirst(error) string {
	look := "list the records"
	if a.wrote.look != "" {
		look = "run " + a.with(a.wrote.look)
	}
	text := "It is unknown whether the service executed the write. Before you repeat it, " + look + " to check."
	if a.wrote.class == practice.OperationIdempotentWrite {
		text += " Repeating the write has the same effect as executing it once."
	}
	return text
}

// acceptedIDs names what the service has accepted. If stdout does not have the
// response, it names all of it.
func (a *app) acceptedIDs(error) string {
	text := "The service has accepted the write"
	var link struct{ ID, Href string }
	_ = json.Unmarshal(a.wrote.answer, &link) // another response has neither
	switch ids := strings.TrimSpace(link.ID + " " + link.Href); {
	case !a.wrote.shown && len(a.wrote.answer) > 0:
		text += ": " + string(compact(a.wrote.answer))
	case ids != "":
		text += ": " + ids
	}
	if text += ". Do not repeat it."; a.wrote.look != "" {
		text += " To see the result, run " + a.with(a.wrote.look) + "."
	}
	return text
}

// defect is a panic of the program.
type defect struct {
	broken any
	stack  []byte
}

func (d defect) Error() string {
	return fmt.Sprintf("internal error: %v\n%s", d.broken, d.stack)
}
