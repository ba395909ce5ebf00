package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

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
	exitUnknown    = 5 // it is unknown whether a write was executed
	exitIncomplete = 6 // records of a list may be missing

	exitInterrupted = 130 // as in shells after Ctrl-C
)

// misuse is an error of the command line.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// incomplete wraps an error after some records of a list were printed.
type incomplete struct{ error }

func (i incomplete) Unwrap() error { return i.error }

// errReadOnly reports a write with a read-only profile.
var errReadOnly = errors.New("the profile is read-only")

// exitCode returns the exit code of an error.
func exitCode(err error) int {
	is := func(targets ...error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
	switch {
	case err == nil, errors.Is(err, errDryRun):
		return exitDone
	case has[*practice.AmbiguousWriteError](err):
		return exitUnknown
	case is(context.Canceled):
		return exitInterrupted
	case has[misuse](err), has[*practice.ArgumentError](err), has[*practice.ConfigError](err):
		return exitMisused
	case has[*practice.PagingError](err), has[incomplete](err):
		return exitIncomplete
	case is(practice.ErrNotFound):
		return exitNotFound
	case is(practice.ErrUnauthorized, practice.ErrForbidden, auth.ErrNotSignedIn, errReadOnly), refusesSignIn(err):
		return exitNotAllowed
	}
	return exitFailed
}

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
	code := exitCode(err)
	if code == exitDone {
		return code
	}
	next := a.nextStep(err, code)
	text := "practice: " + strings.TrimPrefix(err.Error(), "practice: ")
	if next != "" {
		text += "\n" + next
	}
	if a.format == formatJSON || a.format == formatLines {
		problem := map[string]any{"error": err.Error(), "exitCode": code}
		if next != "" {
			problem["next"] = next
		}
		if failed, ok := errors.AsType[*practice.Error](err); ok {
			problem["status"], problem["requestId"], problem["operation"] = failed.StatusCode, failed.RequestID, failed.Operation
		}
		text = string(encode(problem))
	}
	_, _ = fmt.Fprintln(a.Err, visible(a.masked(text), true)) // an error cannot be printed anywhere else
	return code
}

// nextStep returns advice on what to do after a failure.
func (a *app) nextStep(err error, code int) string {
	switch {
	case code == exitInterrupted:
		return ""
	case errors.Is(err, errReadOnly):
		return "practice config read-only PROFILE off lets it write."
	case errors.Is(err, auth.ErrNotSignedIn), refusesSignIn(err):
		return "practice login signs in."
	case code == exitMisused:
		return "See practice --help."
	case code == exitUnknown:
		return "Nobody can say whether the service has executed it. Look before you repeat it: " + cmp.Or(a.look, "list the records") + "."
	case code == exitNotAllowed:
		return "Look at the token, its scopes, and the account: practice whoami."
	case code == exitIncomplete:
		return "Records are missing. Read the list again."
	}
	return ""
}

// end returns the error of a call. After a dry run it returns only errDryRun,
// and after an interruption it adds the cause.
func (a *app) end(ctx context.Context, err error) error {
	if a.dryRun && errors.Is(err, errDryRun) {
		return errDryRun
	}
	if ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return err
}
