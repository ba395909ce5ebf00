package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

// step is one operation or one helper of the tour.
type step struct {
	name   string   // of the method
	needs  []string // names of variables, or of results of earlier steps
	call   func(context.Context, *tour) (note string, err error)
	writes bool
}

// tour runs the steps.
type tour struct {
	*term.Printer
	*setup.Service
	wire   *wire
	here   bool              // the service is on this machine
	writes bool              // steps that write are taken
	made   map[string]string // by the names of the constants below

	calls, failed, left int
	unreachable         bool // the first call had no answer, so none is made after it
}

// Names of the records that earlier steps have made and later ones need.
const (
	madeFolder       = "folder of EnsureFolder"
	madeFile         = "file of CreateFile"
	madeUpload       = "file of Upload"
	madeSubscription = "subscription of Webhooks.Create"
	madeTags         = "tag of Contacts.AddTags"
	madeTag          = "id of a tag of Contacts.AddTags"
	madeOwner        = "owner of a new firm"
)

// standIn is used on this machine where elsewhere a variable of its own must
// name the record that a call would remove, or the person whom it would reach.
func standIn(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "DELETE_"), "MESSAGE_")
}

// steps returns the steps of the tour: the operations of some ids alone, or all
// of them, reads first and deletions last, with their helpers.
func steps(ctx context.Context, only []string) ([]step, error) {
	if len(only) > 0 {
		return operationSteps(ctx, named(only), true)
	}
	var all []step
	for _, part := range []struct {
		before  []step
		methods []string
	}{
		{nil, []string{http.MethodGet}},
		{slices.Concat(readingHelpers(), beforeCreates()), []string{http.MethodPost}},
		{afterCreates(), []string{http.MethodPut, http.MethodPatch}},
		{nil, []string{http.MethodDelete}},
	} {
		some, err := operationSteps(ctx, by(part.methods...), false)
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, part.before, some)
	}
	return all, nil
}

func (t *tour) run(ctx context.Context, all []step) error {
	t.greet()
	for _, s := range all {
		if t.writes || !s.writes {
			t.take(ctx, s)
		} else if !t.unreachable {
			t.leave(s, "it writes")
		}
	}
	t.cleanUp(ctx)
	t.tellLate()
	t.sum()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.unreachable:
		return errors.New("the service does not answer")
	case t.failed > 0:
		return fmt.Errorf("%d of %d calls failed", t.failed, t.calls)
	}
	return t.Err()
}

func (t *tour) greet() {
	t.Title("Tour of the operations, against %s", t.BaseURL)
	switch {
	case t.Embedded:
		t.Note("It was started by this program and ends with it.")
	case t.writes:
		t.Note("Signed in by %s. Reads and writes.", t.SignIn)
	default:
		t.Note("Signed in by %s. Reads only, because the service is not on this machine.", t.SignIn)
	}
	t.Blank()
	if t.narrow() {
		t.Note(narrowColumns, "operation", "status", "time", "")
		return
	}
	t.Note(columns, "operation", "status", "time", "request id", "")
}

const (
	columns       = "%-40s %6s %9s  %-36s  %s"
	narrowColumns = "%-40s %6s %9s  %s" // the request id of a failure stands in its error
)

// narrow reports whether a terminal has no room for the request ids.
func (t *tour) narrow() bool { return t.Width() > 0 && t.Width() < 110 }

// take calls an operation, if it can be called.
func (t *tour) take(ctx context.Context, s step) {
	if ctx.Err() != nil || t.unreachable || t.Err() != nil {
		return
	}
	for _, name := range s.needs {
		if t.value(name) == "" {
			t.leave(s, t.absence(name))
			return
		}
	}
	t.call(ctx, s)
}

// call calls an operation and prints its line.
func (t *tour) call(ctx context.Context, s step) {
	t.wire.take()
	started := time.Now()
	note, err := s.call(ctx, t)
	took, seen := time.Since(started), t.wire.take()
	t.calls++
	line := t.Line
	if err != nil {
		t.failed++
		t.unreachable = t.calls == 1 && seen.status == 0
		line, note = t.Bad, "FAILED: "+err.Error()
	}
	took = took.Round(10 * time.Microsecond)
	if t.narrow() {
		line(narrowColumns, s.name, status(seen.status), took, note)
		return
	}
	line(columns, s.name, status(seen.status), took, orDash(seen.requestID), note)
}

// leave prints the line of an operation that is not called.
func (t *tour) leave(s step, why string) {
	t.left++
	t.Note("%-40s left out: %s", s.name, why)
}

// value returns an identifier: of a record that the tour has made, or of a
// variable.
func (t *tour) value(name string) string {
	if id := t.made[name]; id != "" {
		return id
	}
	if id := t.ID(name); id != "" || !t.here {
		return id
	}
	return t.ID(standIn(name))
}

func (t *tour) absence(name string) string {
	switch name {
	case madeFolder, madeFile, madeUpload, madeSubscription, madeTags, madeTag, madeOwner:
		return "there is no " + name
	}
	if strings.HasPrefix(name, recordOf("")) {
		return "there is no " + name
	}
	return setup.Variable(name) + " is not set"
}

func (t *tour) sum() {
	t.Blank()
	text := fmt.Sprintf("%s, %d failed, %d left out.", term.Count(t.calls, "call"), t.failed, t.left)
	if t.failed > 0 {
		t.Bad("%s", text)
	} else {
		t.Good("%s", text)
	}
	if !t.writes {
		t.Note("With -write it would write to the service as well.")
	}
}

func status(code int) string {
	if code == 0 {
		return "-"
	}
	return strconv.Itoa(code)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// tellLate prints the writes that were accepted and have failed later.
func (t *tour) tellLate() {
	for _, failure := range t.LateFailures() {
		t.failed++
		t.Bad("FAILED LATE: %s", failure)
	}
}
